// SPDX-License-Identifier: MIT
// Vectors of more registers than lanes pay with are taken apart, or have fewer lanes; vectors
// at places of their own are loaded whole and taken apart.
// SKIP: unless extension cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

// Sums of small whole numbers are exact in any order.
// RUN: mixed_doubles global=77
// ARG: a double4[77] = {i, 2 * i + 1, i % 7, 3, ...}
// ARG: out double4[77]
// EXPECT: out = {i * 7.0, (2 * i + 1) * 7.0, i % 7 * 7.0, (i + (2 * i + 1) + i % 7 + 3) * 4.0, ...}
kernel void mixed_doubles(global const double4 *a, global double4 *out)
{
    const size_t i = get_global_id(0);
    double4 sum = 0;

    for (int k = 0; k < 4; k++) {
        const double4 v = a[i] * (double)(k + 1);
        sum.xyz += v.xyz * (k < 3 ? 1.0 : 0.25);
        sum.w += a[i].x + a[i].y + a[i].z + a[i].w;
    }
    out[i] = sum;
}

// RUN: alike_doubles global=70
// ARG: a double4[70] = {i, i + 1, i + 2, i + 3, ...}
// ARG: out double4[70]
// EXPECT: out = {i * i + 0.5, (i + 1) * (i + 1) + 0.5, (i + 2) * (i + 2) + 0.5, (i + 3) * (i + 3) + 0.5, ...}
kernel void alike_doubles(global const double4 *a, global double4 *out)
{
    const size_t i = get_global_id(0);

    out[i] = a[i] * a[i] + 0.5;
}

// RUN: gathered global=100
// ARG: p float4[40] = {i, 2 * i, 3 * i, 4 * i, ...}
// ARG: at int[100] = (i * 17 + 5) % 40
// ARG: out float[100]
// EXPECT: out = i % 3 == 0 ? 0.0 : (i * 17 + 5) % 40 * ((i * 17 + 5) % 40) * 14.0
kernel void gathered(global const float4 *p, global const int *at, global float *out)
{
    const size_t i = get_global_id(0);
    float sum = 0;

    if (i % 3) {
        const float4 v = p[at[i]];
        sum = v.x * v.y + v.z * v.w;
    }
    out[i] = sum;
}

// RUN: gathered_pairs global=100
// ARG: p double2[40] = {i, i + 1, ...}
// ARG: at int[100] = (i * 13 + 2) % 40
// ARG: out double[100]
// EXPECT: out = (i * 13 + 2) % 40 * ((i * 13 + 2) % 40 + 1)
kernel void gathered_pairs(global const double2 *p, global const int *at, global double *out)
{
    const size_t i = get_global_id(0);
    const double2 v = p[at[i]];

    out[i] = v.x * v.y;
}
