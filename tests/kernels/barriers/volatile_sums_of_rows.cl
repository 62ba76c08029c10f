// SPDX-License-Identifier: MIT
// Rows of a sparse matrix, several work-items each, that leave their sums in volatile local
// memory and fold them there; rows behind the end have none.
// RUN: rows global=256 local=64
// ARG: sum int[30]
// ARG: width int = 8
// ARG: count int = 30
// ARG: tile local int[64]
// EXPECT: sum = sum(k, i, i * 3 + 1, k)
// RUN: rows global=512 local=128
// ARG: sum int[32]
// ARG: width int = 16
// ARG: count int = 32
// ARG: tile local int[128]
// EXPECT: sum = sum(k, i, i * 3 + 1, k)
// RUN: rows global=96 local=32
// ARG: sum int[90]
// ARG: width int = 1
// ARG: count int = 90
// ARG: tile local int[32]
// EXPECT: sum = sum(k, i, i * 3 + 1, k)
// RUN: rows global=128 local=64
// ARG: sum int[2]
// ARG: width int = 64
// ARG: count int = 2
// ARG: tile local int[64]
// EXPECT: sum = sum(k, i, i * 3 + 1, k)
// RUN: twice global=64 local=32
// ARG: out int[64]
// EXPECT: out = 3 * i + (i % 32 == 31 ? 0 : 1)
__kernel void rows(__global int *sum, int width, int count, __local volatile int *tile)
{
    const int t = get_local_id(0), id = t & (width - 1);
    const int row = get_group_id(0) * ((int)get_local_size(0) / width) + t / width;
    int mine = 0;

    if (row < count) {
        for (int k = row + id; k < row * 3 + 1; k += width)
            mine += k;
    }
    tile[t] = 0;
    tile[t] += mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int n = width / 2; n > 0; n /= 2) {
        if (id < n)
            tile[t] += tile[t + n];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (row < count && id == 0)
        sum[row] = tile[t];
}

// What is stored twice, and what the neighbour stored.
__kernel void twice(__global int *out)
{
    __local volatile int tile[33];
    const int t = get_local_id(0), i = get_global_id(0);

    tile[t] = i;
    tile[t] += i;
    tile[t] -= i;
    if (t == 0)
        tile[32] = i + 31;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = tile[t + 1] + 2 * tile[t];
}
