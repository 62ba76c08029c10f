// SPDX-License-Identifier: MIT
// Groups of several rows with barriers, whose rows share what they load out of local memory:
// products in tiles, groups at the edge that are smaller, rows that are no whole pack, and
// a size that the launch alone says.
// BUILD: options="-cl-std=CL3.0"
// RUN: product global=32x32 local=16x16
// ARG: a int[1024] = i % 7
// ARG: b int[1024] = i % 11
// ARG: out int[1024]
// ARG: n uint = 32
// EXPECT: out = sum(k, 0, 32, (i / 32 * 32 + k) % 7 * ((k * 32 + i % 32) % 11))
// RUN: rows_above global=19x10 local=8x4
// ARG: out int[190]
// EXPECT: out = i / 19 % 4 * 100 + (i / 19 % 4 + 1) % (i < 152 ? 4 : 2) * 10 + i % 19 % 8
// RUN: three_rows global=16x6 local=16x3
// ARG: out int[96]
// EXPECT: out = (i / 16 % 3 + 1) % 3 * 16 + i % 16
// RUN: columns global=32x8 local=16x4
// ARG: in int[1024] = i % 13
// ARG: out int[256]
// ARG: rounds uint = 4
// EXPECT: out = sum(r, 0, 4, sum(k, 0, 4, (r * 256 + (i / 128 * 4 + k) * 32 + i % 32) % 13 * (r + 1)))
// RUN: columns global=32x9 local=16x3
// ARG: in int[1152] = i % 13
// ARG: out int[288]
// ARG: rounds uint = 3
// EXPECT: out = sum(r, 0, 3, sum(k, 0, 3, (r * 288 + (i / 96 * 3 + k) * 32 + i % 32) % 13 * (r + 1)))
#define TILE 16

kernel __attribute__((reqd_work_group_size(TILE, TILE, 1))) void product(global const int *a, global const int *b,
                                                                         global int *out, uint n)
{
    local int a_tile[TILE][TILE], b_tile[TILE][TILE];
    uint lx = get_local_id(0), ly = get_local_id(1), x = get_global_id(0), y = get_global_id(1);
    int sum = 0;
    for (uint tile = 0; tile < n; tile += TILE) {
        a_tile[ly][lx] = a[y * n + tile + lx];
        b_tile[ly][lx] = b[(tile + ly) * n + x];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint k = 0; k < TILE; k++)
            sum += a_tile[ly][k] * b_tile[k][lx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[y * n + x] = sum;
}

kernel __attribute__((reqd_work_group_size(8, 4, 1))) void rows_above(global int *out)
{
    local int t[4][8];
    uint lx = get_local_id(0), ly = get_local_id(1);
    t[ly][lx] = ly * 10 + lx;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = ly * 100 + t[(ly + 1) % get_local_size(1)][lx];
}

kernel __attribute__((reqd_work_group_size(16, 3, 1))) void three_rows(global int *out)
{
    local int t[3][16];
    uint lx = get_local_id(0), ly = get_local_id(1);
    t[ly][lx] = ly * 16 + lx;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = t[(ly + 1) % 3][lx];
}

// Each round fills the tile anew.
kernel void columns(global const int *in, global int *out, uint rounds)
{
    local int t[64];
    uint lx = get_local_id(0), ly = get_local_id(1), w = get_local_size(0), rows = get_local_size(1);
    uint g = get_global_id(1) * get_global_size(0) + get_global_id(0), items = get_global_size(0) * get_global_size(1);
    int sum = 0;
    for (uint r = 0; r < rounds; r++) {
        t[ly * w + lx] = in[r * items + g];
        barrier(CLK_LOCAL_MEM_FENCE);
        int column = 0;
        for (uint k = 0; k < rows; k++)
            column += t[k * w + lx];
        sum += column * (r + 1);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[g] = sum;
}
