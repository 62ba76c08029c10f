// SPDX-License-Identifier: MIT
// RUN: gather global=64
// ARG: c float[16] = i * i
// ARG: index int[64] = (i * 7) % 16
// ARG: out float[64]
// EXPECT: out = c[index[i]]
kernel void gather(constant float *c, global const int *index, global float *out)
{
    size_t i = get_global_id(0);
    out[i] = c[index[i]];
}
