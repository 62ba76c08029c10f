// SPDX-License-Identifier: MIT
// SKIP: unless extension cl_khr_fp16
// Half in structs, local memory and arguments, through conditions and loops; its bits.
// RUN: copies global=64 local=16
// ARG: in half[64] = i * 0.25 - 3
// ARG: shared local half[16]
// ARG: out half[64]
// ARG: pairs struct{half,short,half4}[64]
// EXPECT: out = in[i - i % 16 + 15 - i % 16] * 2
// EXPECT: pairs = {in[i], i, in[i] + 1, in[i] + 2, in[i] + 3, in[i] + 4, ...}
// RUN: loops global=64
// ARG: in half[64] = random(71, 1.0, 8.0)
// ARG: limit half = 100
// ARG: out half[64]
// EXPECT: out where it >= 100 && it < 200 && fmod(log2(it / in[i]), 1) == 0
// RUN: bits global=64
// ARG: in half[64] = i < 32 ? 1 << i % 16 : -1.5
// ARG: out ushort[64]
// ARG: back half2[64]
// EXPECT: out = i < 32 ? (i % 16 + 15) << 10 : 48640
// EXPECT: back = j == 0 ? 1.0 : -2.0
// RUN: constants global=1
// ARG: out half[10]
// EXPECT: out = {65504, 0x1p-14, 0x1p-10, 3.140625, 2.71875, 1.4140625, infinity, nan, 11, -13}
typedef struct {
    half first;
    short number;
    half4 rest;
} pair;

kernel void copies(global const half *in, local half *shared, global half *out,
                   global pair *pairs)
{
    size_t i = get_global_id(0), l = get_local_id(0);
    pair p = {in[i], (short)i, in[i] + (half4)(1, 2, 3, 4)};

    shared[l] = in[i] + in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = shared[get_local_size(0) - 1 - l];
    pairs[i] = p;
}
kernel void loops(global const half *in, half limit, global half *out)
{
    size_t i = get_global_id(0);
    half x = in[i];

    while (x < limit)
        x *= 2.0h;
    out[i] = x;
}
kernel void bits(global const half *in, global ushort *out, global half2 *back)
{
    size_t i = get_global_id(0);

    out[i] = as_ushort(in[i]);
    back[i] = as_half2((ushort2)(0x3c00, 0xc000));
}
kernel void constants(global half *out)
{
    out[0] = HALF_MAX;
    out[1] = HALF_MIN;
    out[2] = HALF_EPSILON;
    out[3] = M_PI_H;
    out[4] = M_E_H;
    out[5] = M_SQRT2_H;
    out[6] = HALF_MAX * 2;
    out[7] = nan((ushort)1);
    out[8] = HALF_MANT_DIG;
    out[9] = HALF_MIN_EXP;
}
