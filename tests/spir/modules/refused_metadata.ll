; SPDX-License-Identifier: MIT
; Of more arguments than the kernel has.
target triple = "spir64-unknown-unknown"
define spir_kernel void @k(i32 addrspace(1)* %out) nounwind {
  ret void
}
!opencl.kernels = !{!0}
!opencl.spir.version = !{!1}
!0 = !{void (i32 addrspace(1)*)* @k, !2}
!1 = !{i32 1, i32 2}
!2 = !{!"kernel_arg_base_type", !"int*", !"image2d_t"}
