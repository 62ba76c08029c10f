// SPDX-License-Identifier: MIT
// SKIP: unless extension cl_intel_vec_len_hint
// BUILD: fails CL_BUILD_PROGRAM_FAILURE "intel_vec_len_hint" options="-DLANES=2"
// BUILD: fails CL_BUILD_PROGRAM_FAILURE "intel_vec_len_hint" options="-DLANES=-1"
// BUILD: fails CL_BUILD_PROGRAM_FAILURE "intel_vec_len_hint" options="-DLANES=out"
__attribute__((intel_vec_len_hint(LANES))) kernel void run(global int *out)
{
    out[0] = 1;
}
