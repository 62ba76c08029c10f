// SPDX-License-Identifier: MIT
// SKIP: unless extension cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF
// RUN: ops global=64
// ARG: a double[64] = random(33, -1.0, 1.0)
// ARG: b double[64] = random(34, 1.0, 2.0)
// ARG: s double = 0.1
// ARG: out double4[64]
// EXPECT: out = {a[i] + b[i], a[i] * b[i], a[i] / b[i], a[i] - s, ...}
kernel void ops(global const double *a, global const double *b, double s, global double4 *out)
{
    size_t i = get_global_id(0);
    out[i] = (double4)(a[i] + b[i], a[i] * b[i], a[i] / b[i], a[i] - s);
}
