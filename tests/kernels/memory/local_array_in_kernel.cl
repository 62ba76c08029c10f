// SPDX-License-Identifier: MIT
// RUN: reverse global=128 local=32
// ARG: data int[128] = i
// EXPECT: data = i / 32 * 32 + 31 - i % 32
kernel void reverse(global int *data)
{
    local int tile[32];
    size_t l = get_local_id(0);
    tile[l] = data[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    data[get_global_id(0)] = tile[31 - l];
}
