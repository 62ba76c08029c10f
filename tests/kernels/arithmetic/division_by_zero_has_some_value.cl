// SPDX-License-Identifier: MIT
// The result of a division by zero and of INT_MIN / -1 is unspecified, and that is all: what
// the kernel does before, after and depending on it happens as written.
// RUN: guarded_writes global=64
// ARG: in int[64] = i % 3 - 1
// ARG: quotient int[64]
// ARG: positive int[64]
// ARG: done int[64]
// EXPECT: quotient where in[i] <= 0 || it == 7 / in[i]
// EXPECT: positive = in[i] > 0 ? 1 : -1515870811
// EXPECT: done = 5
// RUN: checked_afterwards global=64
// ARG: a int[64] = i % 2 ? -2147483648 : i
// ARG: b int[64] = i % 3 - 1
// ARG: out int4[64]
// EXPECT: out = b[i] == 0 ? 77 : b[i] == -1 && i % 2 ? 78 : j == 0 ? a[i] / b[i] : j == 1 ? a[i] % b[i] : j == 2 ? uint(a[i]) / uint(b[i]) : 1
// RUN: of_constants global=4
// ARG: out int4[4]
// EXPECT: out where j == 0 || it == j
// RUN: of_constant_vectors global=4
// ARG: out int4[4]
// EXPECT: out where j == 0 || it == 10 / j
// RUN: in_loops global=64
// ARG: out int[64]
// EXPECT: out = 9
kernel void guarded_writes(global const int *in, global int *quotient, global int *positive,
                           global int *done)
{
    size_t i = get_global_id(0);
    int divisor = 0;
    if (in[i] > 0) {
        divisor = in[i];
        positive[i] = 1;
    }
    quotient[i] = 7 / divisor;
    done[i] = 5;
}
kernel void checked_afterwards(global const int *a, global const int *b, global int4 *out)
{
    size_t i = get_global_id(0);
    int4 all = (int4)(a[i] / b[i], a[i] % b[i], (uint)a[i] / (uint)b[i], 1);
    if (b[i] == 0)
        all = 77;
    else if (b[i] == -1 && a[i] == INT_MIN)
        all = 78;
    out[i] = all;
}
kernel void of_constants(global int4 *out)
{
    int4 all = (int4)(0, 1, 2, 3);
    if (1 / 0 > 3)
        all.x = 7;
    if (INT_MIN / -1 > 3)
        all.x += 8;
    if ((char)(5 % 0) != 3 && 5u / 0u != 6 && 1L % 0L < 4)
        all.x += get_global_id(0) > 1 ? 9 / 0 : 10;
    out[get_global_id(0)] = all;
}
kernel void of_constant_vectors(global int4 *out)
{
    out[get_global_id(0)] = (int4)(10) / (int4)(0, 1, 2, 3);
}
kernel void in_loops(global int *out)
{
    int i = get_global_id(0), sum = 0;
    for (int d = -4; d <= 4; d++) {
        int q = (i + 1) * 1000 / d;
        sum += d == 0 || q == (i + 1) * 1000 / d;
    }
    out[i] = sum;
}
