// SPDX-License-Identifier: MIT
// A pointer that points to no function: the call is nonsense, the host process lives.
// SKIP: unless platform Trefoil
// BUILD: options="-cl-std=CL3.0"
// RUN: nowhere global=4
// ARG: address ulong = 4660
// ARG: out int[4]
// EXPECT: completes
#pragma OPENCL EXTENSION __cl_clang_function_pointers : enable
typedef void (*action)(global int *);
void plain(global int *out)
{
    out[get_global_id(0)] = 1;
}
kernel void nowhere(ulong address, global int *out)
{
    action f = plain;
    if (address != 1000000)
        f = (action)address;
    f(out);
}
