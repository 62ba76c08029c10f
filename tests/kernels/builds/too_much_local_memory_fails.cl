// SPDX-License-Identifier: MIT
// SKIP: unless platform Trefoil
// BUILD: fails CL_BUILD_PROGRAM_FAILURE "local memory"
kernel void run(global int *out)
{
    local int huge[64 * 1024 * 1024];
    huge[get_local_id(0)] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[0] = huge[0];
}
