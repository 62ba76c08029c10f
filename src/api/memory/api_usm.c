// SPDX-License-Identifier: MIT
// cl_intel_unified_shared_memory: making, freeing and describing allocations.
#include "abi/long16.h"
#include "api/dispatch.h"

#include "api/api_common.h"
#include "core/memory/svm.h"
#include "core/object/info.h"
#include "core/object/props.h"
#include "core/platform/device.h"
#include "core/schedule/queue.h"

#define PLACEMENT_FLAGS                            \
    (CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL | \
     CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL)

static const uint64_t known_properties[] = {CL_MEM_ALLOC_FLAGS_INTEL};

static cl_mem_alloc_flags_intel flags_of(const cl_mem_properties_intel *properties)
{
    return tf_props_value(properties, CL_MEM_ALLOC_FLAGS_INTEL, 0);
}

// `placements` are the placement hints that this kind of allocation may have.
static cl_int check_properties(struct tf_err *err,
                               const cl_mem_properties_intel *properties,
                               cl_mem_alloc_flags_intel placements)
{
    cl_mem_alloc_flags_intel flags;
    size_t count;

    if (tf_props_check(err, properties, known_properties, 1, CL_INVALID_PROPERTY, &count))
        return err->code;
    flags = flags_of(properties);
    TF_REQUIRE(err, !(flags & ~(CL_MEM_ALLOC_WRITE_COMBINED_INTEL | placements)),
               CL_INVALID_PROPERTY, "allocation flags 0x%llx", (unsigned long long)flags);
    TF_REQUIRE(err, (flags & PLACEMENT_FLAGS) != PLACEMENT_FLAGS, CL_INVALID_PROPERTY,
               "allocation flags 0x%llx: two places to begin in",
               (unsigned long long)flags);
    return CL_SUCCESS;
}

static cl_int check_sizes(struct tf_err *err, size_t alignment, size_t size,
                          uint64_t most_bytes)
{
    TF_REQUIRE(err, (alignment & (alignment - 1)) == 0 && alignment <= TF_LONG16_BYTES,
               CL_INVALID_VALUE, "alignment %zu is no power of two up to %u", alignment,
               TF_LONG16_BYTES);
    TF_REQUIRE(err, size > 0, CL_INVALID_BUFFER_SIZE, "size is 0");
    TF_REQUIRE(err, size <= most_bytes, CL_INVALID_BUFFER_SIZE, "size %zu, at most %llu",
               size, (unsigned long long)most_bytes);
    return CL_SUCCESS;
}

// A device of the context that has unified shared memory.
static cl_int check_usm_device(struct tf_err *err, cl_context ctx, cl_device_id device)
{
    TF_REQUIRE(err, device && tf_context_has_device(ctx, device), CL_INVALID_DEVICE,
               "not a device of the context");
    TF_REQUIRE(err, device->caps->usm, CL_INVALID_OPERATION,
               "the device has no unified shared memory");
    return CL_SUCCESS;
}

static cl_int check_usm_context(struct tf_err *err, cl_context ctx)
{
    TF_REQUIRE(err, tf_usm_supported(ctx), CL_INVALID_OPERATION,
               "no device of the context has unified shared memory");
    return CL_SUCCESS;
}

static cl_int check_alloc(struct tf_err *err, cl_context ctx,
                          const struct tf_svm_desc *desc,
                          const cl_mem_properties_intel *properties)
{
    const bool on_device = desc->device || desc->kind == TF_SVM_DEVICE;

    if (check_context(err, ctx))
        return err->code;
    if (on_device ? check_usm_device(err, ctx, desc->device)
                  : check_usm_context(err, ctx))
        return err->code;
    if (check_properties(err, properties,
                         desc->kind == TF_SVM_SHARED ? PLACEMENT_FLAGS : 0))
        return err->code;
    return check_sizes(err, desc->align_bytes, desc->size_bytes,
                       desc->device ? desc->device->caps->max_alloc_bytes
                                    : tf_svm_max_bytes(ctx));
}

static void *allocate(struct tf_err *err, cl_context ctx, struct tf_svm_desc desc,
                      const cl_mem_properties_intel *properties)
{
    void *ptr = NULL;

    if (check_alloc(err, ctx, &desc, properties))
        return NULL;
    desc.flags = flags_of(properties);
    tf_svm_alloc(err, ctx, &desc, &ptr);
    return ptr;
}

CL_API_ENTRY void *CL_API_CALL
clHostMemAllocINTEL(cl_context context, const cl_mem_properties_intel *properties,
                    size_t size, cl_uint alignment, cl_int *errcode_ret)
{
    const struct tf_svm_desc desc = {
        .kind = TF_SVM_HOST, .size_bytes = size, .align_bytes = alignment};
    struct tf_err err = {0};
    void *ptr = allocate(&err, context, desc, properties);

    return tf_return_object(&err, __func__, ptr, errcode_ret);
}

CL_API_ENTRY void *CL_API_CALL clDeviceMemAllocINTEL(
    cl_context context, cl_device_id device, const cl_mem_properties_intel *properties,
    size_t size, cl_uint alignment, cl_int *errcode_ret)
{
    const struct tf_svm_desc desc = {.kind = TF_SVM_DEVICE,
                                     .device = device,
                                     .size_bytes = size,
                                     .align_bytes = alignment};
    struct tf_err err = {0};
    void *ptr = allocate(&err, context, desc, properties);

    return tf_return_object(&err, __func__, ptr, errcode_ret);
}

CL_API_ENTRY void *CL_API_CALL clSharedMemAllocINTEL(
    cl_context context, cl_device_id device, const cl_mem_properties_intel *properties,
    size_t size, cl_uint alignment, cl_int *errcode_ret)
{
    const struct tf_svm_desc desc = {.kind = TF_SVM_SHARED,
                                     .device = device,
                                     .size_bytes = size,
                                     .align_bytes = alignment};
    struct tf_err err = {0};
    void *ptr = allocate(&err, context, desc, properties);

    return tf_return_object(&err, __func__, ptr, errcode_ret);
}

CL_API_ENTRY cl_int CL_API_CALL clMemFreeINTEL(cl_context context, void *ptr)
{
    struct tf_err err = {0};

    if (!check_any_context(&err, context) && ptr)
        tf_svm_free(&err, context, TF_SVM_UNIFIED, ptr);
    return tf_report(&err, __func__);
}

static cl_int check_blocking_free(struct tf_err *err, cl_context ctx, const void *ptr)
{
    struct tf_svm_info info;

    if (check_any_context(err, ctx))
        return err->code;
    TF_REQUIRE(
        err, !ptr || (tf_svm_find(ctx, TF_SVM_UNIFIED, ptr, &info) && info.start == ptr),
        CL_INVALID_VALUE, "%p is no such allocation", ptr);
    return CL_SUCCESS;
}

// Which commands use the memory is not known: it waits for all that the context has.
CL_API_ENTRY cl_int CL_API_CALL clMemBlockingFreeINTEL(cl_context context, void *ptr)
{
    struct tf_err err = {0};

    if (!check_blocking_free(&err, context, ptr) && ptr &&
        !tf_queue_finish_all(&err, context))
        tf_svm_free(&err, context, TF_SVM_UNIFIED, ptr);
    return tf_report(&err, __func__);
}

static cl_unified_shared_memory_type_intel type_of(const struct tf_svm_info *svm)
{
    switch (svm->kind) {
    case TF_SVM_HOST:
        return CL_MEM_TYPE_HOST_INTEL;
    case TF_SVM_DEVICE:
        return CL_MEM_TYPE_DEVICE_INTEL;
    case TF_SVM_SHARED:
        return CL_MEM_TYPE_SHARED_INTEL;
    case TF_SVM_BUFFER:
    case TF_SVM_UNIFIED:
        break;
    }
    return CL_MEM_TYPE_UNKNOWN_INTEL;
}

// Of a pointer into no such allocation everything is 0.
static cl_int get_info(struct tf_err *err, cl_context ctx, const void *ptr,
                       cl_mem_info_intel param, const struct tf_info *info)
{
    struct tf_svm_info svm;

    if (!tf_svm_find(ctx, TF_SVM_UNIFIED, ptr, &svm))
        svm = (struct tf_svm_info){0};
    switch (param) {
    case CL_MEM_ALLOC_TYPE_INTEL:
        return tf_info_scalar(err, info, cl_unified_shared_memory_type_intel,
                              type_of(&svm));
    case CL_MEM_ALLOC_BASE_PTR_INTEL:
        return tf_info_scalar(err, info, void *, svm.start);
    case CL_MEM_ALLOC_SIZE_INTEL:
        return tf_info_scalar(err, info, size_t, svm.size_bytes);
    case CL_MEM_ALLOC_DEVICE_INTEL:
        return tf_info_scalar(err, info, cl_device_id, svm.device);
    case CL_MEM_ALLOC_FLAGS_INTEL:
        return tf_info_scalar(err, info, cl_mem_alloc_flags_intel, svm.flags);
    default:
        return tf_fail(err, CL_INVALID_VALUE, "allocation info 0x%x", param);
    }
}

CL_API_ENTRY cl_int CL_API_CALL clGetMemAllocInfoINTEL(
    cl_context context, const void *ptr, cl_mem_info_intel param_name,
    size_t param_value_size, void *param_value, size_t *param_value_size_ret)
{
    const struct tf_info info = {param_value_size, param_value, param_value_size_ret};
    struct tf_err err = {0};

    if (!check_any_context(&err, context))
        get_info(&err, context, ptr, param_name, &info);
    return tf_report(&err, __func__);
}
