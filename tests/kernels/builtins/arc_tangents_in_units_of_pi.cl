// SPDX-License-Identifier: MIT
// The multiples of a quarter that C's rules name are exact: on the axes and between infinities.
// SKIP: unless extension cl_khr_fp64
// RUN: float_edges global=14
// ARG: y float[14] = {1, -1, 1, -1, 0, -0.0, 0, -0.0, infinity, -infinity, infinity, -infinity, 3, infinity}
// ARG: x float[14] = {-0.0, -0.0, 0, 0, -0.0, -0.0, 2, -2, -infinity, -infinity, infinity, infinity, infinity, 3}
// ARG: out float[14]
// EXPECT: out = {0.5, -0.5, 0.5, -0.5, 1, -1, 0, -1, 0.75, -0.75, 0.25, -0.25, 0, 0.5}
kernel void float_edges(global const float *y, global const float *x, global float *out)
{
    size_t i = get_global_id(0);
    out[i] = atan2pi(y[i], x[i]);
}
// RUN: double_edges global=14
// ARG: y double[14] = {1, -1, 1, -1, 0, -0.0, 0, -0.0, infinity, -infinity, infinity, -infinity, 3, infinity}
// ARG: x double[14] = {-0.0, -0.0, 0, 0, -0.0, -0.0, 2, -2, -infinity, -infinity, infinity, infinity, infinity, 3}
// ARG: out double[14]
// EXPECT: out = {0.5, -0.5, 0.5, -0.5, 1, -1, 0, -1, 0.75, -0.75, 0.25, -0.25, 0, 0.5}
kernel void double_edges(global const double *y, global const double *x, global double *out)
{
    size_t i = get_global_id(0);
    out[i] = atan2pi(y[i], x[i]);
}
