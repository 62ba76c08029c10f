// SPDX-License-Identifier: MIT
// Clang 22 crashed over it, where it has blocks at all.
// BUILD: fails CL_BUILD_PROGRAM_FAILURE "1 error" "__block" options="-cl-std=CL2.0"
__block int counter = 12;

kernel void use(global int *out)
{
    out[0] = counter;
}
