// SPDX-License-Identifier: MIT
// Loops whose limit is halved until one gang is left, and one lane of it: sums of all types,
// a minimum with its place, what work-items keep, ways out of the loop, limits that never
// meet the number of lanes, signs, what is volatile or atomic.
// RUN: sums global=128 local=64
// ARG: out uint[128]
// ARG: tile local uint[64]
// EXPECT: out = i / 64 * 4096 + 2016
// RUN: sums global=64 local=16
// ARG: out uint[64]
// ARG: tile local uint[16]
// EXPECT: out = i / 16 * 256 + 120
// RUN: sums global=512 local=256
// ARG: out uint[512]
// ARG: tile local uint[256]
// EXPECT: out = i / 256 * 65536 + 32640
// RUN: sums global=16 local=8
// ARG: out uint[16]
// ARG: tile local uint[8]
// EXPECT: out = i / 8 * 64 + 28
// RUN: sums global=64x2 local=32x1
// ARG: out uint[128]
// ARG: tile local uint[32]
// EXPECT: out = i % 64 / 32 * 1024 + 496
// RUN: ones_int global=128 local=64
// ARG: out int[128]
// ARG: tile local int[64]
// EXPECT: out = (i % 64 == 0 ? 64 : i % 64 < 2 ? 64 / 2 : i % 64 < 4 ? 64 / 4 : i % 64 < 8 ? 64 / 8 : i % 64 < 16 ? 64 / 16 : i % 64 < 32 ? 64 / 32 : i % 64 < 64 ? (64 + 63) / 64 : i % 64 < 128 ? (64 + 127) / 128 : 1)
// RUN: ones_uchar global=128 local=64
// ARG: out uchar[128]
// ARG: tile local uchar[64]
// EXPECT: out = (i % 64 == 0 ? 64 : i % 64 < 2 ? 64 / 2 : i % 64 < 4 ? 64 / 4 : i % 64 < 8 ? 64 / 8 : i % 64 < 16 ? 64 / 16 : i % 64 < 32 ? 64 / 32 : i % 64 < 64 ? (64 + 63) / 64 : i % 64 < 128 ? (64 + 127) / 128 : 1)
// RUN: ones_double global=64 local=32
// ARG: out double[64]
// ARG: tile local double[32]
// EXPECT: out = (i % 32 == 0 ? 32 : i % 32 < 2 ? 32 / 2 : i % 32 < 4 ? 32 / 4 : i % 32 < 8 ? 32 / 8 : i % 32 < 16 ? 32 / 16 : i % 32 < 32 ? 32 / 32 : i % 32 < 64 ? (32 + 63) / 64 : i % 32 < 128 ? (32 + 127) / 128 : 1)
// RUN: ones_ulong global=256 local=128
// ARG: out ulong[256]
// ARG: tile local ulong[128]
// EXPECT: out = (i % 128 == 0 ? 128 : i % 128 < 2 ? 128 / 2 : i % 128 < 4 ? 128 / 4 : i % 128 < 8 ? 128 / 8 : i % 128 < 16 ? 128 / 16 : i % 128 < 32 ? 128 / 32 : i % 128 < 64 ? (128 + 63) / 64 : i % 128 < 128 ? (128 + 127) / 128 : 1)
// RUN: ones_volatile global=128 local=64
// ARG: out int[128]
// ARG: tile local int[64]
// EXPECT: out = (i % 64 == 0 ? 64 : i % 64 < 2 ? 64 / 2 : i % 64 < 4 ? 64 / 4 : i % 64 < 8 ? 64 / 8 : i % 64 < 16 ? 64 / 16 : i % 64 < 32 ? 64 / 32 : i % 64 < 64 ? (64 + 63) / 64 : i % 64 < 128 ? (64 + 127) / 128 : 1)
// RUN: ones_atomic global=128 local=64
// ARG: out int[128]
// ARG: tile local int[64]
// EXPECT: out = (i % 64 == 0 ? 64 : i % 64 < 2 ? 64 / 2 : i % 64 < 4 ? 64 / 4 : i % 64 < 8 ? 64 / 8 : i % 64 < 16 ? 64 / 16 : i % 64 < 32 ? 64 / 32 : i % 64 < 64 ? (64 + 63) / 64 : i % 64 < 128 ? (64 + 127) / 128 : 1)
// RUN: ones_signed global=128 local=64
// ARG: out int[128]
// ARG: tile local int[64]
// EXPECT: out = (i % 64 == 0 ? 64 : i % 64 < 2 ? 64 / 2 : i % 64 < 4 ? 64 / 4 : i % 64 < 8 ? 64 / 8 : i % 64 < 16 ? 64 / 16 : i % 64 < 32 ? 64 / 32 : i % 64 < 64 ? (64 + 63) / 64 : i % 64 < 128 ? (64 + 127) / 128 : 1)
// RUN: odd global=96 local=48
// ARG: out uint[2]
// EXPECT: out = 32
// RUN: least global=128 local=64
// ARG: out int[4]
// EXPECT: out = i % 2 ? 37 - i / 2 : 0
// RUN: kept global=128 local=64
// ARG: out int[128]
// ARG: stop int = 0
// EXPECT: out = 63 * 1000 + 64
// RUN: kept global=128 local=64
// ARG: out int[128]
// ARG: stop int = 2
// EXPECT: out = 60 * 1000 + 16
// RUN: kept global=128 local=64
// ARG: out int[128]
// ARG: stop int = 16
// EXPECT: out = 32 * 1000 + 2
kernel void sums(global uint *out, local uint *tile)
{
    uint l = get_local_id(0);
    tile[l] = get_global_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint n = get_local_size(0) / 2; n > 0; n /= 2) {
        if (l < n)
            tile[l] += tile[l + n];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = tile[0];
}

// Every element is looked at afterwards.
#define ONES(name, type, step)                                            \
    kernel void name(global type *out, local type *tile)                  \
    {                                                                     \
        uint l = get_local_id(0);                                         \
        tile[l] = 1;                                                      \
        for (uint n = get_local_size(0) / 2; n > 0; n >>= 1) {            \
            barrier(CLK_LOCAL_MEM_FENCE);                                 \
            if (l < n)                                                    \
                step;                                                     \
        }                                                                 \
        barrier(CLK_LOCAL_MEM_FENCE);                                     \
        out[get_global_id(0)] = tile[l];                                  \
    }
ONES(ones_int, int, tile[l] += tile[l + n])
ONES(ones_uchar, uchar, tile[l] += tile[l + n])
ONES(ones_double, double, tile[l] += tile[l + n])
ONES(ones_ulong, ulong, tile[l] += tile[l + n])
ONES(ones_volatile, int, *(volatile local int *)&tile[l] += *(volatile local int *)&tile[l + n])
ONES(ones_atomic, int, atomic_add(&tile[l], tile[l + n]))

kernel void ones_signed(global int *out, local int *tile)
{
    int l = get_local_id(0);
    tile[l] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int n = (int)get_local_size(0) / 2; n >= 1; n /= 2) {
        if (l < n)
            tile[l] = tile[l] + tile[l + n];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = tile[l];
}

kernel void odd(global uint *out)
{
    local uint tile[48];
    uint l = get_local_id(0);
    tile[l] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint n = get_local_size(0) / 2; n > 0; n /= 2) {
        if (l < n)
            tile[l] += tile[l + n];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        out[get_group_id(0)] = tile[0];
}

kernel void least(global int *out)
{
    local int values[64];
    local short places[64];
    uint l = get_local_id(0);
    values[l] = abs((int)l - 37 + (int)get_group_id(0));
    places[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint n = get_local_size(0) / 2; n > 0; n /= 2) {
        if (l < n && values[l + n] < values[l]) {
            values[l] = values[l + n];
            places[l] = places[l + n];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l < 2)
        out[2 * get_group_id(0) + l] = l ? places[0] : values[0];
}

kernel void kept(global int *out, int stop)
{
    local int tile[64];
    int l = get_local_id(0), passed = 0;
    tile[l] = 1;
    for (int n = get_local_size(0) / 2; n > 0; n /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (n == stop)
            break;
        if (l < n)
            tile[l] += tile[l + n];
        passed += n;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = passed * 1000 + tile[0];
}
