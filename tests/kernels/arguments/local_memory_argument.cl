// SPDX-License-Identifier: MIT
// RUN: reverse global=128 local=32
// ARG: data int[128] = i
// ARG: tile local int[32]
// EXPECT: data = i / 32 * 32 + 31 - i % 32
// RUN: reverse global=60 local=4
// ARG: data int[60] = i
// ARG: tile local int[4]
// EXPECT: data = i / 4 * 4 + 3 - i % 4
kernel void reverse(global int *data, local int *tile)
{
    size_t l = get_local_id(0), n = get_local_size(0);
    tile[l] = data[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    data[get_global_id(0)] = tile[n - 1 - l];
}
