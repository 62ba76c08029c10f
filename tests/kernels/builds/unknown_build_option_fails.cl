// SPDX-License-Identifier: MIT
// SKIP: unless platform Trefoil
// BUILD: fails CL_INVALID_BUILD_OPTIONS options="-no-such-option"
// BUILD: fails CL_INVALID_BUILD_OPTIONS options="-cl-std=CL9.9"
// BUILD: fails CL_INVALID_BUILD_OPTIONS options="-load plugin.so"
kernel void run(global int *out)
{
    out[0] = 1;
}
