// SPDX-License-Identifier: MIT
// Older compilers warned of pointers to other types and of integers for pointers; programs
// rely on it.
// SKIP: unless platform Trefoil
// BUILD: options="-w"
// RUN: halves global=4
// ARG: out float2[4]
// EXPECT: out = i * 2 + j
// BUILD: fails CL_BUILD_PROGRAM_FAILURE "incompatible pointer types" options="-Werror"
kernel void halves(global float2 *out)
{
    global float *each = out;
    size_t i = get_global_id(0);
    each[2 * i] = 2 * i;
    each[2 * i + 1] = 2 * i + 1;
}
