// SPDX-License-Identifier: MIT
// Small kernels whose answer the host knows: kernel(global uint *out) over KERNEL_ITEMS
// work-items in groups of KERNEL_GROUP, out filled with 0 before.
#ifndef TREFOIL_INFO_KERNELS_H
#define TREFOIL_INFO_KERNELS_H

#include <CL/cl.h>

enum { KERNEL_ITEMS = 1024, KERNEL_GROUP = 64, KERNEL_COUNT = 6 };

struct known_kernel {
    const char *name;
    cl_uint (*answer)(cl_uint i);
};

extern const char kernel_source[];
extern const struct known_kernel known_kernels[KERNEL_COUNT];

#endif // TREFOIL_INFO_KERNELS_H
