// SPDX-License-Identifier: MIT
// The gamma function needs the module of sin after sin itself was linked, table included.
// RUN: both global=8
// ARG: x float[8] = {1, 2, 3, 4, 5, -0.5, 0.5, 1e30}
// ARG: gamma float[8]
// ARG: sine float[8]
// EXPECT: gamma ulp 16 = {1, 1, 2, 6, 24, -3.5449077018110318, 1.7724538509055159, infinity}
// EXPECT: sine ulp 4 = sin(x[i])
kernel void both(global const float *x, global float *gamma, global float *sine)
{
    size_t i = get_global_id(0);
    gamma[i] = tgamma(x[i]);
    sine[i] = sin(x[i]);
}
