// SPDX-License-Identifier: MIT
// Each work-item halves a number of its own, as often as all others do: some come to the
// number of lanes a round before others, or never, and all wait at the same barriers.
// RUN: tree global=192 local=64
// ARG: out int[192] = 0
// EXPECT: out = sum(k, 0, 7, i % 64 < (64 + i % 64 >> k) ? i % 64 + (64 + i % 64 >> k) + (i % 64 + (64 + i % 64 >> k) < 64 ? k : 0) : 0)

kernel void tree(global int *out)
{
    local int t[256];
    int id = get_local_id(0), sum = 0;

    for (int i = 0; i < 4; i++)
        t[id + 64 * i] = id + 64 * i;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int n = 64 + id; n > 0; n /= 2) {
        if (id < n)
            sum += t[id + n];
        barrier(CLK_LOCAL_MEM_FENCE);
        t[id]++;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = sum;
}
