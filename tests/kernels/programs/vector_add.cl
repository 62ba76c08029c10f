// SPDX-License-Identifier: MIT
// RUN: add global=1000
// ARG: a float[1000] = random(1, -1.0, 1.0)
// ARG: b float[1000] = random(2, -1.0, 1.0)
// ARG: c float[1000]
// EXPECT: c = float(a[i] + b[i])
kernel void add(global const float *a, global const float *b, global float *c)
{
    size_t i = get_global_id(0);
    c[i] = a[i] + b[i];
}
