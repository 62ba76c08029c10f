// SPDX-License-Identifier: MIT
// RUN: shift global=64 local=16
// ARG: data int[64] = i
// ARG: steps int = 5
// EXPECT: data = i / 16 * 16 + (i + 5) % 16
kernel void shift(global int *data, int steps)
{
    local int tile[16];
    size_t l = get_local_id(0);
    int x = data[get_global_id(0)];
    for (int s = 0; s < steps; s++) {
        tile[l] = x;
        barrier(CLK_LOCAL_MEM_FENCE);
        x = tile[(l + 1) % 16];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    data[get_global_id(0)] = x;
}
