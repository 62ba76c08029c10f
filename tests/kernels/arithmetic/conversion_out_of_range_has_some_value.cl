// SPDX-License-Identifier: MIT
// A number that the integer cannot hold becomes some integer, and that is all.
// RUN: variable global=32
// ARG: in float[32] = i % 4 == 0 ? nan : i % 4 == 1 ? 1e30 : i % 4 == 2 ? -infinity : i
// ARG: out int2[32]
// EXPECT: out = j == 0 ? (i % 4 == 3 ? i : -1) : 3
// RUN: constant_number global=4
// ARG: out int2[4]
// EXPECT: out where j == 0 || it == 3
kernel void variable(global const float *in, global int2 *out)
{
    size_t i = get_global_id(0);
    int number = (int)in[i];
    if (!(in[i] >= 0 && in[i] < 1e9f))
        number = -1;
    out[i] = (int2)(number, 3);
}
kernel void constant_number(global int2 *out)
{
    int first = 0;
    if ((int)1e30f > 5)
        first = 1;
    if ((uint)-1.0e20f > 5u || (uchar)NAN != 3)
        first += 2;
    out[get_global_id(0)] = (int2)(first, 3);
}
