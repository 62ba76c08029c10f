// SPDX-License-Identifier: MIT
// A component chosen at run time, through a pointer to the vector.
// RUN: pick global=16
// ARG: v int4[16] = 10 * i + j
// ARG: out int[16]
// EXPECT: out = 10 * i + i % 4
kernel void pick(global const int4 *v, global int *out)
{
    size_t i = get_global_id(0);
    int4 x = v[i];
    int *p = (int *)&x;
    out[i] = p[i % 4];
}
