// SPDX-License-Identifier: MIT
// Groups with an odd number leave; the others pass the barrier.
// RUN: leave global=64 local=16
// ARG: data int[64] = i
// EXPECT: data = i / 16 % 2 ? i : i / 16 * 16 + 15 - i % 16
kernel void leave(global int *data)
{
    local int tile[16];
    size_t l = get_local_id(0);
    if (get_group_id(0) % 2)
        return;
    tile[l] = data[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    data[get_global_id(0)] = tile[15 - l];
}
