// SPDX-License-Identifier: MIT
// i & m, i % n and i / n as indices. A gang in which one passes a multiple of n, or wraps, is
// not like the others; the first ids come in an order that wraps in the middle of a gang.
// RUN: bits global=1000
// ARG: in int[1024] = 7 * i
// ARG: out int[1000] = 0
// ARG: mask uint = 127
// ARG: first uint = 4294966900
// EXPECT: out = 7 * ((4294966900 + i) % 4294967296 % 128) + 7 * (i % 128)
// RUN: bits global=1000
// ARG: in int[1024] = 7 * i
// ARG: out int[1000] = 0
// ARG: mask uint = 31
// ARG: first uint = 5
// EXPECT: out = 7 * ((5 + i) % 32) + 7 * (i % 32)
// RUN: bits global=1000
// ARG: in int[1024] = 7 * i
// ARG: out int[1000] = 0
// ARG: mask uint = 512
// ARG: first uint = 505
// EXPECT: out = 7 * ((505 + i) / 512 % 2 * 512) + 7 * (i / 512 % 2 * 512)
// RUN: bits global=1000
// ARG: in int[1024] = 7 * i
// ARG: out int[1000] = 0
// ARG: mask uint = 0
// ARG: first uint = 0
// EXPECT: out = 0
// RUN: bits global=1000 offset=3
// ARG: in int[1024] = 7 * i
// ARG: out int[1000] = 0
// ARG: mask uint = 959
// ARG: first uint = 0
// EXPECT: out = 14 * ((i + 3) % 64 + (i + 3) / 128 * 128)
kernel void bits(global const int *in, global int *out, uint mask, uint first)
{
    size_t i = get_global_id(0);
    uint x = (uint)i + first;
    out[i - get_global_offset(0)] = in[x & mask] + in[i & mask];
}

// RUN: rests global=1000
// ARG: in int[1024] = 7 * i
// ARG: out int[1000] = 0
// ARG: n uint = 100
// ARG: first uint = 4294966900
// EXPECT: out = 7 * ((4294966900 + i) % 4294967296 % 100) + 7 * (i % 100) + 1000 * (i / 100)
// RUN: rests global=1000
// ARG: in int[1024] = 7 * i
// ARG: out int[1000] = 0
// ARG: n uint = 1
// ARG: first uint = 4294967295
// EXPECT: out = 1000 * i
// RUN: rests global=1000 offset=77
// ARG: in int[1024] = 7 * i
// ARG: out int[1000] = 0
// ARG: n uint = 33
// ARG: first uint = 0
// EXPECT: out = 14 * ((77 + i) % 33) + 1000 * ((77 + i) / 33)
// RUN: rests global=1000
// ARG: in int[1024] = 7 * i
// ARG: out int[1000] = 0
// ARG: n uint = 1024
// ARG: first uint = 0
// EXPECT: out = 14 * i
kernel void rests(global const int *in, global int *out, uint n, uint first)
{
    size_t i = get_global_id(0);
    uint x = (uint)i + first;
    out[i - get_global_offset(0)] = in[x % n] + in[i % n] + in[i / n] / 7 * 1000;
}

// The quotient of a number just below 2^32 by one just above 2^31: the next multiple is past 2^32.
// RUN: large global=64
// ARG: in int[16] = 1 + i
// ARG: out int[64] = 0
// ARG: n uint = 2147483653
// ARG: first uint = 4294967264
// EXPECT: out = i < 32 ? 2 : 1
kernel void large(global const int *in, global int *out, uint n, uint first)
{
    uint i = get_global_id(0), x = i + first;
    out[i] = in[x / n];
}

// RUN: signs global=1000
// ARG: in int[2048] = i - 1024
// ARG: out int[1000] = 0
// ARG: n int = 100
// ARG: first int = -500
// EXPECT: out = i < 500 ? -((500 - i) % 100) - (500 - i) / 100 : (i - 500) % 100 + (i - 500) / 100
// RUN: signs global=1000
// ARG: in int[2048] = i - 1024
// ARG: out int[1000] = 0
// ARG: n int = -100
// ARG: first int = -500
// EXPECT: out = i < 500 ? -((500 - i) % 100) + (500 - i) / 100 : (i - 500) % 100 - (i - 500) / 100
// RUN: signs global=1000
// ARG: in int[2048] = i - 1024
// ARG: out int[1000] = 0
// ARG: n int = 64
// ARG: first int = 0
// EXPECT: out = i % 64 + i / 64
kernel void signs(global const int *in, global int *out, int n, int first)
{
    int i = get_global_id(0), x = i + first;
    out[i] = in[1024 + x % n] + in[1024 + x / n];
}

// A plane of three dimensions in one, and constants.
// RUN: planes global=6000
// ARG: in int[6000] = i
// ARG: out int[6000] = 0
// ARG: width uint = 100
// ARG: height uint = 20
// EXPECT: out = i % 100 + 100 * (i / 100 % 20) + 2000 * (i / 2000) + i % 320 + i / 320
kernel void planes(global const int *in, global int *out, uint width, uint height)
{
    uint i = get_global_id(0), x = i % width, y = i / width % height, z = i / width / height;
    out[i] = in[(z * height + y) * width + x] + in[i % 320] + in[i / 320];
}
