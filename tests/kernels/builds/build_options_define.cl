// SPDX-License-Identifier: MIT
// BUILD: options="-DN=5 -D FLAG -DEXPR=(1+2)*3"
// RUN: fill global=4
// ARG: out int[4]
// EXPECT: out = 5 * 100 + 9
// BUILD: options="-DN=6 -DEXPR=1 -cl-std=CL1.2 -w"
// RUN: fill global=4
// ARG: out int[4]
// EXPECT: out = 6 * 100 + 1 + 1000000
// BUILD: options="-DN=7 -DEXPR=2 -cl-opt-disable"
// RUN: fill global=4
// ARG: out int[4]
// EXPECT: out = 702 + 1000000
// BUILD: options="-DN=8 -DEXPR=3 -cl-std=CL3.0 -cl-fast-relaxed-math -cl-mad-enable"
// RUN: fill global=4
// ARG: out int[4]
// EXPECT: out = 803 + 1000000
kernel void fill(global int *out)
{
    int r = N * 100 + EXPR;
#ifndef FLAG
    r += 1000000;
#endif
    out[get_global_id(0)] = r;
}
