// SPDX-License-Identifier: MIT
// SKIP: unless extension cl_khr_fp16
// RUN: ops global=256
// ARG: a half[256] = random(61, -300.0, 300.0)
// ARG: b half[256] = random(62, -20.0, 20.0)
// ARG: out half4[256]
// EXPECT: out = {a[i] + b[i], a[i] - b[i], a[i] * b[i], a[i] / b[i], ...}
// RUN: twice global=256
// ARG: a half[256] = random(63, -40.0, 40.0)
// ARG: b half[256] = random(64, -40.0, 40.0)
// ARG: c half[256] = random(65, -40.0, 40.0)
// ARG: out half2[256]
// EXPECT: out = {half(half(a[i] * b[i]) + c[i]), half(half(a[i] + b[i]) / c[i]), ...}
// RUN: fused global=256
// ARG: a half[256] = random(66, -40.0, 40.0)
// ARG: b half[256] = random(67, -40.0, 40.0)
// ARG: c half[256] = random(68, -4.0, 4.0)
// ARG: out half[256]
// EXPECT: out = a[i] * b[i] + c[i]
// RUN: vectors global=64
// ARG: a half8[64] = random(69, -300.0, 300.0)
// ARG: s half = 0.333
// ARG: out half8[64]
// EXPECT: out = half(a[i] * s) - a[0]
// RUN: small global=64
// ARG: a half[64] = 0x1p-24 * i
// ARG: out half4[64]
// EXPECT: out = {a[i] + 0x1p-24, a[i] * 0.5, a[i] * 1024, (i << 11) * 32, ...}
#pragma OPENCL FP_CONTRACT OFF
kernel void ops(global const half *a, global const half *b, global half4 *out)
{
    size_t i = get_global_id(0);
    out[i] = (half4)(a[i] + b[i], a[i] - b[i], a[i] * b[i], a[i] / b[i]);
}
kernel void twice(global const half *a, global const half *b, global const half *c,
                  global half2 *out)
{
    size_t i = get_global_id(0);
    out[i] = (half2)(a[i] * b[i] + c[i], (a[i] + b[i]) / c[i]);
}
kernel void fused(global const half *a, global const half *b, global const half *c,
                  global half *out)
{
    size_t i = get_global_id(0);
    out[i] = fma(a[i], b[i], c[i]);
}
kernel void vectors(global const half8 *a, half s, global half8 *out)
{
    size_t i = get_global_id(0);
    out[i] = a[i] * s - a[0];
}
// Subnormal numbers stay; what is too large becomes infinity.
kernel void small(global const half *a, global half4 *out)
{
    size_t i = get_global_id(0);
    out[i] = (half4)(a[i] + 0x1p-24h, a[i] * 0.5h, a[i] * 1024, convert_half(i << 11) * 32);
}
