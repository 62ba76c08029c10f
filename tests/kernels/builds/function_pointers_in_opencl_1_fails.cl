// SPDX-License-Identifier: MIT
// Clang's extension takes the generic address space.
// SKIP: unless platform Trefoil
// BUILD: fails CL_BUILD_PROGRAM_FAILURE "pointers to functions are not allowed"
#pragma OPENCL EXTENSION __cl_clang_function_pointers : enable
typedef void (*action)(global int *);
void plain(global int *out)
{
    out[0] = 1;
}
kernel void call(global int *out)
{
    action f = plain;
    f(out);
}
