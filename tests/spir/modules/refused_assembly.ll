; SPDX-License-Identifier: MIT
target triple = "spir64-unknown-unknown"
define spir_kernel void @k(i32 addrspace(1)* %out) nounwind {
  call void asm sideeffect "nop", ""()
  ret void
}
!opencl.kernels = !{!0}
!opencl.spir.version = !{!1}
!opencl.ocl.version = !{!1}
!0 = !{void (i32 addrspace(1)*)* @k}
!1 = !{i32 1, i32 2}
