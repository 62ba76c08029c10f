// SPDX-License-Identifier: MIT
// Each round adds what the one before has stored: `v` is `sum`, or part of it.
// RUN: sums global=64
// ARG: sum int[128] = i + 1
// ARG: v same sum
// ARG: n int = 3
// EXPECT: sum = i < 64 ? 48 * (i + 1) + 4 * (i + 65) : i + 1
kernel void sums(global int *sum, global const int *v, int n)
{
    size_t i = get_global_id(0);
    for (int k = 0; k < n; k++)
        sum[i] = 3 * sum[i] + v[i + 64 * (k & 1)];
}
