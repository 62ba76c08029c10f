// SPDX-License-Identifier: MIT
// The index space of a kernel launch: the rules of clEnqueueNDRangeKernel (OpenCL 3.1
// §5.8) for sizes and offsets, and the choice of a local size where the application made
// none. Pure arithmetic on the kernel table and the device's capabilities.
#ifndef TF_CORE_COMMAND_NDRANGE_H
#define TF_CORE_COMMAND_NDRANGE_H

#include <stdbool.h>
#include <stddef.h>

#include <CL/cl.h>

#include "core/platform/device_interface.h"

struct tf_err;

// As the application gave it. Arrays of work_dim values, each may be NULL.
struct tf_ndrange_desc {
    cl_uint work_dim;
    const size_t *global_offset;
    const size_t *global_size; // NULL: nothing to do
    const size_t *local_size;  // NULL: the implementation chooses
};

// In work-items; unused dimensions have size 1 and offset 0.
struct tf_ndrange {
    cl_uint work_dim;
    bool empty; // some global size is 0: the command completes without running
    size_t global_offset[3];
    size_t global_size[3];
    size_t local_size[3]; // never 0
};

// Checks everything and decides the local size. CL_INVALID_WORK_DIMENSION,
// CL_INVALID_GLOBAL_OFFSET, CL_INVALID_WORK_GROUP_SIZE, CL_INVALID_WORK_ITEM_SIZE,
// CL_OUT_OF_RESOURCES (more work-groups than 64 bits count).
cl_int tf_ndrange_resolve(struct tf_err *err, struct tf_device *dev,
                          const struct tf_kernel_info *kernel,
                          const struct tf_ndrange_desc *desc, struct tf_ndrange *out);

// True if every work-group must have the enqueued local size.
bool tf_ndrange_must_be_uniform(const struct tf_device *dev,
                                const struct tf_kernel_info *kernel);

#endif // TF_CORE_COMMAND_NDRANGE_H
