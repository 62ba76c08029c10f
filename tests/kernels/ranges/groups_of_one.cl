// SPDX-License-Identifier: MIT
// RUN: mark global=500 local=1
// ARG: out int[500] = 0
// EXPECT: out = i * 3 + 1
kernel void mark(global int *out)
{
    local int x;
    x = get_group_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = x * 3 + get_local_size(0) + get_local_id(0);
}
