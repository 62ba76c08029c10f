// SPDX-License-Identifier: MIT
// What lanes load beside each other overlaps: it may become shuffles, which touch nothing
// before the first of it and nothing behind the last.
// RUN: ahead global=192
// ARG: in int[194] = random(1, 0, 999)
// ARG: out int[192]
// EXPECT: out = in[i] + 3 * in[i + 1] + 7 * in[i + 2]
kernel void ahead(global const int *in, global int *out)
{
    int i = get_global_id(0);
    out[i] = in[i] + 3 * in[i + 1] + 7 * in[i + 2];
}

// RUN: both_sides global=192
// ARG: in float[202] = random(2, 0, 999)
// ARG: out float[192]
// EXPECT: out = in[i] + 2 * in[i + 3] + 4 * in[i + 5] + 8 * in[i + 6] + 16 * in[i + 10]
kernel void both_sides(global const float *in, global float *out)
{
    global const float *at = in + 5;
    int i = get_global_id(0);
    out[i] = at[i - 5] + 2 * at[i - 2] + 4 * at[i] + 8 * at[i + 1] + 16 * at[i + 5];
}

// RUN: not_the_middle global=192
// ARG: in int[208] = random(3, 0, 999)
// ARG: out int[192]
// EXPECT: out = in[i + 1] + 3 * in[i + 2] + 5 * in[i + 9] + 7 * in[i + 16]
kernel void not_the_middle(global const int *in, global int *out)
{
    int i = get_global_id(0);
    out[i] = in[i + 1] + 3 * in[i + 2] + 5 * in[i + 9] + 7 * in[i + 16];
}

// RUN: long_words global=192
// ARG: in long[195] = random(4, 0, 999)
// ARG: out long[192]
// EXPECT: out = in[i] + 3 * in[i + 1] + 7 * in[i + 3]
kernel void long_words(global const long *in, global long *out)
{
    int i = get_global_id(0);
    out[i] = in[i] + 3 * in[i + 1] + 7 * in[i + 3];
}

// RUN: short_words global=192
// ARG: in short[198] = random(5, 0, 99)
// ARG: out short[192]
// EXPECT: out = in[i] ^ in[i + 1] ^ in[i + 2] ^ in[i + 4] ^ in[i + 6]
kernel void short_words(global const short *in, global short *out)
{
    int i = get_global_id(0);
    out[i] = in[i] ^ in[i + 1] ^ in[i + 2] ^ in[i + 4] ^ in[i + 6];
}

// RUN: pixels global=192
// ARG: in uint[195] = random(6, 0, 99999)
// ARG: out uint[192]
// EXPECT: out = in[i] ^ in[i + 1] ^ in[i + 3]
kernel void pixels(global const uchar4 *in, global uchar4 *out)
{
    int i = get_global_id(0);
    out[i] = in[i] ^ in[i + 1] ^ in[i + 3];
}

// Loads behind the store find what it has written.
// RUN: shifted global=192
// ARG: in int[192] = random(7, 0, 999)
// ARG: out int[192]
// EXPECT: out = in[i] + 5
kernel void shifted(global const int *in, global int *out)
{
    int i = get_global_id(0);
    out[i] = in[i] + 2;
    out[i] += in[i] - in[i & ~0] + 3;
}

// None of them an even number of elements from where the item is.
// RUN: odd_shorts global=192 local=64
// ARG: in ushort[194] = random(6, 0, 999)
// ARG: out ushort[192]
// EXPECT: out = in[i] ^ in[i + 2]
kernel void odd_shorts(global const ushort *in, global ushort *out)
{
    global const ushort *at = in + 1;
    int i = get_global_id(0);
    out[i] = at[i - 1] ^ at[i + 1];
}

// RUN: odd_bytes global=192 local=64
// ARG: in uchar[202] = random(7, 0, 255)
// ARG: out uchar[192]
// EXPECT: out = in[i] ^ in[i + 4] ^ in[i + 8]
kernel void odd_bytes(global const uchar *in, global uchar *out)
{
    global const uchar *at = in + 3;
    int i = get_global_id(0);
    out[i] = at[i - 3] ^ at[i + 1] ^ at[i + 5];
}

// RUN: odd_places global=192 local=64 offset=1
// ARG: in ushort[196] = random(8, 0, 999)
// ARG: out ushort[193] = 0
// EXPECT: out = (i > 0 ? in[i - 1] ^ in[i + 1] ^ in[i + 3] : 0)
kernel void odd_places(global const ushort *in, global ushort *out)
{
    size_t i = get_global_id(0);
    out[i] = in[i - 1] ^ in[i + 1] ^ in[i + 3];
}
