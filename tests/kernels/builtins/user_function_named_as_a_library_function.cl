// SPDX-License-Identifier: MIT
// memcpy, abs-like names and main are plain names for a program.
int memset(int x)
{
    return x + 1;
}
int sqrtf(int x)
{
    return x * 10;
}
int strlen(int x)
{
    return x - 1;
}
// RUN: use global=8
// ARG: out int[8]
// EXPECT: out = (i + 1) * 10 - 1
kernel void use(global int *out)
{
    out[get_global_id(0)] = strlen(sqrtf(memset((int)get_global_id(0))));
}
