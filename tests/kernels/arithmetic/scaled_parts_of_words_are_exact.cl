// SPDX-License-Identifier: MIT
// Numbers in the bits of words, as floats and times a constant: each product is rounded once, however
// lanes come to it, and wherever the number lies in its word.
// RUN: eights global=4096
// ARG: w uint[4096] = i < 256 ? i * 0x01010101 : random(31, 0, 4294967295)
// ARG: low float4[4096]
// EXPECT: low = float((w[i] >> 8 * j & 255) * float(1.0 / 255))
// RUN: unequal global=65536
// ARG: w uint[65536] = i * 0x00010001 + (i << 7)
// ARG: tens float4[65536]
// ARG: sixteens float2[65536]
// EXPECT: tens = float((w[i] >> 10 * j & (j == 3 ? 3 : 1023)) * (j == 3 ? float(1.0 / 3) : float(1.0 / 1023)))
// EXPECT: sixteens = float((w[i] >> 16 * j & 65535) * float(1.0 / 65535))
// RUN: odd global=4096
// ARG: w uint[4096] = random(32, 0, 4294967295)
// ARG: o float4[4096]
// EXPECT: o[0..4095] = float(j == 0 ? (w[i] & 0x7fffff) * float(-0.3) : j == 1 ? (w[i] >> 9) * float(1e30) : j == 2 ? (w[i] & 0x7fff0000) * float(1e-20) : (w[i] >> 31) * float(7.1))
// RUN: large global=4096
// ARG: w uint[4096] = random(33, 0, 4294967295)
// ARG: o float4[4096]
// EXPECT: o = float(j == 0 ? float(w[i] & 0x7fffffff) * float(1.3) : j == 1 ? float(w[i] >> 5) * float(1.3) : j == 2 ? float(int(w[i] & 0xff000000)) * float(1.3) : (w[i] & 255) * float(1e-40))
// RUN: summed global=4096
// ARG: w uint[4096] = random(34, 0, 4294967295)
// ARG: o float[4096]
// EXPECT: o = float(float((w[i] & 255) * float(1.0 / 255)) + float((w[i] >> 24) * float(1.0 / 255)))
// RUN: negative global=256
// ARG: w uint[256] = i * 0x00010000
// ARG: bits uint2[256]
// EXPECT: bits where j == 0 ? it == 0x80000000 : i == 0 ? it == 0x80000000 : it > 0x80000000
kernel void eights(global const uint *w, global float4 *low)
{
    size_t i = get_global_id(0);
    uint n = w[i];
    low[i] = (float4)(n & 255, n >> 8 & 255, n >> 16 & 255, n >> 24) * (1 / 255.0f);
}
kernel void unequal(global const uint *w, global float4 *tens, global float2 *sixteens)
{
    size_t i = get_global_id(0);
    uint n = w[i];
    tens[i] = (float4)(n & 1023, n >> 10 & 1023, n >> 20 & 1023, n >> 30) *
              (float4)(1 / 1023.0f, 1 / 1023.0f, 1 / 1023.0f, 1 / 3.0f);
    sixteens[i] = (float2)(n & 65535, n >> 16) * (1 / 65535.0f);
}
kernel void odd(global const uint *w, global float4 *o)
{
    size_t i = get_global_id(0);
    uint n = w[i];
    o[i] = (float4)((n & 0x7fffff) * -0.3f, (n >> 9) * 1e30f, (n & 0x7fff0000) * 1e-20f,
                    (n >> 31) * 7.1f);
}
kernel void large(global const uint *w, global float4 *o)
{
    size_t i = get_global_id(0);
    uint n = w[i];
    o[i] = (float4)((n & 0x7fffffff) * 1.3f, (n >> 5) * 1.3f, (int)(n & 0xff000000) * 1.3f,
                    (n & 255) * 1e-40f);
}
// Each product is rounded before the sum.
kernel void summed(global const uint *w, global float *o)
{
#pragma OPENCL FP_CONTRACT OFF
    size_t i = get_global_id(0);
    uint n = w[i];
    o[i] = (n & 255) * (1 / 255.0f) + (n >> 24) * (1 / 255.0f);
}
// Nothing times a negative number is the negative zero.
kernel void negative(global const uint *w, global uint2 *bits)
{
    size_t i = get_global_id(0);
    uint n = w[i];
    bits[i] = as_uint2((float2)((n & 255) * -0.5f, (n >> 16 & 255) * -(1 / 255.0f)));
}
