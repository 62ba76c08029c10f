// SPDX-License-Identifier: MIT
// Checks shared by the entry points that take programs.
#ifndef TF_API_PROGRAM_API_PROGRAM_H
#define TF_API_PROGRAM_API_PROGRAM_H

#include <CL/cl.h>

#include "core/object/error.h"

// An optional list: CL_INVALID_VALUE when count and list do not agree.
cl_int check_device_list(struct tf_err *err, cl_uint count, const cl_device_id *devices);

// The devices of a list are the program's: CL_INVALID_DEVICE.
cl_int check_program_devices(struct tf_err *err, cl_program prog, cl_uint count,
                             const cl_device_id *devices);

// The devices of a list are the context's: CL_INVALID_DEVICE.
cl_int check_context_devices(struct tf_err *err, cl_context ctx, cl_uint count,
                             const cl_device_id *devices);

#endif // TF_API_PROGRAM_API_PROGRAM_H
