// SPDX-License-Identifier: MIT
// Checks shared by the entry points that launch kernels.
#ifndef TF_API_PROGRAM_API_KERNEL_H
#define TF_API_PROGRAM_API_KERNEL_H

#include <CL/cl.h>

#include "core/command/ndrange.h"
#include "core/object/error.h"

// A kernel that can run on the queue with the arguments it has, in that index space,
// which is resolved into *range: CL_INVALID_COMMAND_QUEUE, CL_INVALID_KERNEL,
// CL_INVALID_CONTEXT, CL_INVALID_PROGRAM_EXECUTABLE, CL_INVALID_KERNEL_ARGS; errors of
// tf_ndrange_resolve().
cl_int check_launch(struct tf_err *err, cl_command_queue q, cl_kernel kernel,
                    const struct tf_ndrange_desc *desc, struct tf_ndrange *range);

// Sub-buffers among the arguments (set, alive) suit the queue's device:
// CL_MISALIGNED_SUB_BUFFER_OFFSET.
cl_int check_kernel_alignment(struct tf_err *err, cl_command_queue q, cl_kernel kernel);

// An argument of the kernel: CL_INVALID_KERNEL, CL_INVALID_ARG_INDEX.
cl_int check_arg_index(struct tf_err *err, cl_kernel kernel, cl_uint index);

#endif // TF_API_PROGRAM_API_KERNEL_H
