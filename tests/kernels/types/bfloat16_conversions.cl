// SPDX-License-Identifier: MIT
// SKIP: unless extension cl_intel_bfloat16_conversions
// The upper half of a float, to the nearest, ties to even; with lanes, by a hint.
// RUN: there global=64
// ARG: in float[64] = random(71, -1e9, 1e9)
// ARG: out ushort[64]
// ARG: back float[64]
// EXPECT: back where it >= min(in[i] * 255 / 256, in[i] * 257 / 256) && it <= max(in[i] * 255 / 256, in[i] * 257 / 256)
// RUN: ties global=1
// ARG: out ushort4[2]
// EXPECT: out = {0x3f80, 0x3f82, 0xff80, 0x7fc0, 0x8000, 2, 0x7f80, 0x477f}
#pragma OPENCL EXTENSION cl_intel_bfloat16_conversions : enable
#pragma OPENCL EXTENSION cl_intel_vec_len_hint : enable

__attribute__((intel_vec_len_hint(8))) kernel void there(global const float *in,
                                                         global ushort *out,
                                                         global float *back)
{
    size_t i = get_global_id(0);

    out[i] = intel_convert_bfloat16_as_ushort(in[i]);
    back[i] = intel_convert_as_bfloat16_float(out[i]);
}
kernel void ties(global ushort4 *out)
{
    out[0] = intel_convert_bfloat164_as_ushort4(
        (float4)(1.00390625f, 1.01171875f, -3.4e38f, NAN));
    out[1] = intel_convert_bfloat164_as_ushort4(
        (float4)(-0.0f, as_float(0x18000), INFINITY, 65280.0f));
}
