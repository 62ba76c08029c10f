// SPDX-License-Identifier: MIT
// Commands that run code: NDRange kernels, tasks, native kernels (OpenCL 3.1 §5.10).
#ifndef TF_CORE_COMMAND_COMMAND_KERNEL_H
#define TF_CORE_COMMAND_COMMAND_KERNEL_H

#include "core/command/enqueue.h"
#include "core/command/ndrange.h"
#include "core/program/kernel.h"

// Enqueues `kernel`, whose arguments are all usable, on the device of at->queue, which
// has it; `range` is resolved for that device. `type` is CL_COMMAND_NDRANGE_KERNEL or
// CL_COMMAND_TASK. The command takes the argument values as they are now, and references
// to memory objects and code. CL_OUT_OF_RESOURCES when a group needs more local memory
// than the device has; CL_OUT_OF_HOST_MEMORY.
cl_int tf_enqueue_kernel(struct tf_err *err, const struct tf_enqueue *at,
                         cl_command_type type, cl_kernel kernel,
                         const struct tf_ndrange *range);

struct tf_native_desc {
    void(CL_CALLBACK *fn)(void *);
    const void *args; // copied; NULL: fn gets NULL
    size_t args_bytes;
    cl_uint mem_count;
    const cl_mem *mems;        // an entry may be NULL
    const size_t *mem_offsets; // per mem: where in args its address goes, inside of args
};

// Enqueues a host function. CL_OUT_OF_HOST_MEMORY, CL_OUT_OF_RESOURCES.
cl_int tf_enqueue_native(struct tf_err *err, const struct tf_enqueue *at,
                         const struct tf_native_desc *desc);

#endif // TF_CORE_COMMAND_COMMAND_KERNEL_H
