// SPDX-License-Identifier: MIT
// BUILD: fails CL_BUILD_PROGRAM_FAILURE "the reason"
#error the reason
kernel void run(global int *out)
{
    out[0] = 1;
}
