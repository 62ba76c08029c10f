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
// RUN: doubles global=150
// ARG: in int[150] = random(5, 0, 10000)
// ARG: out double[150]
// EXPECT: out = (in[i] % 5) * 0.25 - (in[i] % 7) * 2 + (in[i] % 16) * (in[i] % 16)
// RUN: longs global=150
// ARG: in int[150] = random(6, 0, 10000)
// ARG: out long[150]
// EXPECT: out = (in[i] % 8 - 4) * 10000000000 + (in[i] % 20) * 7 + (in[i] % 32) * (in[i] % 32) * 1000000
// RUN: some_longs global=150
// ARG: in int[150] = random(7, -1000000000, 1000000000)
// ARG: out long[150]
// EXPECT: out = in[i] > 0 ? (in[i] % 8 - 4) * 10000000000 : -1
// RUN: from_afar global=150
// ARG: in long[150] = 4294967296 + i % 16
// ARG: out int[150] = 0
// EXPECT: out = 2 * ((i % 16) * (i % 16))
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

constant double five[5] = {0, .25, .5, .75, 1};
constant double seven[7] = {0, -2, -4, -6, -8, -10, -12};
constant double squares[16] = {0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121, 144, 169, 196, 225};
constant long far[8] = {-40000000000, -30000000000, -20000000000, -10000000000,
                        0,            10000000000,  20000000000,  30000000000};
constant long twenty[20] = {0,  7,  14, 21, 28, 35,  42,  49,  56,  63,
                            70, 77, 84, 91, 98, 105, 112, 119, 126, 133};
constant long large[32] = {
    0,         1000000,   4000000,   9000000,   16000000,  25000000,  36000000,  49000000,
    64000000,  81000000,  100000000, 121000000, 144000000, 169000000, 196000000, 225000000,
    256000000, 289000000, 324000000, 361000000, 400000000, 441000000, 484000000, 529000000,
    576000000, 625000000, 676000000, 729000000, 784000000, 841000000, 900000000, 961000000};

kernel void doubles(global const int *in, global double *out)
{
    int x = in[get_global_id(0)];
    out[get_global_id(0)] = five[x % 5] + seven[x % 7] + squares[x & 15];
}

kernel void longs(global const int *in, global long *out)
{
    int x = in[get_global_id(0)];
    out[get_global_id(0)] = far[x & 7] + twenty[x % 20] + large[x % 32];
}

kernel void some_longs(global const int *in, global long *out)
{
    int x = in[get_global_id(0)];
    out[get_global_id(0)] = -1;
    if (x > 0)
        out[get_global_id(0)] = far[x % 8];
}

constant int whole_squares[16] = {0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121, 144, 169, 196, 225};

// What is taken from the index does not fit in 32 bits.
kernel void from_afar(global const long *in, global int *out)
{
    long x = in[get_global_id(0)];
    out[get_global_id(0)] = whole_squares[x - 4294967296] + (int)squares[x - 4294967296];
}
