// SPDX-License-Identifier: MIT
// Each work-item takes another number of steps.
// RUN: collatz global=30
// ARG: out int[30]
// EXPECT: out = {0, 0, 1, 7, 2, 5, 8, 16, 3, 19, 6, 14, 9, 9, 17, 17, 4, 12, 20, 20, 7, 7, 15, 15, 10, 23, 10, 111, 18, 18}
kernel void collatz(global int *out)
{
    uint n = get_global_id(0);
    int steps = 0;
    while (n > 1) {
        n = n & 1 ? 3 * n + 1 : n / 2;
        steps++;
    }
    out[get_global_id(0)] = steps;
}
