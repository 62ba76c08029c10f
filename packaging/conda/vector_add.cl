// SPDX-License-Identifier: MIT
// RUN: add global=1000
// ARG: a float[1000] = i
// ARG: b float[1000] = 2*i
// ARG: c float[1000]
// EXPECT: c = 3*i
kernel void add(global const float *a, global const float *b, global float *c)
{
    size_t i = get_global_id(0);
    c[i] = a[i] + b[i];
}
