// SPDX-License-Identifier: MIT
// RUN: ops global=6
// ARG: x float[6] = {nan, infinity, -infinity, 0, -1, 3.5}
// ARG: out float4[6]
// EXPECT: out = {nan, nan, nan, nan, infinity, nan, infinity, 0, -infinity, nan, infinity, 0, 0, 0, 0, infinity, -1, 0, 1, -1, 3.5, 0, 3.5, float(1 / 3.5)}
// RUN: tests global=6
// ARG: x float[6] = {nan, infinity, -infinity, 0, -1, 3.5}
// ARG: out int4[6]
// EXPECT: out = {1, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 1, 0}
kernel void ops(global const float *x, global float4 *out)
{
    float f = x[get_global_id(0)];
    out[get_global_id(0)] = (float4)(f + 0.0f, f - f, fabs(f), 1.0f / f);
}
kernel void tests(global const float *x, global int4 *out)
{
    float f = x[get_global_id(0)];
    out[get_global_id(0)] = (int4)(isnan(f), isinf(f), isfinite(f), f < 0.0f);
}
