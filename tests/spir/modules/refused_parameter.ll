; SPDX-License-Identifier: MIT
; A built-in function with another type than its name says.
target triple = "spir64-unknown-unknown"
declare spir_func i32 @_Z15get_image_width11ocl_image2d(double)
define spir_kernel void @k(i32 addrspace(1)* %out) nounwind {
  %w = call spir_func i32 @_Z15get_image_width11ocl_image2d(double 1.0)
  store i32 %w, i32 addrspace(1)* %out
  ret void
}
!opencl.kernels = !{!0}
!opencl.spir.version = !{!1}
!opencl.ocl.version = !{!1}
!0 = !{void (i32 addrspace(1)*)* @k}
!1 = !{i32 1, i32 2}
