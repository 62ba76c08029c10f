// SPDX-License-Identifier: MIT
// clGetKernelInfo, clGetKernelArgInfo, clGetKernelWorkGroupInfo, clGetKernelSubGroupInfo
// (OpenCL 3.1 §5.9.4).
#ifndef TF_CORE_PROGRAM_KERNEL_QUERY_H
#define TF_CORE_PROGRAM_KERNEL_QUERY_H

#include "core/program/kernel.h"

// CL_INVALID_VALUE.
cl_int tf_kernel_get_info(struct tf_err *err, cl_kernel kernel, cl_kernel_info param,
                          size_t size, void *value, size_t *size_ret);

// `index` is checked. CL_INVALID_VALUE, CL_KERNEL_ARG_INFO_NOT_AVAILABLE.
cl_int tf_kernel_get_arg_info(struct tf_err *err, cl_kernel kernel, cl_uint index,
                              cl_kernel_arg_info param, size_t size, void *value,
                              size_t *size_ret);

// `on` is the kernel on a device. CL_INVALID_VALUE.
cl_int tf_kernel_get_group_info(struct tf_err *err, cl_kernel kernel,
                                const struct tf_kernel_device *on,
                                cl_kernel_work_group_info param, size_t size, void *value,
                                size_t *size_ret);

struct tf_sub_group_query {
    cl_kernel_sub_group_info param;
    size_t input_bytes;
    const void *input;
};

// `on` is the kernel on a device. CL_INVALID_OPERATION (no sub-groups), CL_INVALID_VALUE.
cl_int tf_kernel_get_sub_group_info(struct tf_err *err, const struct tf_kernel_device *on,
                                    const struct tf_sub_group_query *query, size_t size,
                                    void *value, size_t *size_ret);

#endif // TF_CORE_PROGRAM_KERNEL_QUERY_H
