// SPDX-License-Identifier: MIT
// cl_khr_work_group_uniform_arithmetic: products, bits and logic of a work-group.
// SKIP: unless extension cl_khr_work_group_uniform_arithmetic
// BUILD: options="-cl-std=CL3.0"
// RUN: operations global=12 local=6
// ARG: in int[12] = {3, 5, 7, 1, 15, 2, 0, 1, 0, 2, 4, 8}
// ARG: out int[120] = 7
// EXPECT: out[0..11] = {3150, 3150, 3150, 3150, 3150, 3150, 0, 0, 0, 0, 0, 0}
// EXPECT: out[12..23] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}
// EXPECT: out[24..35] = {15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15}
// EXPECT: out[36..47] = {3, 6, 1, 0, 15, 13, 0, 1, 1, 3, 7, 15}
// EXPECT: out[48..59] = {1, 3, 15, 105, 105, 1575, 1, 0, 0, 0, 0, 0}
// EXPECT: out[60..71] = {-1, 3, 1, 1, 1, 1, -1, 0, 0, 0, 0, 0}
// EXPECT: out[72..83] = {1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0}
// EXPECT: out[84..95] = {0, 1, 1, 1, 1, 1, 0, 0, 1, 1, 1, 1}
// EXPECT: out[96..107] = {1, 0, 1, 0, 1, 0, 0, 1, 1, 0, 1, 0}
// EXPECT: out[108..119] = {3150, 3150, 3150, 3150, 3150, 3150, 0, 0, 0, 0, 0, 0}
kernel void operations(global const int *in, global int *out)
{
    size_t g = get_global_id(0);
    int x = in[g];
    out[g] = work_group_reduce_mul(x);
    out[12 + g] = work_group_reduce_and(x);
    out[24 + g] = work_group_reduce_or(x);
    out[36 + g] = work_group_scan_inclusive_xor(x);
    out[48 + g] = work_group_scan_exclusive_mul(x);
    out[60 + g] = work_group_scan_exclusive_and(x);
    out[72 + g] = work_group_reduce_logical_and(x);
    out[84 + g] = work_group_scan_exclusive_logical_or(x);
    out[96 + g] = work_group_scan_inclusive_logical_xor(x);
    out[108 + g] = (int)work_group_reduce_mul((double)x);
}
