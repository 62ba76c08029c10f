// SPDX-License-Identifier: MIT
// Relaxed math still bounds a division by 2.5 ulp.
// BUILD: options="-cl-fast-relaxed-math"
// RUN: divide global=65536
// ARG: a float[65536] = random(41, 1.0, 2.0)
// ARG: b float[65536] = random(42, 1.0, 2.0)
// ARG: out float[65536]
// EXPECT: out ulp 2.5 = a[i] / b[i]
// RUN: reciprocal global=65536
// ARG: a float[65536] = random(43, -2.0, 2.0)
// ARG: out float[65536]
// EXPECT: out ulp 2.5 = 1 / a[i]
// RUN: divide global=4096
// ARG: a float[4096] = -0x1.09ce42p-38
// ARG: b float[4096] = -0x1.0b2ffap-44
// ARG: out float[4096]
// EXPECT: out ulp 2.5 = a[i] / b[i]
// BUILD: options="-cl-unsafe-math-optimizations"
// RUN: divide global=65536
// ARG: a float[65536] = random(44, 1.0, 2.0)
// ARG: b float[65536] = random(45, 1.0, 2.0)
// ARG: out float[65536]
// EXPECT: out ulp 2.5 = a[i] / b[i]
kernel void divide(global const float *a, global const float *b, global float *out)
{
    size_t i = get_global_id(0);
    out[i] = a[i] / b[i];
}
kernel void reciprocal(global const float *a, global float *out)
{
    size_t i = get_global_id(0);
    out[i] = 1.0f / a[i];
}
