// SPDX-License-Identifier: MIT
// Binary searches in steps of known numbers, and of reals in steps that only the run knows:
// each step compares what lies where the one before says.
// RUN: in_steps global=300
// ARG: keys int[300] = random(1, -10, 1000)
// ARG: in int[256] = i * 4
// ARG: out int[300]
// EXPECT: out = keys[i] <= 0 ? 0 : keys[i] > 255 * 4 ? 255 : (keys[i] + 3) / 4
// RUN: of_reals global=300 local=50
// ARG: keys float[300] = random(2, 0, 500)
// ARG: in float[257] = i * 2
// ARG: out int[300]
// ARG: n int = 128
// EXPECT: out where it >= 0 && it <= 255 && in[it] <= keys[i] && keys[i] < in[it] + 2 || it == 255
kernel void in_steps(global const int *keys, global const int *in, global int *out)
{
    int i = get_global_id(0), x = keys[i], lo = 0;
    for (int s = 128; s > 0; s >>= 1)
        if (in[lo + s - 1] < x)
            lo += s;
    out[i] = lo;
}

kernel void of_reals(global const float *keys, global const float *in, global int *out, int n)
{
    int i = get_global_id(0), lo = 0;
    float x = keys[i];
    for (int s = n; s > 0; s >>= 1)
        lo = in[lo + s] <= x ? lo + s : lo;
    out[i] = lo;
}
