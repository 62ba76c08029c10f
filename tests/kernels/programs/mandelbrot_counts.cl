// SPDX-License-Identifier: MIT
#pragma OPENCL FP_CONTRACT OFF
// The point 0 never leaves, 2 + 2i leaves at once.
// RUN: count global=2
// ARG: cx float[2] = {0, 2}
// ARG: cy float[2] = {0, 2}
// ARG: n int[2]
// EXPECT: n = {1000, 1}
kernel void count(global const float *cx, global const float *cy, global int *n)
{
    size_t i = get_global_id(0);
    float x = 0, y = 0;
    int k = 0;
    for (; k < 1000 && x * x + y * y <= 4; k++) {
        float t = x * x - y * y + cx[i];
        y = 2 * x * y + cy[i];
        x = t;
    }
    n[i] = k;
}
