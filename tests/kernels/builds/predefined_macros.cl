// SPDX-License-Identifier: MIT
// RUN: ask global=1
// ARG: out int[4]
// EXPECT: out = {1, 1, 1, 120}
// BUILD: options="-cl-std=CL3.0"
// RUN: ask global=1
// ARG: out int[4]
// EXPECT: out = {1, 1, 1, 300}
kernel void ask(global int *out)
{
    out[0] = __OPENCL_VERSION__ >= 120;
    out[1] = __ENDIAN_LITTLE__;
#ifdef __FAST_RELAXED_MATH__
    out[2] = 0;
#else
    out[2] = 1;
#endif
    out[3] = __OPENCL_C_VERSION__;
}
