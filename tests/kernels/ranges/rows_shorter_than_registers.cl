// SPDX-License-Identifier: MIT
// Kernels that demand rows of 8, 4, 2 and 1 work-items, with local memory: lanes are then as many as
// a row has, at most. Also groups at the edge that are smaller than demanded, and rows that are no power of two.
// BUILD: options="-cl-std=CL3.0"
// RUN: rows_of_8 global=24x16 local=8x8
// ARG: out int[384]
// EXPECT: out = 10000 * (i / 192) + 1000 * (i % 24 / 8) + 10 * (i / 24 % 8) + 7 - i % 8
// RUN: rows_of_4 global=12x4 local=4x4
// ARG: out int[48]
// EXPECT: out = 1000 * (i % 12 / 4) + 10 * (i / 12) + 3 - i % 4
// RUN: rows_of_2 global=6x4 local=2x4
// ARG: out int[24]
// EXPECT: out = 1000 * (i % 6 / 2) + 10 * (i / 6) + 1 - i % 2
// RUN: rows_of_1 global=3x4 local=1x4
// ARG: out int[12]
// EXPECT: out = 1000 * (i % 3) + 10 * (i / 3)
// RUN: rows_of_6 global=18x4 local=6x4
// ARG: out int[72]
// EXPECT: out = 1000 * (i % 18 / 6) + 10 * (i / 18) + 5 - i % 6
// RUN: edge_of_8 global=21x4 local=8x4
// ARG: out int[84]
// EXPECT: out = 1000 * (i % 21 / 8) + 10 * (i / 21) + i % 21 % 8
void mirror(global int *out, local int *tile)
{
    int lx = get_local_id(0), ly = get_local_id(1), width = get_local_size(0);

    tile[ly * width + lx] = 10 * ly + lx;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(1) * get_global_size(0) + get_global_id(0)] =
        10000 * get_group_id(1) + 1000 * get_group_id(0) + tile[ly * width + width - 1 - lx];
}

kernel __attribute__((reqd_work_group_size(8, 8, 1))) void rows_of_8(global int *out)
{
    local int tile[64];
    mirror(out, tile);
}

kernel __attribute__((reqd_work_group_size(4, 4, 1))) void rows_of_4(global int *out)
{
    local int tile[16];
    mirror(out, tile);
}

kernel __attribute__((reqd_work_group_size(2, 4, 1))) void rows_of_2(global int *out)
{
    local int tile[8];
    mirror(out, tile);
}

kernel __attribute__((reqd_work_group_size(1, 4, 1))) void rows_of_1(global int *out)
{
    local int tile[4];
    mirror(out, tile);
}

kernel __attribute__((reqd_work_group_size(6, 4, 1))) void rows_of_6(global int *out)
{
    local int tile[24];
    mirror(out, tile);
}

kernel __attribute__((reqd_work_group_size(8, 4, 1))) void edge_of_8(global int *out)
{
    local int tile[32];
    int lx = get_local_id(0), ly = get_local_id(1);

    tile[ly * 8 + lx] = 10 * ly + lx;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(1) * get_global_size(0) + get_global_id(0)] =
        1000 * get_group_id(0) + tile[ly * 8 + lx];
}
