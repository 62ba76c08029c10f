// SPDX-License-Identifier: MIT
// 16 KiB for each work-item.
// RUN: fill global=64 local=32
// ARG: out int[64]
// EXPECT: out = sum(k, 0, 4096, k ^ i) + i
kernel void fill(global int *out)
{
    int v[4096];
    int id = get_global_id(0), sum = 0;
    for (int k = 0; k < 4096; k++)
        v[(k * 5) % 4096] = k ^ id;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 4096; k++)
        sum += v[k];
    out[id] = sum + id;
}
