// SPDX-License-Identifier: MIT
// The loop bound differs between work-items, but all reach the same barrier once.
// RUN: once global=64 local=16
// ARG: out int[64]
// EXPECT: out = 15 - i % 16 + i % 16 + 1
kernel void once(global int *out)
{
    local int tile[16];
    int lid = get_local_id(0), count = 0, other = 0;
    for (int i = 0; i < lid + 1; i++) {
        if (i == 0) {
            tile[lid] = lid;
            barrier(CLK_LOCAL_MEM_FENCE);
            other = tile[15 - lid];
        }
        count++;
    }
    out[get_global_id(0)] = other + count;
}
