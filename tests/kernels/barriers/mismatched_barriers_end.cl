// SPDX-License-Identifier: MIT
// Work-items that disagree about barriers (openwall/john#3823 and pocl/pocl#1711 tell of
// hangs): what they compute does not matter, that they end does.
// RUN: branches global=32 local=16
// ARG: out int[32]
// EXPECT: completes
// RUN: counts global=32 local=16
// ARG: out int[32]
// EXPECT: out = i % 16 + i % 3
kernel void branches(global int *out)
{
    local int t[16];
    int lid = get_local_id(0);
    t[lid] = lid;
    if (lid < 5) {
        for (int i = 0; i < 3; i++)
            barrier(CLK_LOCAL_MEM_FENCE);
        t[lid]++;
    } else if (lid < 9) {
        barrier(CLK_LOCAL_MEM_FENCE);
        return;
    } else {
        t[lid]--;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = t[15 - lid];
}

kernel void counts(global int *out)
{
    int lid = get_local_id(0), n = 0;
    for (int i = 0; i < lid; i++) {
        n++;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    while (n % 16 != lid || n < 0)
        barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = n + get_global_id(0) % 3;
}
