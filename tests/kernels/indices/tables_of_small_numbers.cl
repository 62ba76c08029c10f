// SPDX-License-Identifier: MIT
// Tables of up to 256 bytes with an index of each work-item: of bytes and shorts, of lengths
// on either side of those that fill registers, beyond an offset, in two dimensions, under a
// condition.
// RUN: bytes global=150
// ARG: in int[150] = random(1, 0, 100000)
// ARG: out int[150]
// EXPECT: out = (in[i] % 33 * 37 + 11) % 256 * 3 + (in[i] % 64 * 37 + 11) % 256 * 5 + (in[i] % 65 * 37 + 11) % 256 * 7
// RUN: more_bytes global=150
// ARG: in int[150] = random(2, 0, 100000)
// ARG: out int[150]
// EXPECT: out = (in[i] % 128 * 37 + 11) % 256 * 3 + (in[i] % 129 * 37 + 11) % 256 * 5 + (in[i] % 256 * 37 + 11) % 256 * 7
// RUN: signed_bytes global=256
// ARG: in uchar[256] = i
// ARG: out int[256]
// EXPECT: out = (i * 37 + 11 + 128) % 256 - 128
// RUN: shorts global=150
// ARG: in int[150] = random(3, 0, 100000)
// ARG: out int[150]
// EXPECT: out = in[i] % 33 * 101 - 20000 + (in[i] % 64 * 101 - 20000) * 3 + (in[i] % 65 * 101 - 20000) * 5 + (in[i] % 128 * 101 - 20000) * 7
// RUN: beyond global=150
// ARG: in int[150] = random(4, 70000, 70100)
// ARG: out int[150]
// EXPECT: out = ((in[i] - 69990) * 37 + 11) % 256
// RUN: rows global=150
// ARG: in int[150] = random(5, 0, 100000)
// ARG: out int[150]
// EXPECT: out = (in[i] % 9 * 20 + in[i] % 20) * 101 - 20000
// RUN: some global=150
// ARG: in int[150] = random(6, -1000000000, 1000000000)
// ARG: out int[150]
// EXPECT: out = in[i] > 0 ? (in[i] % 256 * 37 + 11) % 256 : -1
// RUN: in_bytes global=300
// ARG: in uchar[300] = random(7, 0, 255)
// ARG: out uchar[300]
// EXPECT: out = (((in[i] * 37 + 11) % 256 * 37 + 11) % 256 * 37 + 11) % 256
#define B(i) (((i) * 37 + 11) & 255)
#define B4(i) B(i), B(i + 1), B(i + 2), B(i + 3)
#define B16(i) B4(i), B4(i + 4), B4(i + 8), B4(i + 12)
#define B64(i) B16(i), B16(i + 16), B16(i + 32), B16(i + 48)
#define S(i) ((i) * 101 - 20000)
#define S4(i) S(i), S(i + 1), S(i + 2), S(i + 3)
#define S16(i) S4(i), S4(i + 4), S4(i + 8), S4(i + 12)
#define S20(i) {S16(i), S4(i + 16)}

constant uchar b33[33] = {B16(0), B16(16), B(32)};
constant uchar b64[64] = {B64(0)};
constant uchar b65[65] = {B64(0), B(64)};
constant uchar b128[128] = {B64(0), B64(64)};
constant uchar b129[129] = {B64(0), B64(64), B(128)};
constant uchar b256[256] = {B64(0), B64(64), B64(128), B64(192)};
constant short s33[33] = {S16(0), S16(16), S(32)};
constant short s64[64] = {S16(0), S16(16), S16(32), S16(48)};
constant short s65[65] = {S16(0), S16(16), S16(32), S16(48), S(64)};
constant short s128[128] = {S16(0),  S16(16), S16(32), S16(48),
                            S16(64), S16(80), S16(96), S16(112)};
constant char c256[256] = {
#define C(i) (char)B(i)
#define C4(i) C(i), C(i + 1), C(i + 2), C(i + 3)
#define C16(i) C4(i), C4(i + 4), C4(i + 8), C4(i + 12)
#define C64(i) C16(i), C16(i + 16), C16(i + 32), C16(i + 48)
    C64(0), C64(64), C64(128), C64(192)};
constant short in_rows[9][20] = {S20(0),  S20(20),  S20(40),  S20(60), S20(80),
                                 S20(100), S20(120), S20(140), S20(160)};
constant short few_rows[6][20] = {S20(0), S20(20), S20(40), S20(60), S20(80), S20(100)};

kernel void bytes(global const int *in, global int *out)
{
    uint x = in[get_global_id(0)];
    out[get_global_id(0)] = b33[x % 33] * 3 + b64[x % 64] * 5 + b65[x % 65] * 7;
}

kernel void more_bytes(global const int *in, global int *out)
{
    uint x = in[get_global_id(0)];
    out[get_global_id(0)] = b128[x % 128] * 3 + b129[x % 129] * 5 + b256[x % 256] * 7;
}

kernel void signed_bytes(global const uchar *in, global int *out)
{
    out[get_global_id(0)] = c256[in[get_global_id(0)]];
}

kernel void shorts(global const int *in, global int *out)
{
    uint x = in[get_global_id(0)];
    out[get_global_id(0)] =
        s33[x % 33] + s64[x % 64] * 3 + s65[x % 65] * 5 + s128[x % 128] * 7;
}

kernel void beyond(global const int *in, global int *out)
{
    int x = in[get_global_id(0)];
    out[get_global_id(0)] = b128[x - 69990];
}

// One is too long, the other is not.
kernel void rows(global const int *in, global int *out)
{
    uint x = in[get_global_id(0)];
    short in_few = few_rows[x % 9 % 6][x % 20];
    short found = in_rows[x % 9][x % 20];
    out[get_global_id(0)] = x % 9 < 6 ? in_few : found;
}

// The others' indices are out of range.
kernel void some(global const int *in, global int *out)
{
    int x = in[get_global_id(0)];
    out[get_global_id(0)] = -1;
    if (x > 0)
        out[get_global_id(0)] = b256[x % 256];
}

kernel void in_bytes(global const uchar *in, global uchar *out)
{
    uchar x = in[get_global_id(0)];
    for (int k = 0; k < 3; k++)
        x = b256[x];
    out[get_global_id(0)] = x;
}
