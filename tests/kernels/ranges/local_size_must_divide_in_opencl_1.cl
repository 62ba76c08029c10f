// SPDX-License-Identifier: MIT
// BUILD: options="-cl-std=CL1.2"
// RUN: mark global=10 local=4 error=CL_INVALID_WORK_GROUP_SIZE
// ARG: out int[10]
// RUN: mark global=8x9 local=4x2 error=CL_INVALID_WORK_GROUP_SIZE
// ARG: out int[72]
// RUN: mark global=8 local=1000000 error=CL_INVALID_WORK_ITEM_SIZE
// ARG: out int[8]
// RUN: mark global=8 local=0 error=CL_INVALID_WORK_GROUP_SIZE
// ARG: out int[8]
kernel void mark(global int *out)
{
    out[get_global_id(0)] = 1;
}
