// SPDX-License-Identifier: MIT
// 2 * i - (i & (d - 1)): the lower halves of blocks of 2 * d, as in sorting networks. Where blocks are
// small a gang passes several; what its items own rises from lane to lane all the same. Blocks that begin
// somewhere in a line of the cache, the last gang of fewer items, and exchanges in some lanes only.
// RUN: exchange global=496
// ARG: data int[1100] = i * 37 % 101
// ARG: d uint = 1
// ARG: at int = 0
// EXPECT: data = i < 0 || i >= 992 ? i * 37 % 101 : (i - 0) / 1 % 2 ? (i * 37 % 101 > (i - 1) * 37 % 101 ? i * 37 % 101 : (i - 1) * 37 % 101) : (i * 37 % 101 < (i + 1) * 37 % 101 ? i * 37 % 101 : (i + 1) * 37 % 101)
// RUN: exchange global=496
// ARG: data int[1100] = i * 37 % 101
// ARG: d uint = 2
// ARG: at int = 0
// EXPECT: data = i < 0 || i >= 992 ? i * 37 % 101 : (i - 0) / 2 % 2 ? (i * 37 % 101 > (i - 2) * 37 % 101 ? i * 37 % 101 : (i - 2) * 37 % 101) : (i * 37 % 101 < (i + 2) * 37 % 101 ? i * 37 % 101 : (i + 2) * 37 % 101)
// RUN: exchange global=496
// ARG: data int[1100] = i * 37 % 101
// ARG: d uint = 4
// ARG: at int = 16
// EXPECT: data = i < 16 || i >= 1008 ? i * 37 % 101 : (i - 16) / 4 % 2 ? (i * 37 % 101 > (i - 4) * 37 % 101 ? i * 37 % 101 : (i - 4) * 37 % 101) : (i * 37 % 101 < (i + 4) * 37 % 101 ? i * 37 % 101 : (i + 4) * 37 % 101)
// RUN: exchange global=496
// ARG: data int[1100] = i * 37 % 101
// ARG: d uint = 8
// ARG: at int = 0
// EXPECT: data = i < 0 || i >= 992 ? i * 37 % 101 : (i - 0) / 8 % 2 ? (i * 37 % 101 > (i - 8) * 37 % 101 ? i * 37 % 101 : (i - 8) * 37 % 101) : (i * 37 % 101 < (i + 8) * 37 % 101 ? i * 37 % 101 : (i + 8) * 37 % 101)
// RUN: exchange global=496
// ARG: data int[1100] = i * 37 % 101
// ARG: d uint = 16
// ARG: at int = 0
// EXPECT: data = i < 0 || i >= 992 ? i * 37 % 101 : (i - 0) / 16 % 2 ? (i * 37 % 101 > (i - 16) * 37 % 101 ? i * 37 % 101 : (i - 16) * 37 % 101) : (i * 37 % 101 < (i + 16) * 37 % 101 ? i * 37 % 101 : (i + 16) * 37 % 101)
// RUN: exchange global=480
// ARG: data int[1100] = i * 37 % 101
// ARG: d uint = 32
// ARG: at int = 0
// EXPECT: data = i < 0 || i >= 960 ? i * 37 % 101 : (i - 0) / 32 % 2 ? (i * 37 % 101 > (i - 32) * 37 % 101 ? i * 37 % 101 : (i - 32) * 37 % 101) : (i * 37 % 101 < (i + 32) * 37 % 101 ? i * 37 % 101 : (i + 32) * 37 % 101)
// RUN: exchange global=496
// ARG: data int[1100] = i * 37 % 101
// ARG: d uint = 1
// ARG: at int = 5
// EXPECT: data = i < 5 || i >= 997 ? i * 37 % 101 : (i - 5) / 1 % 2 ? (i * 37 % 101 > (i - 1) * 37 % 101 ? i * 37 % 101 : (i - 1) * 37 % 101) : (i * 37 % 101 < (i + 1) * 37 % 101 ? i * 37 % 101 : (i + 1) * 37 % 101)
// RUN: exchange global=496
// ARG: data int[1100] = i * 37 % 101
// ARG: d uint = 8
// ARG: at int = 7
// EXPECT: data = i < 7 || i >= 999 ? i * 37 % 101 : (i - 7) / 8 % 2 ? (i * 37 % 101 > (i - 8) * 37 % 101 ? i * 37 % 101 : (i - 8) * 37 % 101) : (i * 37 % 101 < (i + 8) * 37 % 101 ? i * 37 % 101 : (i + 8) * 37 % 101)
// RUN: exchange global=512
// ARG: data int[1100] = i * 37 % 101
// ARG: d uint = 16
// ARG: at int = 9
// EXPECT: data = i < 9 || i >= 1033 ? i * 37 % 101 : (i - 9) / 16 % 2 ? (i * 37 % 101 > (i - 16) * 37 % 101 ? i * 37 % 101 : (i - 16) * 37 % 101) : (i * 37 % 101 < (i + 16) * 37 % 101 ? i * 37 % 101 : (i + 16) * 37 % 101)
// RUN: exchange global=5
// ARG: data int[1100] = i * 37 % 101
// ARG: d uint = 1
// ARG: at int = 0
// EXPECT: data = i < 0 || i >= 10 ? i * 37 % 101 : (i - 0) / 1 % 2 ? (i * 37 % 101 > (i - 1) * 37 % 101 ? i * 37 % 101 : (i - 1) * 37 % 101) : (i * 37 % 101 < (i + 1) * 37 % 101 ? i * 37 % 101 : (i + 1) * 37 % 101)
kernel void exchange(global int *data, uint d, int at)
{
    size_t i = get_global_id(0), low = 2 * i - (i & (d - 1)) + at, high = low + d;
    int a = data[low], b = data[high];
    if (a > b) {
        data[low] = b;
        data[high] = a;
    }
}

// Rests of numbers that are no powers of two, and a store by itself.
// RUN: rests global=205
// ARG: in float[512] = i
// ARG: out float[1024] = -1
// ARG: n uint = 5
// EXPECT: out = i % 8 < 5 && i / 8 * 5 + i % 8 < 205 ? i / 8 * 8 + i % 8 : -1
kernel void rests(global const float *in, global float *out, uint n)
{
    uint i = get_global_id(0), rest = i % n;
    uint at = i - rest + rest + (i / n) * 3;
    out[at] = in[at];
}
