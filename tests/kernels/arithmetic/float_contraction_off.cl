// SPDX-License-Identifier: MIT
#pragma OPENCL FP_CONTRACT OFF
// RUN: separate global=256
// ARG: a float[256] = random(29, -2.0, 2.0)
// ARG: b float[256] = random(30, -2.0, 2.0)
// ARG: c float[256] = random(31, -2.0, 2.0)
// ARG: out float[256]
// EXPECT: out = float(float(a[i] * b[i]) + c[i])
kernel void separate(global const float *a, global const float *b, global const float *c, global float *out)
{
    size_t i = get_global_id(0);
    out[i] = a[i] * b[i] + c[i];
}
