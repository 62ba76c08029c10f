// SPDX-License-Identifier: MIT
// SKIP: unless platform Trefoil
// BUILD: fails CL_BUILD_PROGRAM_FAILURE "asm"
// BUILD: fails CL_BUILD_PROGRAM_FAILURE "asm" options="-DOUTSIDE"
#ifdef OUTSIDE
__asm__(".globl x");
#endif
kernel void run(global int *out)
{
#ifndef OUTSIDE
    __asm__ volatile("nop");
#endif
    out[0] = 1;
}
