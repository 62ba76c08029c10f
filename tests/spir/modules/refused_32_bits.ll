; SPDX-License-Identifier: MIT
; Of a device with addresses of 32 bits.
target triple = "spir-unknown-unknown"
define spir_kernel void @k(i32 addrspace(1)* %out) nounwind {
  store i32 1, i32 addrspace(1)* %out
  ret void
}
!opencl.kernels = !{!0}
!opencl.spir.version = !{!1}
!opencl.ocl.version = !{!1}
!0 = !{void (i32 addrspace(1)*)* @k}
!1 = !{i32 1, i32 2}
