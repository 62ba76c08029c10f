// SPDX-License-Identifier: MIT
// Sums of ids with what is a multiple of fewer and fewer work-items from round to round.
// RUN: halved global=64 local=64
// ARG: out int[64]
// ARG: n int = 7
// EXPECT: out = i < 32 ? i + 32 : i - 32
// RUN: eighths global=64 local=64
// ARG: out int[64]
// ARG: n int = 5
// EXPECT: out = (i + 1170) % 64 * 100 + (i + 1170) / 64
kernel __attribute__((reqd_work_group_size(64, 1, 1))) void halved(global int *out, int n)
{
    local int t[64];
    uint l = get_local_id(0), u = 0;
    for (int r = 0; r < n; r++) {
        t[l] = (l + u) % 64;
        barrier(CLK_LOCAL_MEM_FENCE);
        out[l] = t[l];
        u = (u + 2048) >> 1;
    }
}

kernel __attribute__((reqd_work_group_size(64, 1, 1))) void eighths(global int *out, int n)
{
    local int t[64];
    uint l = get_local_id(0), u = 0;
    for (int r = 0; r < n; r++) {
        t[l] = (l + u) % 64 * 100 + (l + u) / 64;
        barrier(CLK_LOCAL_MEM_FENCE);
        out[l] = t[l];
        u = ((u + 8192) & 0xfffffff) >> 3;
    }
}
