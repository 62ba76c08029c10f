// SPDX-License-Identifier: MIT
// 200 brackets deep, 2^10 terms wide by macros.
#define A(x) ((((((((((x))))))))))
#define B(x) A(A(A(A(A(A(A(A(A(A(x))))))))))
#define T2(x) (x + x)
#define T16(x) T2(T2(T2(T2(x))))
#define T1024(x) T16(T16(T2(T2(x))))
// RUN: run global=16
// ARG: out int[16]
// EXPECT: out = i + i * 1024
kernel void run(global int *out)
{
    int i = get_global_id(0);
    out[i] = B(i) + T1024(i);
}
