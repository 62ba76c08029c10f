; SPDX-License-Identifier: MIT
; Of the process that the kernel would run in.
target triple = "spir64-unknown-unknown"
declare spir_func void @abort()
define spir_kernel void @k(i32 addrspace(1)* %out) nounwind {
  call spir_func void @abort()
  ret void
}
!opencl.kernels = !{!0}
!opencl.spir.version = !{!1}
!opencl.ocl.version = !{!1}
!0 = !{void (i32 addrspace(1)*)* @k}
!1 = !{i32 1, i32 2}
