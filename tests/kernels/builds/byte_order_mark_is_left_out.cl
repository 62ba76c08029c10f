// SPDX-License-Identifier: MIT
// The file begins with the byte order mark of UTF-8, as some editors write it.
// RUN: add global=4
// ARG: out int[4]
// EXPECT: out = i + 6
kernel void add(global int *out)
{
    out[get_global_id(0)] = get_global_id(0) + __LINE__ - 2;
}
