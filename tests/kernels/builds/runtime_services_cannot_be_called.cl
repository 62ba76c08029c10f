// SPDX-License-Identifier: MIT
// SKIP: unless platform Trefoil
// BUILD: fails CL_BUILD_PROGRAM_FAILURE "__tf_"
void __tf_barrier(uint flags);
kernel void call(global int *out)
{
    __tf_barrier(1);
    out[0] = 1;
}
