// SPDX-License-Identifier: MIT
// One call makes both: small and large values, quarter turns, zeros and what has no sine.
// RUN: floats global=80
// ARG: x float[80] = i < 64 ? (i - 31) * pow(1.45, i) * 0.11 : i < 70 ? (i - 67) * 1.5707963267948966 : i == 70 ? -0.0 : i == 71 ? infinity : i == 72 ? nan : i == 73 ? 2047.99 : i == 74 ? -2048 : i == 75 ? 1048576.5 : i == 76 ? 1e-40 : i * 1e30
// ARG: out float2[80]
// ARG: negative int[80] = -1
// EXPECT: out ulp 4 = j == 0 ? sin(x[i, 0]) : cos(x[i, 0])
// EXPECT: negative[70..71] = 1 - (i - 70)
kernel void floats(global const float *x, global float2 *out, global int *negative)
{
    size_t i = get_global_id(0);
    float c = cos(x[i]), s = sin(x[i]);
    out[i] = (float2)(s, c);
    negative[i] = x[i] == 0 && signbit(s);
}
// RUN: vectors global=40
// ARG: x float4[40] = (i * 4 + j - 80) * pow(1.2, i)
// ARG: out float8[40]
// EXPECT: out ulp 4 = j < 4 ? sin(x[i, j]) : cos(x[i, j - 4])
kernel void vectors(global const float4 *x, global float8 *out)
{
    size_t i = get_global_id(0);
    float4 s = native_sin(x[i]);
    out[i] = (float8)(s, native_cos(x[i]));
}
// The sum goes on where the angle ends: each round has another one.
// RUN: rounds global=16
// ARG: out float2[16]
// EXPECT: out abs 2e-5 = j == 0 ? sum(k, 0, 20, sin((k + i) * 0.75)) : sum(k, 0, 20, cos((k + i) * 0.75))
kernel void rounds(global float2 *out)
{
    float2 sums = 0;
    int first = get_global_id(0);
    for (int k = 0; k < 20; k++) {
        float angle = (k + first) * 0.75f;
        sums.x += sin(angle);
        sums.y += cos(angle);
    }
    out[first] = sums;
}
