// SPDX-License-Identifier: MIT
// Functions call themselves through a pointer, other ones in each work-item.
// SKIP: unless platform Trefoil
// BUILD: options="-cl-std=CL3.0"
// RUN: run global=32 local=8
// ARG: out int[32]
// EXPECT: out = i % 3 == 1 ? 3 * i : i
#pragma OPENCL EXTENSION __cl_clang_function_pointers : enable
typedef int (*step)(int, int);
int ones(int n, int which);
int threes(int n, int which);
int by_turns(int n, int which);
step step_of(int which)
{
    return which == 0 ? ones : which == 1 ? threes : by_turns;
}
int ones(int n, int which)
{
    return n ? 1 + step_of(which)(n - 1, which) : 0;
}
int threes(int n, int which)
{
    return n ? step_of(which)(n - 1, which) + 3 : 0;
}
int by_turns(int n, int which)
{
    const step next = step_of(n % 2 ? 0 : 2);
    return n ? 1 + next(n - 1, 2) : 0;
}
kernel void run(global int *out)
{
    const int i = get_global_id(0);
    out[i] = step_of(i % 3)(i, i % 3);
}
