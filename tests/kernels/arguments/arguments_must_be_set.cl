// SPDX-License-Identifier: MIT
// RUN: both global=8 error=CL_INVALID_KERNEL_ARGS
// ARG: a int[8]
// RUN: both global=8 error=CL_INVALID_ARG_INDEX
// ARG: a int[8]
// ARG: b int[8]
// ARG: c int[8]
// RUN: both global=8 error=CL_INVALID_ARG_SIZE
// ARG: a int[8]
// ARG: b int = 3
// RUN: neither global=8 error=CL_INVALID_KERNEL_NAME
kernel void both(global int *a, global int *b)
{
    a[get_global_id(0)] = b[get_global_id(0)];
}
