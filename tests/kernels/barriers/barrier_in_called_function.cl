// SPDX-License-Identifier: MIT
int exchange(local int *tile, int value, int distance)
{
    size_t l = get_local_id(0), n = get_local_size(0);
    tile[l] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    int r = tile[(l + distance) % n];
    barrier(CLK_LOCAL_MEM_FENCE);
    return r;
}
// RUN: pass_on global=48 local=12
// ARG: data int[48] = i
// ARG: tile local int[12]
// EXPECT: data = i / 12 * 12 + (i % 12 + 5) % 12
kernel void pass_on(global int *data, local int *tile)
{
    int x = data[get_global_id(0)];
    x = exchange(tile, x, 2);
    x = exchange(tile, x, 3);
    data[get_global_id(0)] = x;
}
