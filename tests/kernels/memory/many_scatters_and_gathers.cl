// SPDX-License-Identifier: MIT
// So many that lanes take turns in loops where processors have no instructions for them.
// RUN: scatters global=64
// ARG: out int[4544] = 0
// EXPECT: out = i < 4480 && ((i / 70 * 45 % 64) >> (i % 70 % 6) & 1) ? i / 70 * 45 % 64 + i % 70 : 0
// RUN: scatters global=13
// ARG: out int[4544] = 0
// EXPECT: out = i < 4480 && i / 70 * 45 % 64 < 13 && ((i / 70 * 45 % 64) >> (i % 70 % 6) & 1) ? i / 70 * 45 % 64 + i % 70 : 0
// RUN: gathers global=67
// ARG: in int[128] = i * 3
// ARG: out int[67]
// EXPECT: out = sum(k, 0, 70, (i >> (k % 6) & 1) ? in[(i * 37 + k * k) % 128] : 0)
// RUN: bytes global=35
// ARG: in uchar[128] = i * 7 % 128
// ARG: out uint[35]
// EXPECT: out = sum(k, 0, 70, (i >> (k % 6) & 1) ? in[(i * 37 + k * k) % 128] : 0)
#define TEN(S, k)                                                                   \
    S(k) S(k + 1) S(k + 2) S(k + 3) S(k + 4) S(k + 5) S(k + 6) S(k + 7) S(k + 8) S(k + 9)
#define SEVENTY(S) \
    TEN(S, 0) TEN(S, 10) TEN(S, 20) TEN(S, 30) TEN(S, 40) TEN(S, 50) TEN(S, 60)
#define SET(k)                       \
    if (i >> ((k) % 6) & 1)          \
        out[p * 70 + (k)] = i + (k);
#define GET(k)              \
    if (i >> ((k) % 6) & 1) \
        sum += in[(i * 37 + (k) * (k)) % 128];

kernel void scatters(global int *out)
{
    int i = get_global_id(0), p = i * 37 % 64;
    SEVENTY(SET)
}

kernel void gathers(global const int *in, global int *out)
{
    int i = get_global_id(0), sum = 0;
    SEVENTY(GET)
    out[i] = sum;
}

kernel void bytes(global const uchar *in, global uint *out)
{
    uint i = get_global_id(0), sum = 0;
    SEVENTY(GET)
    out[i] = sum;
}
