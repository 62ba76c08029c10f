// SPDX-License-Identifier: MIT
#include "core/program/kernel_query.h"

#include <CL/cl_trefoil.h>

#include "core/object/error.h"
#include "core/object/info.h"
#include "core/platform/device_caps.h"

static bool is_of_source(cl_program prog)
{
    return prog->origin != TF_PROGRAM_BINARY && prog->origin != TF_PROGRAM_IL;
}

cl_int tf_kernel_get_info(struct tf_err *err, cl_kernel kernel, cl_kernel_info param,
                          size_t size, void *value, size_t *size_ret)
{
    const struct tf_info info = {size, value, size_ret};

    switch (param) {
    case CL_KERNEL_FUNCTION_NAME:
        return tf_info_string(err, &info, kernel->info->name);
    case CL_KERNEL_NUM_ARGS:
        return tf_info_scalar(err, &info, cl_uint, kernel->info->arg_count);
    case CL_KERNEL_REFERENCE_COUNT:
        return tf_info_scalar(err, &info, cl_uint, tf_object_user_refs(kernel));
    case CL_KERNEL_CONTEXT:
        return tf_info_scalar(err, &info, cl_context, kernel->obj.ctx);
    case CL_KERNEL_PROGRAM:
        return tf_info_scalar(err, &info, cl_program, kernel->program);
    case CL_KERNEL_ATTRIBUTES: // of kernels from source only
        return tf_info_string(
            err, &info, is_of_source(kernel->program) ? kernel->info->attributes : "");
    default:
        return tf_fail(err, CL_INVALID_VALUE, "kernel info 0x%x", param);
    }
}

cl_int tf_kernel_get_arg_info(struct tf_err *err, cl_kernel kernel, cl_uint index,
                              cl_kernel_arg_info param, size_t size, void *value,
                              size_t *size_ret)
{
    const struct tf_info info = {size, value, size_ret};
    const struct tf_kernel_arg_info *arg = &kernel->info->args[index];

    // Of source alone, whatever the other forms have kept (OpenCL 3.1 section 5.9.3).
    if ((!arg->name[0] && !arg->type_name[0]) || !is_of_source(kernel->program))
        return tf_fail(err, CL_KERNEL_ARG_INFO_NOT_AVAILABLE,
                       "the program has no argument names");
    switch (param) {
    case CL_KERNEL_ARG_ADDRESS_QUALIFIER:
        return tf_info_scalar(err, &info, cl_kernel_arg_address_qualifier,
                              arg->address_qualifier);
    case CL_KERNEL_ARG_ACCESS_QUALIFIER:
        return tf_info_scalar(err, &info, cl_kernel_arg_access_qualifier,
                              arg->access_qualifier);
    case CL_KERNEL_ARG_TYPE_NAME:
        return tf_info_string(err, &info, arg->type_name);
    case CL_KERNEL_ARG_TYPE_QUALIFIER:
        return tf_info_scalar(err, &info, cl_kernel_arg_type_qualifier,
                              arg->type_qualifier);
    case CL_KERNEL_ARG_NAME:
        return tf_info_string(err, &info, arg->name);
    default:
        return tf_fail(err, CL_INVALID_VALUE, "kernel argument info 0x%x", param);
    }
}

static cl_ulong local_memory(cl_kernel kernel, const struct tf_kernel_info *kernel_info)
{
    uint64_t bytes;

    return tf_kernel_local_bytes(kernel, kernel_info, &bytes) ? bytes : UINT64_MAX;
}

// Groups of whole sub-groups, or of as many work-items as a vector of the machine has
// 32-bit elements.
static size_t group_multiple(const struct tf_device *dev,
                             const struct tf_kernel_info *kernel_info)
{
    if (kernel_info->sub_group_size)
        return kernel_info->sub_group_size;
    return dev->info->vector_bits >= 32 ? dev->info->vector_bits / 32 : 1;
}

cl_int tf_kernel_get_group_info(struct tf_err *err, cl_kernel kernel,
                                const struct tf_kernel_device *on,
                                cl_kernel_work_group_info param, size_t size, void *value,
                                size_t *size_ret)
{
    const struct tf_info info = {size, value, size_ret};
    const struct tf_kernel_info *entry = tf_kernel_device_info(on);
    struct tf_device *dev = on->built->dev;
    const size_t required[3] = {entry->reqd_local_size[0], entry->reqd_local_size[1],
                                entry->reqd_local_size[2]};

    switch (param) {
    case CL_KERNEL_WORK_GROUP_SIZE:
        return tf_info_scalar(err, &info, size_t,
                              dev->ops->group_size(dev, entry, 0, NULL, NULL));
    case CL_KERNEL_COMPILE_WORK_GROUP_SIZE:
        return tf_info_value(err, &info, required, sizeof(required));
    case CL_KERNEL_LOCAL_MEM_SIZE:
        return tf_info_scalar(err, &info, cl_ulong, local_memory(kernel, entry));
    case CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:
        return tf_info_scalar(err, &info, size_t, group_multiple(dev, entry));
    case CL_KERNEL_PRIVATE_MEM_SIZE:
        return tf_info_scalar(err, &info, cl_ulong, entry->private_bytes);
    case CL_KERNEL_SPILL_MEM_SIZE_INTEL: // spilled registers lie in private memory
        return tf_info_scalar(err, &info, cl_ulong, 0);
    case CL_KERNEL_GLOBAL_WORK_SIZE: // of built-in kernels, which no device has
    default:
        return tf_fail(err, CL_INVALID_VALUE, "kernel work-group info 0x%x", param);
    }
}
