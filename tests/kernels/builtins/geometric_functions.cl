// SPDX-License-Identifier: MIT
// RUN: run global=32
// ARG: a float4[32] = {i + 1, 2, 3, 0, ...}
// ARG: b float4[32] = {1, i, 2, 0, ...}
// ARG: out float[192]
// EXPECT: out ulp 16 = i % 6 == 0 ? 2 * (i / 6) + i / 6 + 1 + 6 : i % 6 == 1 ? 4 - 3 * (i / 6) : i % 6 == 2 ? 3 - 2 * (i / 6 + 1) : i % 6 == 3 ? (i / 6 + 1) * (i / 6) - 2 : i % 6 == 4 ? sqrt((i / 6 + 1) * (i / 6 + 1) + 13) : 3 / sqrt((i / 6 + 1) * (i / 6 + 1) + 13)
kernel void run(global const float4 *a, global const float4 *b, global float *out)
{
    size_t i = get_global_id(0);
    float3 c = cross(a[i].xyz, b[i].xyz);
    out[6 * i] = dot(a[i], b[i]);
    vstore3(c, 0, out + 6 * i + 1);
    out[6 * i + 4] = length(a[i].xyz);
    out[6 * i + 5] = normalize(a[i].xyz).z;
}
