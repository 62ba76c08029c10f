// SPDX-License-Identifier: MIT
// SKIP: unless platform Trefoil
// BUILD: fails CL_BUILD_PROGRAM_FAILURE ":7:17: error:"
kernel void run(global int *out)
{
    int x = 1;
    out[0] = x +;
}
