// SPDX-License-Identifier: MIT
kernel void rotate_group(global int *data)
{
    local int tile[16];
    size_t l = get_local_id(0), i = get_global_id(0);
    tile[l] = data[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    data[i] = tile[(l + 1) % 16];
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}
// RUN: twice global=64 local=16
// ARG: data int[64] = i
// EXPECT: data = i / 16 * 16 + (i + 2) % 16
kernel void twice(global int *data)
{
    rotate_group(data);
    rotate_group(data);
}
