// SPDX-License-Identifier: MIT
// The last groups of each row may be smaller than the kernel demands of the others.
// BUILD: options="-cl-std=CL3.0"
// RUN: sized global=100 local=32
// ARG: out int[100]
// EXPECT: out = (i / 32 < 3 ? 16 : 2) + (i % 32 < (i / 32 < 3 ? 16 : 2) ? 100 : 0)
// RUN: sized global=96 local=32
// ARG: out int[96]
// EXPECT: out = 16 + (i % 32 < 16 ? 100 : 0)
// RUN: flat global=32x7 local=16x4
// ARG: out int[224]
// EXPECT: out = (i / 32 < 4 ? 4 : 3) * 100 + 16
// RUN: flat global=40x4 local=16x4
// ARG: out int[160]
// EXPECT: out = 400 + (i % 40 < 32 ? 16 : 8)
kernel __attribute__((reqd_work_group_size(32, 1, 1))) void sized(global int *out)
{
    local int tile[32];
    int l = get_local_id(0), some = get_local_size(0) / 2;
    tile[l] = some;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < some)
        tile[l] += 100;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tile[l];
}

kernel __attribute__((reqd_work_group_size(16, 4, 1))) void flat(global int *out)
{
    local int columns[16], rows[4];
    int x = get_local_id(0), y = get_local_id(1), all = 0;
    if (x < 4)
        rows[x] = 0;
    if (y == 0)
        columns[x] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (x == 0)
        rows[y] = 100;
    if (y == 0)
        columns[x] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 4; k++)
        all += k < (int)get_local_size(1) ? rows[k] : 0;
    for (int k = 0; k < 16; k++)
        all += k < (int)get_local_size(0) ? columns[k] : 0;
    out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = all;
}
