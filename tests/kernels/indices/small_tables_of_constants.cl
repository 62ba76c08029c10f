// SPDX-License-Identifier: MIT
// Tables that fit in registers, with an index of each work-item: of all sizes and types.
// RUN: words global=150
// ARG: in int[150] = random(1, 0, 10000)
// ARG: out int[150]
// EXPECT: out = (in[i] % 8) * 3 - 10 + (in[i] % 16) * (in[i] % 16) + (in[i] % 32) * 1000000
// RUN: small global=150
// ARG: in int[150] = random(2, 0, 10000)
// ARG: out int[150]
// EXPECT: out = 255 - in[i] % 5 + (in[i] % 16 - 8) * 4000 - 1
// RUN: reals global=150
// ARG: in int[150] = random(3, 0, 10000)
// ARG: out float[150]
// EXPECT: out = (in[i] % 4) * 0.5 + (in[i] % 3) * 8
// RUN: some global=150
// ARG: in int[150] = random(4, -1000000000, 1000000000)
// ARG: out int[150]
// EXPECT: out = in[i] > 0 ? (in[i] % 8) * 3 - 10 : -1
constant int eight[8] = {-10, -7, -4, -1, 2, 5, 8, 11};
constant int sixteen[16] = {0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121, 144, 169, 196, 225};
constant int more[32] = {
    0,        1000000,  2000000,  3000000,  4000000,  5000000,  6000000,  7000000,
    8000000,  9000000,  10000000, 11000000, 12000000, 13000000, 14000000, 15000000,
    16000000, 17000000, 18000000, 19000000, 20000000, 21000000, 22000000, 23000000,
    24000000, 25000000, 26000000, 27000000, 28000000, 29000000, 30000000, 31000000};
constant uchar bytes[5] = {255, 254, 253, 252, 251};
constant short shorts[16] = {-32001, -28001, -24001, -20001, -16001, -12001, -8001, -4001,
                             -1,     3999,   7999,   11999,  15999,  19999,  23999, 27999};
constant float reals_of[4][3] = {{0, 8, 16}, {.5f, 8.5f, 16.5f}, {1, 9, 17}, {1.5f, 9.5f, 17.5f}};

kernel void words(global const int *in, global int *out)
{
    int x = in[get_global_id(0)];
    out[get_global_id(0)] = eight[x % 8] + sixteen[x % 16] + more[x % 32];
}

kernel void small(global const int *in, global int *out)
{
    uint x = in[get_global_id(0)];
    out[get_global_id(0)] = bytes[x % 5] + shorts[x & 15];
}

kernel void reals(global const int *in, global float *out)
{
    int x = in[get_global_id(0)];
    out[get_global_id(0)] = reals_of[x % 4][x % 3];
}

// The others' indices are out of range.
kernel void some(global const int *in, global int *out)
{
    int x = in[get_global_id(0)];
    out[get_global_id(0)] = -1;
    if (x > 0)
        out[get_global_id(0)] = eight[x % 8];
}
