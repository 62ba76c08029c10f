// SPDX-License-Identifier: MIT
// Functions that no kernel calls are no part of the program that is linked: they may use
// images, call what nobody has written, and read variables that are nowhere.
// RUN: k global=4
// ARG: o int[4] = 0
// EXPECT: o = i * 2
const sampler_t nearest =
    CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;

float4 fetch(__read_only image2d_t image, int index)
{
    return read_imagef(image, nearest, (int2)(index & 63, index >> 6));
}

int missing(int x);
extern constant int nowhere;

int unused(int x)
{
    return missing(x) + nowhere;
}

int calls_unused(int x)
{
    return unused(x + 1);
}

int twice(int x)
{
    return 2 * x;
}

kernel void k(global int *o)
{
    o[get_global_id(0)] = twice(get_global_id(0));
}
