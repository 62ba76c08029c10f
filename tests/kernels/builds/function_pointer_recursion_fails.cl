// SPDX-License-Identifier: MIT
// SKIP: unless platform Trefoil
// BUILD: fails CL_BUILD_PROGRAM_FAILURE "recursive" options="-cl-std=CL3.0"
#pragma OPENCL EXTENSION __cl_clang_function_pointers : enable
typedef int (*step)(int);
global step next;
int down(int n)
{
    return n ? next(n - 1) : 0;
}
kernel void run(global int *out)
{
    next = down;
    out[0] = next(out[0]);
}
