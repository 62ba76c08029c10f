// SPDX-License-Identifier: MIT
// SKIP: unless platform Trefoil
// BUILD: fails CL_BUILD_PROGRAM_FAILURE "exit"
// BUILD: fails CL_BUILD_PROGRAM_FAILURE "system" options="-DSYSTEM"
void exit(int);
int system(constant char *);
constant char command[] = "true";
kernel void leave(global int *out)
{
#ifdef SYSTEM
    out[0] = system(command);
#else
    exit(out[0]);
#endif
}
