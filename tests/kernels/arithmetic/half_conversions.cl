// SPDX-License-Identifier: MIT
// SKIP: unless extension cl_khr_fp16
// RUN: modes global=128
// ARG: in double[128] = random(81, -2.0, 2.0) * (i % 4 ? 1 : 40000)
// ARG: out half4[128]
// ARG: nearest half[128]
// EXPECT: out where j != 0 || abs(it) <= abs(in[i])
// EXPECT: out where j != 1 || it >= in[i]
// EXPECT: out where j != 2 || it <= in[i]
// EXPECT: out where abs(in[i]) > 65504 || it == half(it) && abs(it - in[i]) <= abs(in[i]) * 0x1p-10
// EXPECT: out where abs(in[i]) <= 65504 || abs(it) == 65504 || abs(it) == infinity
// EXPECT: out where j != 3 || it == half(in[i])
// EXPECT: nearest = in[i]
// RUN: once global=8
// ARG: in double[8] = (i & 1 ? -1 : 1) * (1 + 0x1p-11 + (i & 2 ? 0x1p-40 : -0x1p-40)) * (i & 4 ? 0x1p-12 : 1)
// ARG: out half2[8]
// EXPECT: out = (i & 1 ? -1 : 1) * (i & 2 ? 1 + 0x1p-10 : 1) * (i & 4 ? 0x1p-12 : 1)
// RUN: integers global=64
// ARG: in long[64] = i < 32 ? random(82, -70000, 70000) : random(83, -3000, 3000)
// ARG: out half4[64]
// ARG: back int4[64]
// EXPECT: out where j != 0 || it == half(in[i])
// EXPECT: out where j != 1 || (abs(it) <= abs(in[i]) && abs(it) < 65505)
// EXPECT: out where j != 2 || it >= in[i]
// EXPECT: out where j != 3 || it <= in[i]
// EXPECT: back where j > 1 || abs(in[i]) > 2048 || it == in[i]
// EXPECT: back where j != 2 || it == max(-128, min(127, in[i]))
// EXPECT: back where j != 3 || it == max(0, min(65535, rint(half(in[i]) / 2)))
kernel void modes(global const double *in, global half4 *out, global half *nearest)
{
    size_t i = get_global_id(0);
    out[i] = (half4)(convert_half_rtz(in[i]), convert_half_rtp(in[i]),
                     convert_half_rtn(in[i]), convert_half_rte(in[i]));
    nearest[i] = convert_half(in[i]);
}
// Not by way of float, where these become the middle between two halves.
kernel void once(global const double *in, global half2 *out)
{
    size_t i = get_global_id(0);
    out[i] = (half2)(convert_half(in[i]), (half)in[i]);
}
kernel void integers(global const long *in, global half4 *out, global int4 *back)
{
    size_t i = get_global_id(0);
    half4 h = (half4)(convert_half(in[i]), convert_half_rtz(in[i]), convert_half_rtp(in[i]),
                      convert_half_rtn(in[i]));
    out[i] = h;
    back[i] = (int4)((int)(half)in[i], convert_int_rtn(h.w), convert_char_sat(h.x),
                     convert_ushort_sat_rte(h.x / 2));
}
