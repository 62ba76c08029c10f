; SPDX-License-Identifier: MIT
; Of a width that no type of OpenCL C has.
target triple = "spir64-unknown-unknown"
define spir_kernel void @k(i32 addrspace(1)* %out) nounwind {
  %x = load i32, i32 addrspace(1)* %out
  %w = zext i32 %x to i129
  %p = mul i129 %w, %w
  %y = trunc i129 %p to i32
  store i32 %y, i32 addrspace(1)* %out
  ret void
}
!opencl.kernels = !{!0}
!opencl.spir.version = !{!1}
!opencl.ocl.version = !{!1}
!0 = !{void (i32 addrspace(1)*)* @k}
!1 = !{i32 1, i32 2}
