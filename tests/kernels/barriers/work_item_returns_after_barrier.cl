// SPDX-License-Identifier: MIT
// RUN: leave global=64 local=16
// ARG: data int[64] = i
// EXPECT: data = i % 3 == 0 ? i : i / 16 * 16 + 15 - i % 16
kernel void leave(global int *data)
{
    local int tile[16];
    size_t l = get_local_id(0);
    tile[l] = data[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_global_id(0) % 3 == 0)
        return;
    data[get_global_id(0)] = tile[15 - l];
}
