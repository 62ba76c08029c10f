// SPDX-License-Identifier: MIT
// Vectors that are made of numbers and taken apart again, which memory never sees: points of a
// picture and their neighbours, kept inside.
// RUN: neighbours global=37x5
// ARG: sum int[185] = 0
// ARG: in int[185] = 3 * i
// ARG: width int = 37
// ARG: height int = 5
// EXPECT: sum = 3 * ((max(i % 37 - 1, 0) + 37 * max(floor(i / 37) - 1, 0)) + (min(i % 37 + 2, 36) + 37 * min(floor(i / 37) + 1, 4)))
kernel void neighbours(global int *sum, global const int *in, int width, int height)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    int2 before = max(at - 1, 0), behind = min(at + (int2)(2, 1), (int2)(width, height) - 1);
    sum[at.x + at.y * width] = in[before.x + before.y * width] + in[behind.x + behind.y * width];
}
// RUN: swizzled global=64
// ARG: out float[64] = -1
// EXPECT: out = (i % 2 ? 2 * (i + 0.5) : (i + 0.5) - 1)
kernel void swizzled(global float *out)
{
    float x = get_global_id(0);
    float4 v = (float4)(x, 1, 2, 3) + 0.5f;
    float4 w = v.yxwz;
    v = select(v - w.yxyx, v * 2, (int4)(get_global_id(0) & 1 ? -1 : 0));
    out[get_global_id(0)] = get_global_id(0) & 1 ? v.x : w.y - 1;
}
