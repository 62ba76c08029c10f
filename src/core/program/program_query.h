// SPDX-License-Identifier: MIT
// clGetProgramInfo and clGetProgramBuildInfo (OpenCL 3.1 §5.8.9).
#ifndef TF_CORE_PROGRAM_PROGRAM_QUERY_H
#define TF_CORE_PROGRAM_PROGRAM_QUERY_H

#include "core/program/program.h"

// CL_INVALID_VALUE, CL_INVALID_PROGRAM_EXECUTABLE, CL_OUT_OF_HOST_MEMORY.
cl_int tf_program_get_info(struct tf_err *err, cl_program prog, cl_program_info param,
                           size_t size, void *value, size_t *size_ret)
    TF_EXCLUDES(&prog->lock);

// `index` is the device's in the program. CL_INVALID_VALUE.
cl_int tf_program_get_build_info(struct tf_err *err, cl_program prog, cl_uint index,
                                 cl_program_build_info param, size_t size, void *value,
                                 size_t *size_ret) TF_EXCLUDES(&prog->lock);

#endif // TF_CORE_PROGRAM_PROGRAM_QUERY_H
