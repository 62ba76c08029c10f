// SPDX-License-Identifier: MIT
// RUN: divide global=16
// ARG: minus_one int = -1
// ARG: a int[16] = i % 2 ? -2147483648 : i
// ARG: q int[16]
// ARG: r int[16]
// EXPECT: q where i % 2 == 1 || it == -i
// EXPECT: r where i % 2 == 1 || it == 0
// RUN: wide global=1
// ARG: minus_one long = -1
// ARG: out long[3]
// EXPECT: out[2] = 1
kernel void divide(int minus_one, global const int *a, global int *q, global int *r)
{
    size_t i = get_global_id(0);
    q[i] = a[i] / minus_one;
    r[i] = a[i] % minus_one;
}
kernel void wide(long minus_one, global long *out)
{
    long2 v = (long2)(LONG_MIN, LONG_MIN);
    out[0] = LONG_MIN / minus_one;
    v %= minus_one;
    out[1] = v.y;
    out[2] = 1;
}
