// SPDX-License-Identifier: MIT
// Making buffers and sub-buffers.
#include "api/dispatch.h"

#include "api/api_common.h"
#include "api/memory/api_mem.h"
#include "api/memory/api_mem_properties.h"
#include "base/range.h"
#include "core/memory/buffer.h"
#include "core/memory/svm.h"
#include "core/platform/context.h"
#include "core/platform/device.h"

#define ACCESS_FLAGS (CL_MEM_READ_WRITE | CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY)
#define HOST_FLAGS \
    (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS)
#define STORAGE_FLAGS (CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR)

static bool at_most_one(cl_mem_flags flags)
{
    return (flags & (flags - 1)) == 0;
}

cl_int check_mem_flags(struct tf_err *err, cl_mem_flags flags)
{
    const unsigned long long shown = flags;

    TF_REQUIRE(
        err,
        !(flags & ~(ACCESS_FLAGS | HOST_FLAGS | STORAGE_FLAGS | CL_MEM_IMMUTABLE_EXT)),
        CL_INVALID_VALUE, "flags 0x%llx", shown);
    TF_REQUIRE(err, at_most_one(flags & ACCESS_FLAGS), CL_INVALID_VALUE,
               "flags 0x%llx: several ways of access", shown);
    TF_REQUIRE(err, at_most_one(flags & HOST_FLAGS), CL_INVALID_VALUE,
               "flags 0x%llx: several ways of host access", shown);
    TF_REQUIRE(
        err,
        !(flags & CL_MEM_IMMUTABLE_EXT) ||
            !(flags & (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_HOST_WRITE_ONLY)),
        CL_INVALID_VALUE, "flags 0x%llx: immutable, and written", shown);
    TF_REQUIRE(err,
               !(flags & CL_MEM_USE_HOST_PTR) ||
                   !(flags & (CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR)),
               CL_INVALID_VALUE,
               "flags 0x%llx: CL_MEM_USE_HOST_PTR excludes CL_MEM_{ALLOC,COPY}_HOST_PTR",
               shown);
    return CL_SUCCESS;
}

// An SVM allocation that the host's bytes lie in has them all.
static cl_int check_svm_bounds(struct tf_err *err, cl_context ctx,
                               const struct tf_buffer_desc *desc)
{
    struct tf_svm_info svm;

    if (!desc->host_ptr || !tf_svm_find(ctx, TF_SVM_BUFFER, desc->host_ptr, &svm))
        return CL_SUCCESS;
    TF_REQUIRE(err,
               tf_range_ok((uintptr_t)desc->host_ptr - (uintptr_t)svm.start,
                           desc->size_bytes, svm.size_bytes),
               CL_INVALID_BUFFER_SIZE, "size %zu at %p, the SVM allocation has %zu",
               desc->size_bytes, desc->host_ptr, svm.size_bytes);
    return CL_SUCCESS;
}

static cl_int check_buffer_desc(struct tf_err *err, cl_context ctx,
                                const struct tf_buffer_desc *desc)
{
    const bool wants_ptr = desc->flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR);

    if (check_context(err, ctx))
        return err->code;
    if (check_mem_flags(err, desc->flags) ||
        check_mem_source(err, desc->flags, desc->host_ptr, &desc->external, false))
        return err->code;
    TF_REQUIRE(err, desc->size_bytes > 0, CL_INVALID_BUFFER_SIZE, "size is 0");
    TF_REQUIRE(err, desc->size_bytes <= tf_buffer_max_bytes(ctx), CL_INVALID_BUFFER_SIZE,
               "size %zu, no device takes more than %llu", desc->size_bytes,
               (unsigned long long)tf_buffer_max_bytes(ctx));
    TF_REQUIRE(err, !wants_ptr || desc->host_ptr, CL_INVALID_HOST_PTR,
               "flags 0x%llx need a host_ptr", (unsigned long long)desc->flags);
    TF_REQUIRE(err, wants_ptr || !desc->host_ptr, CL_INVALID_HOST_PTR,
               "flags 0x%llx leave no use for host_ptr", (unsigned long long)desc->flags);
    return check_svm_bounds(err, ctx, desc);
}

CL_API_ENTRY cl_mem CL_API_CALL clCreateBuffer(cl_context context, cl_mem_flags flags,
                                               size_t size, void *host_ptr,
                                               cl_int *errcode_ret)
{
    const struct tf_buffer_desc desc = {
        .flags = flags, .size_bytes = size, .host_ptr = host_ptr};
    struct tf_err err = {0};
    cl_mem mem = NULL;

    if (!check_buffer_desc(&err, context, &desc))
        tf_buffer_create(&err, context, &desc, &mem);
    return tf_return_object(&err, __func__, mem, errcode_ret);
}

static cl_int check_properties(struct tf_err *err, cl_context ctx,
                               struct tf_buffer_desc *desc)
{
    struct tf_mem_properties properties = {0};

    if (check_context(err, ctx) ||
        check_mem_properties(err, desc->properties, false, &properties))
        return err->code;
    desc->property_count = properties.count;
    desc->fixes_address = properties.fixes_address;
    desc->external = properties.external;
    return CL_SUCCESS;
}

CL_API_ENTRY cl_mem CL_API_CALL clCreateBufferWithProperties(
    cl_context context, const cl_mem_properties *properties, cl_mem_flags flags,
    size_t size, void *host_ptr, cl_int *errcode_ret)
{
    struct tf_buffer_desc desc = {.flags = flags,
                                  .size_bytes = size,
                                  .host_ptr = host_ptr,
                                  .properties = properties};
    struct tf_err err = {0};
    cl_mem mem = NULL;

    if (!check_properties(&err, context, &desc) &&
        !check_buffer_desc(&err, context, &desc))
        tf_buffer_create(&err, context, &desc, &mem);
    return tf_return_object(&err, __func__, mem, errcode_ret);
}

cl_int check_child_flags(struct tf_err *err, cl_mem parent, cl_mem_flags flags)
{
    const cl_mem_flags has = parent->flags;
    const unsigned long long shown = flags;

    TF_REQUIRE(err,
               !(has & CL_MEM_WRITE_ONLY) ||
                   !(flags & (CL_MEM_READ_WRITE | CL_MEM_READ_ONLY)),
               CL_INVALID_VALUE, "flags 0x%llx of a write-only object", shown);
    TF_REQUIRE(err,
               !(has & CL_MEM_READ_ONLY) ||
                   !(flags & (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY)),
               CL_INVALID_VALUE, "flags 0x%llx of a read-only object", shown);
    TF_REQUIRE(err, !(has & CL_MEM_HOST_WRITE_ONLY) || !(flags & CL_MEM_HOST_READ_ONLY),
               CL_INVALID_VALUE, "flags 0x%llx of an object the host only writes", shown);
    TF_REQUIRE(err, !(has & CL_MEM_HOST_READ_ONLY) || !(flags & CL_MEM_HOST_WRITE_ONLY),
               CL_INVALID_VALUE, "flags 0x%llx of an object the host only reads", shown);
    TF_REQUIRE(err,
               !(has & CL_MEM_HOST_NO_ACCESS) ||
                   !(flags & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY)),
               CL_INVALID_VALUE, "flags 0x%llx of an object without host access", shown);
    TF_REQUIRE(
        err,
        !(has & CL_MEM_IMMUTABLE_EXT) ||
            !(flags & (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_HOST_WRITE_ONLY)),
        CL_INVALID_VALUE, "flags 0x%llx of an immutable object", shown);
    TF_REQUIRE(err, !(flags & STORAGE_FLAGS), CL_INVALID_VALUE,
               "flags 0x%llx: storage is the parent's", shown);
    return check_mem_flags(err, flags);
}

static bool some_device_takes_origin(cl_context ctx, size_t origin_bytes)
{
    for (cl_uint i = 0; i < ctx->device_count; i++)
        if (origin_bytes % (ctx->devices[i]->caps->base_align_bits / 8) == 0)
            return true;
    return false;
}

static cl_int check_sub_buffer(struct tf_err *err, cl_mem parent, cl_mem_flags flags,
                               cl_buffer_create_type type, const cl_buffer_region *region)
{
    if (check_buffer(err, parent) || check_running(err))
        return err->code;
    TF_REQUIRE(err, parent->kind == TF_MEM_BUFFER, CL_INVALID_MEM_OBJECT,
               "the buffer is a sub-buffer itself");
    if (check_child_flags(err, parent, flags))
        return err->code;
    TF_REQUIRE(err, type == CL_BUFFER_CREATE_TYPE_REGION, CL_INVALID_VALUE,
               "buffer_create_type 0x%x", type);
    TF_REQUIRE(err, region, CL_INVALID_VALUE, "buffer_create_info is NULL");
    TF_REQUIRE(err, tf_range_ok(region->origin, region->size, parent->size_bytes),
               CL_INVALID_VALUE, "%zu bytes at %zu of %zu", region->size, region->origin,
               parent->size_bytes);
    TF_REQUIRE(err, region->size > 0, CL_INVALID_BUFFER_SIZE, "size is 0");
    TF_REQUIRE(err, some_device_takes_origin(parent->obj.ctx, region->origin),
               CL_MISALIGNED_SUB_BUFFER_OFFSET,
               "origin %zu is no multiple of %u bytes, nor of what another device wants",
               region->origin, parent->obj.ctx->devices[0]->caps->base_align_bits / 8);
    return CL_SUCCESS;
}

CL_API_ENTRY cl_mem CL_API_CALL clCreateSubBuffer(
    cl_mem buffer, cl_mem_flags flags, cl_buffer_create_type buffer_create_type,
    const void *buffer_create_info, cl_int *errcode_ret)
{
    const cl_buffer_region *region = buffer_create_info;
    struct tf_err err = {0};
    cl_mem mem = NULL;

    if (!check_sub_buffer(&err, buffer, flags, buffer_create_type, region))
        tf_sub_buffer_create(&err, buffer, flags, region, &mem);
    return tf_return_object(&err, __func__, mem, errcode_ret);
}
