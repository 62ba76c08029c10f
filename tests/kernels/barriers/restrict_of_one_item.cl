// SPDX-License-Identifier: MIT
// What a function promises of its pointers holds for one work-item. Behind a barrier it loads
// by one of them what others have stored by the other.
// RUN: one global=16 local=16
// ARG: out int[16]
// EXPECT: out = (i + 1) % 16 * 3
// RUN: rows global=16x4 local=16x4
// ARG: out int[64]
// EXPECT: out = i / 16 * 16 + (i + 1) % 16 * 3
int around(local int *restrict p, local int *restrict q, int i, int j)
{
    p[i] = i * 3;
    barrier(CLK_LOCAL_MEM_FENCE);
    int x = q[j];
    barrier(CLK_LOCAL_MEM_FENCE);
    p[i] = x + i;
    barrier(CLK_LOCAL_MEM_FENCE);
    return x + q[j] * 0;
}

kernel __attribute__((reqd_work_group_size(16, 1, 1))) void one(global int *out)
{
    local int t[16];
    int l = get_local_id(0);
    out[l] = around(t, t, l, (l + 1) & 15);
}

kernel __attribute__((reqd_work_group_size(16, 4, 1))) void rows(global int *out)
{
    local int t[4][16];
    int lx = get_local_id(0), ly = get_local_id(1);
    out[ly * 16 + lx] = ly * 16 + around(t[ly], t[ly], lx, (lx + 1) & 15);
}
