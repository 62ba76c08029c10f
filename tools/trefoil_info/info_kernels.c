// SPDX-License-Identifier: MIT
// The kernels of the self-test, and their answers.
#include "info_kernels.h"

const char kernel_source[] =
    "kernel void integers(global uint *out) {\n"
    "  uint i = get_global_id(0);\n"
    "  out[i] = (i * 2654435761u ^ i >> 3) % (i % 7 + 1);\n"
    "}\n"
    "kernel void reals(global uint *out) {\n"
    "  uint i = get_global_id(0);\n"
    "  float x = sqrt((float)(i * i)) + fma((float)i, 0.5f, 0.25f);\n"
    "  out[i] = convert_uint_rte(4.0f * x);\n"
    "}\n"
    "kernel void branches(global uint *out) {\n"
    "  uint i = get_global_id(0), n = i + 1, steps = 0;\n"
    "  for (;; ++steps) {\n"
    "    if (n == 1) break;\n"
    "    if (n & 1) { n = 3 * n + 1; continue; }\n"
    "    n >>= 1;\n"
    "  }\n"
    "  out[i] = steps;\n"
    "}\n"
    "kernel void barriers(global uint *out) {\n"
    "  local uint part[64];\n"
    "  uint l = get_local_id(0), i = get_global_id(0);\n"
    "  part[l] = i;\n"
    "  for (uint step = 32; step > 0; step >>= 1) {\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (l < step) part[l] += part[l + step];\n"
    "  }\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  out[i] = part[0] + l;\n"
    "}\n"
    "kernel void atomics(global uint *out) {\n"
    "  uint i = get_global_id(0);\n"
    "  atomic_add(&out[i % 16], i);\n"
    "}\n"
    "#ifdef cl_khr_subgroups\n"
    "#pragma OPENCL EXTENSION cl_khr_subgroups : enable\n"
    "kernel void sub_groups(global uint *out) {\n"
    "  uint i = get_global_id(0);\n"
    "  out[i] = sub_group_reduce_add(1u) == get_sub_group_size() ? i : ~0u;\n"
    "}\n"
    "#endif\n";

static cl_uint integers(cl_uint i)
{
    return ((i * 2654435761u) ^ (i >> 3)) % (i % 7 + 1);
}

static cl_uint reals(cl_uint i)
{
    return 6 * i + 1; // every step of it is exact
}

static cl_uint branches(cl_uint i)
{
    cl_uint steps = 0;

    for (cl_uint n = i + 1; n != 1; steps++)
        n = n & 1 ? 3 * n + 1 : n >> 1;
    return steps;
}

static cl_uint barriers(cl_uint i)
{
    const cl_uint first = i / KERNEL_GROUP * KERNEL_GROUP;

    return KERNEL_GROUP * first + KERNEL_GROUP * (KERNEL_GROUP - 1) / 2 +
           i % KERNEL_GROUP;
}

static cl_uint atomics(cl_uint i)
{
    cl_uint sum = 0;

    for (cl_uint k = i; i < 16 && k < KERNEL_ITEMS; k += 16)
        sum += k;
    return sum;
}

static cl_uint sub_groups(cl_uint i)
{
    return i;
}

const struct known_kernel known_kernels[KERNEL_COUNT] = {
    {"integers", integers}, {"reals", reals},     {"branches", branches},
    {"barriers", barriers}, {"atomics", atomics}, {"sub_groups", sub_groups},
};
