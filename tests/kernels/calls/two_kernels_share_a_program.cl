// SPDX-License-Identifier: MIT
constant int factor = 3;
int scaled(int x)
{
    return x * factor;
}
// RUN: first global=8
// ARG: out int[8]
// EXPECT: out = 3 * i
// RUN: second global=8
// ARG: out float[8]
// ARG: x float = 0.5
// EXPECT: out = 3 * i + 0.5
kernel void first(global int *out)
{
    out[get_global_id(0)] = scaled(get_global_id(0));
}
kernel void second(global float *out, float x)
{
    out[get_global_id(0)] = scaled(get_global_id(0)) + x;
}
