// SPDX-License-Identifier: MIT
// SKIP: unless extension cl_khr_fp64
// RUN: doubles global=80
// ARG: x double[80] = i < 64 ? (i - 31) * pow(1.45, i) * 0.11 : i == 70 ? -0.0 : i == 71 ? infinity : i == 72 ? nan : i == 75 ? 1048576.5 : i * 1e30
// ARG: out double2[80]
// EXPECT: out ulp 4 = j == 0 ? sin(x[i, 0]) : cos(x[i, 0])
kernel void doubles(global const double *x, global double2 *out)
{
    size_t i = get_global_id(0);
    out[i] = (double2)(sin(x[i]), cos(x[i]));
}
