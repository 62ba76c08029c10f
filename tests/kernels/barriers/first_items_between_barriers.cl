// SPDX-License-Identifier: MIT
// Between two barriers only the first work-items of a group have something to do, in all
// ways of saying so; groups that are no whole number of lanes, limits of none and of more
// than there are.
// RUN: tree global=192 local=48
// ARG: out uint[192]
// ARG: tile local uint[48]
// EXPECT: out = i / 48 * 48 * 48 + 24 * 47
// RUN: tree global=512 local=256
// ARG: out uint[512]
// ARG: tile local uint[256]
// EXPECT: out = i / 256 * 256 * 256 + 128 * 255
// RUN: tree global=21 local=7
// ARG: out uint[21]
// ARG: tile local uint[7]
// EXPECT: out = i / 7 * 49 + 21
// RUN: limits global=96 local=48
// ARG: out int[96]
// ARG: limit int = -1
// EXPECT: out = i % 48 == 3 ? 1000 : 0
// RUN: limits global=96 local=48
// ARG: out int[96]
// ARG: limit int = 0
// EXPECT: out = (i % 48 == 0 ? 10 : 0) + (i % 48 == 3 ? 1000 : 0)
// RUN: limits global=128 local=64
// ARG: out int[128]
// ARG: limit int = 19
// EXPECT: out = (i % 64 < 19 ? 101 : 0) + (i % 64 <= 19 ? 10 : 0) + (i % 64 == 3 ? 1000 : 0)
// RUN: limits global=64 local=32
// ARG: out int[64]
// ARG: limit int = 2000000000
// EXPECT: out = 111 + (i % 32 == 3 ? 1000 : 0)
// RUN: plane global=34x6 local=17x3
// ARG: out int[204]
// EXPECT: out = (i % 34 % 17 < 5 ? 1 : 0) + (i / 34 % 3 < 2 ? 10 : 0) + (i / 34 % 3 == 1 ? 100 : 0)
// RUN: plane global=64x4 local=32x2
// ARG: out int[256]
// EXPECT: out = (i % 64 % 32 < 5 ? 1 : 0) + (i / 64 % 2 < 2 ? 10 : 0) + (i / 64 % 2 == 1 ? 100 : 0)
// RUN: counted global=96 local=32
// ARG: out int[96]
// ARG: rounds int = 6
// EXPECT: out = (i % 32 < 6 ? 6 - i % 32 : 0) + (i % 32 == 0 ? 60 : 0)
kernel void tree(global uint *out, local uint *tile)
{
    uint l = get_local_id(0);
    tile[l] = get_global_id(0);
    for (uint n = get_local_size(0); n > 1; n = (n + 1) / 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < n / 2)
            tile[l] += tile[l + (n + 1) / 2];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tile[0];
}

kernel void limits(global int *out, int limit)
{
    local int tile[64];
    int l = get_local_id(0);
    tile[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < limit)
        tile[l] += 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l <= limit)
        tile[l] += 10;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l >= limit) {
    } else
        tile[l] += 100;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 3)
        tile[l] += 1000;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tile[l];
}

kernel void plane(global int *out)
{
    local int tile[3][32];
    uint x = get_local_id(0), y = get_local_id(1);
    tile[y][x] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (x < 5)
        tile[y][x] += 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (y < 2)
        tile[y][x] += 10;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (y == 1)
        tile[y][x] += 100;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = tile[y][x];
}

// What is counted for the group goes on where no item has work.
kernel void counted(global int *out, int rounds)
{
    local int tile[32];
    int l = get_local_id(0), all = 0;
    tile[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int n = 0; n <= rounds; n++) {
        if (l < n)
            tile[l] += 1;
        all += 10;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        tile[0] += all - 10;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tile[l];
}
