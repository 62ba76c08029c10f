// SPDX-License-Identifier: MIT
// RUN: count global=4096 local=64
// ARG: n int[1] = 0
// ARG: m uint[1] = 4096
// EXPECT: n = 4096 * 3
// EXPECT: m = 0
// RUN: numbers global=1000
// ARG: n int[1] = 0
// ARG: seen int[1000] = 0
// EXPECT: seen = 1
kernel void count(global int *n, global uint *m)
{
    atomic_add(n, 2);
    atomic_inc(n);
    atomic_dec(m);
}
kernel void numbers(global int *n, global int *seen)
{
    seen[atomic_inc(n)] += 1;
}
