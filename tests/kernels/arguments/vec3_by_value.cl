// SPDX-License-Identifier: MIT
// RUN: spread global=1
// ARG: v float3 = {1, 2, 3}
// ARG: c char3 = {-1, -2, -3}
// ARG: n int = 9
// ARG: out float[7]
// EXPECT: out = {1, 2, 3, -1, -2, -3, 9}
kernel void spread(float3 v, char3 c, int n, global float *out)
{
    vstore3(v, 0, out);
    vstore3(convert_float3(c), 1, out);
    out[6] = n;
}
