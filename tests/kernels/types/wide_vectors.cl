// SPDX-License-Identifier: MIT
// RUN: sum global=5
// ARG: a float16[5] = 16 * i + j
// ARG: b uchar16[5] = j * 16 + i
// ARG: out float16[5]
// EXPECT: out = a[i] * 2 + b[i]
kernel void sum(global const float16 *a, global const uchar16 *b, global float16 *out)
{
    size_t i = get_global_id(0);
    out[i] = a[i] * 2.0f + convert_float16(b[i]);
}
