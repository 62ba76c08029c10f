// SPDX-License-Identifier: MIT
// cl_khr_expect_assume: what is expected may turn out otherwise; what is assumed is true.
// SKIP: unless extension cl_khr_expect_assume
// RUN: hint global=64 local=8
// ARG: in int[64] = i - 8
// ARG: out int[64]
// EXPECT: out = i < 8 ? -1 : (i - 8) / 4 + i - 8
// BUILD: options="-cl-std=CL3.0"
// RUN: hint global=64 local=8
// ARG: in int[64] = i - 8
// ARG: out int[64]
// EXPECT: out = i < 8 ? -1 : (i - 8) / 4 + i - 8
kernel void hint(global const int *in, global int *out)
{
    const int i = get_global_id(0);
    const int n = in[i];

    __builtin_assume(n < 64);
    if (__builtin_expect(n < 0, 1))
        out[i] = -1;
    else
        out[i] = n / 4 + (int)__builtin_expect((long)n, 3L);
}
