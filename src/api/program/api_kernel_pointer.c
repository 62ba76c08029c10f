// SPDX-License-Identifier: MIT
// Kernel arguments that are addresses, and what a kernel tells of addresses that it finds
// on its own: shared virtual memory, cl_intel_unified_shared_memory,
// cl_ext_buffer_device_address.
#include "api/dispatch.h"

#include <string.h>

#include <CL/cl_trefoil.h>

#include "api/api_common.h"
#include "api/program/api_kernel.h"
#include "core/memory/svm.h"
#include "core/platform/device_caps.h"
#include "core/program/kernel.h"

static cl_int check_usm_pointer(struct tf_err *err, cl_kernel kernel, cl_uint index)
{
    if (check_arg_index(err, kernel, index))
        return err->code;
    TF_REQUIRE(err, kernel->info->args[index].kind == TF_ARG_BUFFER, CL_INVALID_ARG_VALUE,
               "argument %u is no pointer to global or constant memory", index);
    return CL_SUCCESS;
}

static cl_int check_svm_pointer(struct tf_err *err, cl_kernel kernel, cl_uint index)
{
    if (check_kernel(err, kernel))
        return err->code;
    TF_REQUIRE(err, tf_svm_supported(err->ctx, TF_SVM_ANY), CL_INVALID_OPERATION,
               "no device of the context has SVM");
    return check_usm_pointer(err, kernel, index);
}

CL_API_ENTRY cl_int CL_API_CALL clSetKernelArgSVMPointer(cl_kernel kernel,
                                                         cl_uint arg_index,
                                                         const void *arg_value)
{
    struct tf_err err = {0};

    if (!check_svm_pointer(&err, kernel, arg_index))
        tf_kernel_arg_set_address(kernel, arg_index, (uintptr_t)arg_value);
    return tf_report(&err, __func__);
}

CL_API_ENTRY cl_int CL_API_CALL clSetKernelArgMemPointerINTEL(cl_kernel kernel,
                                                              cl_uint arg_index,
                                                              const void *arg_value)
{
    struct tf_err err = {0};

    if (!check_usm_pointer(&err, kernel, arg_index))
        tf_kernel_arg_set_address(kernel, arg_index, (uintptr_t)arg_value);
    return tf_report(&err, __func__);
}

static cl_int check_device_pointer(struct tf_err *err, cl_kernel kernel, cl_uint index)
{
    const struct tf_kernel_arg_info *arg;

    if (check_kernel(err, kernel))
        return err->code;
    TF_REQUIRE(err, tf_svm_supported(err->ctx, TF_SVM_ANY), CL_INVALID_OPERATION,
               "no device of the context has device addresses");
    if (check_arg_index(err, kernel, index))
        return err->code;
    arg = &kernel->info->args[index];
    TF_REQUIRE(err,
               arg->kind == TF_ARG_BUFFER &&
                   arg->address_qualifier == CL_KERNEL_ARG_ADDRESS_GLOBAL,
               CL_INVALID_ARG_INDEX, "argument %u is no pointer to global memory", index);
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clSetKernelArgDevicePointerEXT(
    cl_kernel kernel, cl_uint arg_index, cl_mem_device_address_ext arg_value)
{
    struct tf_err err = {0};

    if (!check_device_pointer(&err, kernel, arg_index))
        tf_kernel_arg_set_address(kernel, arg_index, arg_value);
    return tf_report(&err, __func__);
}

// ---- Execution information ----

// The value of clSetKernelExecInfo.
struct exec_info {
    size_t size;
    const void *value;
};

// Pointers and device addresses have one size. None at all is a legal list.
static cl_int check_list(struct tf_err *err, const struct exec_info *info)
{
    TF_REQUIRE(err, info->value || info->size == 0, CL_INVALID_VALUE,
               "param_value is NULL but param_value_size is %zu", info->size);
    TF_REQUIRE(err, info->size % sizeof(cl_ulong) == 0, CL_INVALID_VALUE,
               "param_value_size %zu is no list of addresses", info->size);
    return CL_SUCCESS;
}

static cl_int check_flag(struct tf_err *err, const struct exec_info *info)
{
    TF_REQUIRE(err, info->value, CL_INVALID_VALUE, "param_value is NULL");
    TF_REQUIRE(err, info->size == sizeof(cl_bool), CL_INVALID_VALUE,
               "param_value_size %zu is not that of a cl_bool", info->size);
    return CL_SUCCESS;
}

static cl_int check_fine_grain_system(struct tf_err *err, const struct exec_info *info)
{
    if (check_flag(err, info))
        return err->code;
    TF_REQUIRE(err,
               !*(const cl_bool *)info->value ||
                   tf_svm_supported(err->ctx, CL_DEVICE_SVM_FINE_GRAIN_SYSTEM),
               CL_INVALID_OPERATION,
               "no device of the context has fine-grained system sharing");
    return CL_SUCCESS;
}

static cl_int check_dispatch_type(struct tf_err *err, const struct exec_info *info)
{
    cl_kernel_exec_info_dispatch_type_intel type;

    TF_REQUIRE(err, info->value, CL_INVALID_VALUE, "param_value is NULL");
    TF_REQUIRE(err, info->size == sizeof(type), CL_INVALID_VALUE,
               "param_value_size %zu is not that of a dispatch type", info->size);
    memcpy(&type, info->value, sizeof(type));
    TF_REQUIRE(err,
               type == CL_KERNEL_EXEC_INFO_DISPATCH_TYPE_DEFAULT_INTEL ||
                   type == CL_KERNEL_EXEC_INFO_DISPATCH_TYPE_CONCURRENT_INTEL,
               CL_INVALID_VALUE, "dispatch type %u", type);
    for (cl_uint i = 0; i < err->ctx->device_count; i++)
        if (tf_device_caps_has(err->ctx->devices[i]->dev->caps,
                               TF_FEATURE_cl_intel_concurrent_dispatch))
            return CL_SUCCESS;
    TF_REQUIRE(err, type == CL_KERNEL_EXEC_INFO_DISPATCH_TYPE_DEFAULT_INTEL,
               CL_INVALID_OPERATION,
               "no device of the context runs work-groups concurrently");
    return CL_SUCCESS;
}

cl_int check_exec_info(struct tf_err *err, cl_kernel kernel, cl_kernel_exec_info param,
                       size_t size, const void *value)
{
    const struct exec_info given = {.size = size, .value = value}, *info = &given;

    if (check_kernel(err, kernel))
        return err->code;
    switch (param) {
    case CL_KERNEL_EXEC_INFO_SVM_PTRS:
    case CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT:
        TF_REQUIRE(err, tf_svm_supported(err->ctx, TF_SVM_ANY), CL_INVALID_OPERATION,
                   "no device of the context has SVM");
        return check_list(err, info);
    case CL_KERNEL_EXEC_INFO_SVM_INDIRECT_ACCESS_KHR:
        TF_REQUIRE(err, tf_svm_supported(err->ctx, TF_SVM_ANY), CL_INVALID_OPERATION,
                   "no device of the context has SVM");
        return check_flag(err, info);
    case CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM:
        return check_fine_grain_system(err, info);
    case CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL:
        TF_REQUIRE(err, tf_usm_supported(err->ctx), CL_INVALID_OPERATION,
                   "no device of the context has unified shared memory");
        return check_list(err, info);
    case CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL:
    case CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL:
    case CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL:
        TF_REQUIRE(err, tf_usm_supported(err->ctx), CL_INVALID_OPERATION,
                   "no device of the context has unified shared memory");
        return check_flag(err, info);
    case CL_KERNEL_EXEC_INFO_DISPATCH_TYPE_INTEL:
        return check_dispatch_type(err, info);
    default:
        return tf_fail(err, CL_INVALID_VALUE, "param_name 0x%x", param);
    }
}

// Of pointers nothing is kept: it would only permit what a kernel may do anyway, on a
// device where every address of the process is as good as another. So a clone has it too,
// and a launch has no list to walk.
CL_API_ENTRY cl_int CL_API_CALL clSetKernelExecInfo(cl_kernel kernel,
                                                    cl_kernel_exec_info param_name,
                                                    size_t param_value_size,
                                                    const void *param_value)
{
    struct tf_err err = {0};

    if (!check_exec_info(&err, kernel, param_name, param_value_size, param_value) &&
        param_name == CL_KERNEL_EXEC_INFO_DISPATCH_TYPE_INTEL)
        kernel->is_concurrent =
            *(const cl_kernel_exec_info_dispatch_type_intel *)param_value ==
            CL_KERNEL_EXEC_INFO_DISPATCH_TYPE_CONCURRENT_INTEL;
    return tf_report(&err, __func__);
}
