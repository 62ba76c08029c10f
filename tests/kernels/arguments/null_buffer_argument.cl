// SPDX-License-Identifier: MIT
// RUN: maybe global=16
// ARG: in null
// ARG: out int[16]
// EXPECT: out = -1
// RUN: maybe global=16
// ARG: in int[16] = i
// ARG: out int[16]
// EXPECT: out = i
kernel void maybe(global const int *in, global int *out)
{
    size_t i = get_global_id(0);
    out[i] = in ? in[i] : -1;
}
