// SPDX-License-Identifier: MIT
// BUILD: fails CL_BUILD_PROGRAM_FAILURE "12:14" "no_such_function"
// BUILD: options="-DGOOD"
// RUN: use global=1
// ARG: out int[1]
// EXPECT: out = 4
#ifdef GOOD
#define no_such_function(x) ((x) + 1)
#endif
kernel void use(global int *out)
{
    out[0] = no_such_function(3);
}
