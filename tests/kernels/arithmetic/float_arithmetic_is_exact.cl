// SPDX-License-Identifier: MIT
// Each operation rounds once; sqrt and division of -cl-fp32-correctly-rounded programs too.
// RUN: ops global=256
// ARG: a float[256] = random(25, 0.0, 1000.0)
// ARG: b float[256] = random(26, 1.0, 10.0)
// ARG: out float4[256]
// EXPECT: out ulp 3 = {a[i] + b[i], a[i] - b[i], a[i] * b[i], a[i] / b[i], ...}
// EXPECT: out where j == 3 || it == float(j == 0 ? a[i] + b[i] : j == 1 ? a[i] - b[i] : a[i] * b[i])
// RUN: fused global=256
// ARG: a float[256] = random(27, -2.0, 2.0)
// ARG: b float[256] = random(28, -2.0, 2.0)
// ARG: out float2[256]
// EXPECT: out ulp 3 = j == 0 ? fma(a[i], b[i], a[i]) : sqrt(abs(a[i]))
kernel void ops(global const float *a, global const float *b, global float4 *out)
{
    size_t i = get_global_id(0);
    out[i] = (float4)(a[i] + b[i], a[i] - b[i], a[i] * b[i], a[i] / b[i]);
}
kernel void fused(global const float *a, global const float *b, global float2 *out)
{
    size_t i = get_global_id(0);
    out[i] = (float2)(fma(a[i], b[i], a[i]), sqrt(fabs(a[i])));
}
