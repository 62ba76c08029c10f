// SPDX-License-Identifier: MIT
// Allocating and freeing shared virtual memory.
#include "api/dispatch.h"

#include "api/api_common.h"
#include "core/memory/svm.h"
#include "core/platform/svm_types.h"

static cl_int check_alloc(struct tf_err *err, cl_context ctx,
                          const struct tf_svm_desc *desc)
{
    const cl_svm_mem_flags access =
        desc->flags & (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY);
    const cl_svm_mem_flags grain =
        desc->flags & (CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS);
    const unsigned long long shown = desc->flags;

    if (check_context(err, ctx))
        return err->code;
    TF_REQUIRE(err, tf_svm_supported(ctx, TF_SVM_ANY), CL_INVALID_OPERATION,
               "no device of the context has SVM");
    TF_REQUIRE(err, desc->flags == (access | grain), CL_INVALID_VALUE, "flags 0x%llx",
               shown);
    TF_REQUIRE(err, (access & (access - 1)) == 0, CL_INVALID_VALUE,
               "flags 0x%llx: several ways of access", shown);
    TF_REQUIRE(err, grain != CL_MEM_SVM_ATOMICS, CL_INVALID_VALUE,
               "flags 0x%llx: atomics without fine grain", shown);
    TF_REQUIRE(err, !grain || tf_svm_supported(ctx, CL_DEVICE_SVM_FINE_GRAIN_BUFFER),
               CL_INVALID_OPERATION, "no device of the context has fine-grained SVM");
    TF_REQUIRE(err,
               !(grain & CL_MEM_SVM_ATOMICS) ||
                   tf_svm_supported(ctx, CL_DEVICE_SVM_ATOMICS),
               CL_INVALID_OPERATION, "no device of the context has SVM atomics");
    TF_REQUIRE(err, desc->size_bytes > 0, CL_INVALID_BUFFER_SIZE, "size is 0");
    TF_REQUIRE(err, desc->size_bytes <= tf_svm_max_bytes(ctx), CL_INVALID_BUFFER_SIZE,
               "size %zu, some device takes no more than %llu", desc->size_bytes,
               (unsigned long long)tf_svm_max_bytes(ctx));
    TF_REQUIRE(err, (desc->align_bytes & (desc->align_bytes - 1)) == 0, CL_INVALID_VALUE,
               "alignment %zu is no power of two", desc->align_bytes);
    return CL_SUCCESS;
}

// NULL is all that the application hears of a failure; the log and the context's
// pfn_notify tell the cause.
CL_API_ENTRY void *CL_API_CALL clSVMAlloc(cl_context context, cl_svm_mem_flags flags,
                                          size_t size, cl_uint alignment)
{
    const struct tf_svm_desc desc = {.kind = TF_SVM_BUFFER,
                                     .flags = flags,
                                     .type = flags & CL_MEM_SVM_FINE_GRAIN_BUFFER
                                                 ? TF_SVM_TYPE_FINE
                                                 : TF_SVM_TYPE_COARSE,
                                     .size_bytes = size,
                                     .align_bytes = alignment};
    struct tf_err err = {0};
    void *ptr = NULL;

    if (!check_alloc(&err, context, &desc))
        tf_svm_alloc(&err, context, &desc, &ptr);
    return tf_return_object(&err, __func__, ptr, NULL);
}

CL_API_ENTRY void CL_API_CALL clSVMFree(cl_context context, void *svm_pointer)
{
    struct tf_err err = {0};

    if (!check_any_context(&err, context) && svm_pointer)
        tf_svm_free(&err, context, TF_SVM_BUFFER, svm_pointer);
    tf_report(&err, __func__);
}
