// SPDX-License-Identifier: MIT
// Checks shared by the entry points that launch kernels.
#ifndef TF_API_PROGRAM_API_KERNEL_H
#define TF_API_PROGRAM_API_KERNEL_H

#include <CL/cl.h>

#include "core/command/launch.h"
#include "core/object/error.h"

// All that a launch demands; *out takes what it needs (tf_launch_enqueue() or
// tf_launch_drop() is next, on failure neither): CL_INVALID_COMMAND_QUEUE,
// CL_INVALID_KERNEL, CL_INVALID_CONTEXT, CL_INVALID_EVENT_WAIT_LIST; errors of
// tf_launch_take().
cl_int check_launch(struct tf_err *err, const struct tf_enqueue *at, cl_command_type type,
                    cl_kernel kernel, const struct tf_ndrange_desc *desc,
                    struct tf_launch *out);

// An argument of the kernel: CL_INVALID_KERNEL, CL_INVALID_ARG_INDEX.
cl_int check_arg_index(struct tf_err *err, cl_kernel kernel, cl_uint index);

// What clSetKernelExecInfo demands.
cl_int check_exec_info(struct tf_err *err, cl_kernel kernel, cl_kernel_exec_info param,
                       size_t size, const void *value);

#endif // TF_API_PROGRAM_API_KERNEL_H
