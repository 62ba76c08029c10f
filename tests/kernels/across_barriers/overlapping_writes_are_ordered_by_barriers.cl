// SPDX-License-Identifier: MIT
// Neighbours' elements of one buffer under two names, with a counter that all share: what
// lies between two barriers is done for all work-items before what follows.
// RUN: shift global=40 local=20
// ARG: a int[41] = i
// ARG: b same a
// EXPECT: a[0..15] = i + 4
// EXPECT: a[19] = 19 + 3
// RUN: lost global=33 local=11
// ARG: out int[33]
// EXPECT: out = 10 * 11 / 2 + i % 11
kernel void shift(global int *a, global int *b)
{
    int g = get_global_id(0), l = get_local_id(0), last = get_local_size(0) - 1;
    for (int i = 0; i < 3; i++) {
        int next = l < last ? b[g + 1] : b[g] + 1;
        barrier(CLK_GLOBAL_MEM_FENCE);
        a[g] = next;
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
    a[g] = l < 16 ? b[g] + 1 : b[g];
}

// A value used behind the loop that the last round of each work-item left (a phi that is
// read after the next one is written).
kernel void lost(global int *out)
{
    local int t[11];
    int l = get_local_id(0), before = 0, sum = 0;
    for (int i = 0; i < 11; i++) {
        t[(l + i) % 11] = i;
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += before;
        before = i;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = sum + before + (t[l] - t[l] + l);
}
