// SPDX-License-Identifier: MIT
// BUILD: fails CL_BUILD_PROGRAM_FAILURE "no/such/file.h"
#include "no/such/file.h"
kernel void run(global int *out)
{
    out[0] = 1;
}
