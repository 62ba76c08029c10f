// SPDX-License-Identifier: MIT
// Several work-items write one place: one of their values is there then, all of it.
// RUN: conflict global=67
// ARG: out int[9]
// ARG: wide float4[9]
// EXPECT: out where it / 8 == i && it < 67
// EXPECT: wide where it >= 8 * i && it < 8 * i + 4
// RUN: same global=67
// ARG: out int[2]
// EXPECT: out where it >= 0 && it < 67
kernel void conflict(global int *out, global float4 *wide)
{
    int g = get_global_id(0);
    out[g / 8] = g;
    wide[g / 8] = (float4)(g / 8 * 8 + g % 8 * 0.5f);
}

kernel void same(global int *out)
{
    int g = get_global_id(0);
    out[0] = g;
    if (g % 3 == 1)
        out[1] = g;
    else if (g == 0)
        out[1] = 0;
}
