// SPDX-License-Identifier: MIT
// Under a condition on the id the compiler takes id | 1 for id + 1, which is right for the
// work-items that are there, and for none of the others.
// RUN: next global=66 offset=3
// ARG: out int[276] = -1
// EXPECT: out = i >= 8 && i % 4 == 3 && i / 4 % 4 == 0 ? i / 4 + 1 : -1
// RUN: offset global=70 offset=3
// ARG: out int[73] = -1
// EXPECT: out = i < 3 || i % 8 != 5 ? -1 : 2 * i + 6
kernel void next(global int *out)
{
    uint g = get_global_id(0);
    if (g % 4 == 0)
        out[4 * g + 3] = g | 1;
}

kernel void offset(global int *out)
{
    int g = get_global_id(0);
    if ((g & 7) == 5)
        out[g] = (g + 2) + (g | 2) + 2;
}
