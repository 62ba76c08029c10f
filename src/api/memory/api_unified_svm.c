// SPDX-License-Identifier: MIT
// cl_khr_unified_svm: allocations of a type, and what is known of a pointer.
#include "api/dispatch.h"

#include "abi/long16.h"
#include "api/api_common.h"
#include "core/memory/svm.h"
#include "core/object/info.h"
#include "core/platform/device.h"
#include "core/platform/svm_types.h"

static const uint64_t known_properties[] = {CL_SVM_ALLOC_ASSOCIATED_DEVICE_HANDLE_KHR,
                                            CL_SVM_ALLOC_ACCESS_FLAGS_KHR,
                                            CL_SVM_ALLOC_ALIGNMENT_KHR};

#define ACCESS_FLAGS                                                              \
    (CL_SVM_ALLOC_ACCESS_HOST_NOREAD_KHR | CL_SVM_ALLOC_ACCESS_HOST_NOWRITE_KHR | \
     CL_SVM_ALLOC_ACCESS_DEVICE_NOREAD_KHR | CL_SVM_ALLOC_ACCESS_DEVICE_NOWRITE_KHR)

// What the properties say, of a checked context.
static cl_int check_properties(struct tf_err *err, cl_context ctx,
                               const cl_svm_alloc_properties_khr *properties,
                               struct tf_svm_desc *desc)
{
    if (tf_props_check(err, properties, known_properties, 3, CL_INVALID_PROPERTY,
                       &desc->property_count))
        return err->code;
    desc->properties = properties;
    desc->device = (cl_device_id)(uintptr_t)tf_props_value(
        properties, CL_SVM_ALLOC_ASSOCIATED_DEVICE_HANDLE_KHR, 0);
    desc->access = tf_props_value(properties, CL_SVM_ALLOC_ACCESS_FLAGS_KHR, 0);
    desc->align_bytes = tf_props_value(properties, CL_SVM_ALLOC_ALIGNMENT_KHR, 0);
    TF_REQUIRE(err, !desc->device || tf_context_has_device(ctx, desc->device),
               CL_INVALID_PROPERTY, "not a device of the context");
    TF_REQUIRE(err, !(desc->access & ~(uint64_t)ACCESS_FLAGS), CL_INVALID_PROPERTY,
               "access flags 0x%llx", (unsigned long long)desc->access);
    TF_REQUIRE(err,
               (desc->align_bytes & (desc->align_bytes - 1)) == 0 &&
                   desc->align_bytes <= TF_LONG16_BYTES,
               CL_INVALID_PROPERTY, "alignment %zu is no power of two up to %u",
               desc->align_bytes, TF_LONG16_BYTES);
    return CL_SUCCESS;
}

// What the device, or all devices of the context, can do with a type.
static cl_svm_capabilities_khr promises(cl_context ctx, cl_device_id device, cl_uint type)
{
    cl_svm_capabilities_khr all = tf_svm_type_promises(type), some = 0;

    if (device)
        return tf_svm_type_on(device->caps, type);
    for (cl_uint i = 0; i < ctx->device_count; i++) {
        const cl_svm_capabilities_khr on = tf_svm_type_on(ctx->devices[i]->caps, type);

        some |= on;
        if (on)
            all &= on;
    }
    return some ? all : 0;
}

static cl_int check_alloc(struct tf_err *err, cl_context ctx,
                          const cl_svm_alloc_properties_khr *properties, cl_uint type,
                          struct tf_svm_desc *desc)
{
    cl_svm_capabilities_khr has;

    if (check_context(err, ctx) || check_properties(err, ctx, properties, desc))
        return err->code;
    TF_REQUIRE(err, type < TF_SVM_TYPE_COUNT, CL_INVALID_VALUE, "SVM type %u of %u", type,
               TF_SVM_TYPE_COUNT);
    has = promises(ctx, desc->device, type);
    TF_REQUIRE(err, has, CL_INVALID_OPERATION, "no device has SVM type %u", type);
    TF_REQUIRE(err, !(has & CL_SVM_CAPABILITY_SYSTEM_ALLOCATED_KHR), CL_INVALID_OPERATION,
               "SVM type %u is the system's to allocate", type);
    TF_REQUIRE(err, desc->device || has & CL_SVM_CAPABILITY_DEVICE_UNASSOCIATED_KHR,
               CL_INVALID_PROPERTY, "SVM type %u belongs to a device", type);
    return CL_SUCCESS;
}

CL_API_ENTRY void *CL_API_CALL clSVMAllocWithPropertiesKHR(
    cl_context context, const cl_svm_alloc_properties_khr *properties,
    cl_uint svm_type_index, size_t size, cl_int *errcode_ret)
{
    struct tf_svm_desc desc = {
        .kind = TF_SVM_BUFFER, .type = svm_type_index, .size_bytes = size};
    struct tf_err err = {0};
    void *ptr = NULL;

    if (!check_alloc(&err, context, properties, svm_type_index, &desc) && size > 0)
        tf_svm_alloc(&err, context, &desc, &ptr);
    return tf_return_object(&err, __func__, ptr, errcode_ret);
}

static cl_int check_free(struct tf_err *err, cl_context ctx,
                         const cl_svm_free_properties_khr *properties,
                         cl_svm_free_flags_khr flags)
{
    if (check_any_context(err, ctx))
        return err->code;
    TF_REQUIRE(err, !properties || !*properties, CL_INVALID_PROPERTY,
               "unknown property 0x%llx", (unsigned long long)*properties);
    TF_REQUIRE(err, !flags, CL_INVALID_VALUE, "flags 0x%llx", (unsigned long long)flags);
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clSVMFreeWithPropertiesKHR(
    cl_context context, const cl_svm_free_properties_khr *properties,
    cl_svm_free_flags_khr flags, void *ptr)
{
    struct tf_err err = {0};

    if (!check_free(&err, context, properties, flags) && ptr)
        tf_svm_free(&err, context, TF_SVM_BUFFER, ptr);
    return tf_report(&err, __func__);
}

// Of a pointer into no allocation everything is 0, but for the index.
static cl_int get_info(struct tf_err *err, cl_context ctx, cl_device_id device,
                       const void *ptr, cl_svm_pointer_info_khr param,
                       const struct tf_info *info)
{
    struct tf_svm_info svm;
    const bool found = tf_svm_find(ctx, TF_SVM_BUFFER, ptr, &svm);

    if (!found)
        svm = (struct tf_svm_info){.kind = TF_SVM_BUFFER, .type = CL_UINT_MAX};
    if (!device)
        device = svm.device;
    switch (param) {
    case CL_SVM_INFO_TYPE_INDEX_KHR:
        return tf_info_scalar(err, info, cl_uint, svm.type);
    case CL_SVM_INFO_CAPABILITIES_KHR:
        return tf_info_scalar(err, info, cl_svm_capabilities_khr,
                              found ? promises(ctx, device, svm.type) : 0);
    case CL_SVM_INFO_PROPERTIES_KHR:
        return tf_props_put(err, info, &svm.props);
    case CL_SVM_INFO_ACCESS_FLAGS_KHR:
        return tf_info_scalar(err, info, cl_svm_alloc_access_flags_khr, svm.access);
    case CL_SVM_INFO_BASE_PTR_KHR:
        return tf_info_scalar(err, info, void *, svm.start);
    case CL_SVM_INFO_SIZE_KHR:
        return tf_info_scalar(err, info, size_t, svm.size_bytes);
    case CL_SVM_INFO_ASSOCIATED_DEVICE_HANDLE_KHR:
        return tf_info_scalar(err, info, cl_device_id, svm.device);
    default:
        return tf_fail(err, CL_INVALID_VALUE, "SVM info 0x%x", param);
    }
}

static cl_int check_info(struct tf_err *err, cl_context ctx, cl_device_id device)
{
    if (check_any_context(err, ctx))
        return err->code;
    TF_REQUIRE(err, !device || tf_context_has_device(ctx, device), CL_INVALID_DEVICE,
               "not a device of the context");
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL
clGetSVMPointerInfoKHR(cl_context context, cl_device_id device, const void *ptr,
                       cl_svm_pointer_info_khr param_name, size_t param_value_size,
                       void *param_value, size_t *param_value_size_ret)
{
    const struct tf_info info = {param_value_size, param_value, param_value_size_ret};
    struct tf_err err = {0};

    if (!check_info(&err, context, device))
        get_info(&err, context, device, ptr, param_name, &info);
    return tf_report(&err, __func__);
}

static cl_int check_suggest(struct tf_err *err, cl_context ctx,
                            const cl_svm_alloc_properties_khr *properties,
                            const cl_uint *index, struct tf_svm_desc *desc)
{
    if (check_any_context(err, ctx) || check_properties(err, ctx, properties, desc))
        return err->code;
    TF_REQUIRE(err, index, CL_INVALID_VALUE, "suggested_svm_type_index is NULL");
    return CL_SUCCESS;
}

// The first type with all that is required and most of what is desired.
static cl_uint suggest(cl_context ctx, cl_device_id device,
                       cl_svm_capabilities_khr required, cl_svm_capabilities_khr desired)
{
    cl_uint best = CL_UINT_MAX;
    int most = -1;

    for (cl_uint type = 0; type < TF_SVM_TYPE_COUNT; type++) {
        const cl_svm_capabilities_khr has = promises(ctx, device, type);
        const int count = __builtin_popcountll(has & desired);

        if (!has || (has & required) != required || count <= most)
            continue;
        if (!device && !(has & CL_SVM_CAPABILITY_DEVICE_UNASSOCIATED_KHR))
            continue;
        best = type;
        most = count;
    }
    return best;
}

CL_API_ENTRY cl_int CL_API_CALL clGetSVMSuggestedTypeIndexKHR(
    cl_context context, cl_svm_capabilities_khr required_capabilities,
    cl_svm_capabilities_khr desired_capabilities,
    const cl_svm_alloc_properties_khr *properties, size_t size,
    cl_uint *suggested_svm_type_index)
{
    struct tf_svm_desc desc = {.kind = TF_SVM_BUFFER, .size_bytes = size};
    struct tf_err err = {0};

    if (!check_suggest(&err, context, properties, suggested_svm_type_index, &desc))
        *suggested_svm_type_index =
            suggest(context, desc.device, required_capabilities, desired_capabilities);
    return tf_report(&err, __func__);
}
