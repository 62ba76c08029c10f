// SPDX-License-Identifier: MIT
// clGetDeviceInfo (OpenCL 3.1 §4.2).
#ifndef TF_CORE_PLATFORM_DEVICE_QUERY_H
#define TF_CORE_PLATFORM_DEVICE_QUERY_H

#include <CL/cl.h>

struct tf_err;

// CL_INVALID_VALUE, CL_OUT_OF_HOST_MEMORY.
cl_int tf_device_get_info(struct tf_err *err, cl_device_id device, cl_device_info param,
                          size_t size, void *value, size_t *size_ret);

#endif // TF_CORE_PLATFORM_DEVICE_QUERY_H
