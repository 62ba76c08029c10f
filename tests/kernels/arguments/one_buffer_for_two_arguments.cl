// SPDX-License-Identifier: MIT
// RUN: double_up global=64
// ARG: a int[64] = i
// ARG: b same a
// EXPECT: a = 2 * i
kernel void double_up(global const int *a, global int *b)
{
    size_t i = get_global_id(0);
    b[i] = a[i] + a[i];
}
