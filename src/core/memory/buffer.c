// SPDX-License-Identifier: MIT
#include "core/memory/buffer.h"

#include <string.h>

#include "core/memory/svm.h"
#include "core/object/error.h"
#include "core/platform/context.h"
#include "core/platform/device.h"

uint64_t tf_buffer_max_bytes(cl_context ctx)
{
    uint64_t most = 0;

    for (cl_uint i = 0; i < ctx->device_count; i++)
        if (ctx->devices[i]->caps->max_alloc_bytes > most)
            most = ctx->devices[i]->caps->max_alloc_bytes;
    return most;
}

// CL_MEM_COPY_HOST_PTR: the bytes are taken before clCreateBuffer returns.
static cl_int copy_from_host(struct tf_err *err, cl_mem mem, const void *host_ptr)
{
    const struct tf_device_ops *ops = mem->dev->ops;
    void *to;

    if (ops->mem_map(err, mem->dev, mem->devmem, 0, mem->size_bytes,
                     CL_MAP_WRITE_INVALIDATE_REGION, &to))
        return err->code;
    memcpy(to, host_ptr, mem->size_bytes);
    ops->mem_unmap(mem->dev, mem->devmem, to);
    return CL_SUCCESS;
}

static bool uses_svm(cl_context ctx, const struct tf_buffer_desc *desc)
{
    struct tf_svm_info svm;

    return desc->flags & CL_MEM_USE_HOST_PTR &&
           tf_svm_find(ctx, TF_SVM_BUFFER, desc->host_ptr, &svm);
}

static cl_int get_memory(struct tf_err *err, cl_mem mem,
                         const struct tf_buffer_desc *desc)
{
    return desc->external.type
               ? tf_mem_import(err, mem, &desc->external, CL_INVALID_BUFFER_SIZE)
               : tf_mem_allocate(err, mem, desc->host_ptr);
}

cl_int tf_buffer_create(struct tf_err *err, cl_context ctx,
                        const struct tf_buffer_desc *desc, cl_mem *out)
{
    cl_mem mem = tf_mem_new(ctx, TF_MEM_BUFFER);

    if (!mem)
        return tf_fail(err, CL_OUT_OF_HOST_MEMORY, "buffer object");
    mem->flags = desc->flags;
    mem->size_bytes = desc->size_bytes;
    mem->host_ptr = desc->flags & CL_MEM_USE_HOST_PTR ? desc->host_ptr : NULL;
    mem->uses_svm = uses_svm(ctx, desc);
    mem->fixes_address = desc->fixes_address;
    if (tf_props_keep(err, &mem->props, desc->properties, desc->property_count) ||
        get_memory(err, mem, desc))
        goto fail;
    if (desc->flags & CL_MEM_COPY_HOST_PTR && copy_from_host(err, mem, desc->host_ptr))
        goto fail;
    tf_external_take(&desc->external);
    *out = tf_give_user(mem);
    return CL_SUCCESS;
fail:
    tf_unref(mem);
    return err->code;
}

cl_int tf_sub_buffer_create(struct tf_err *err, cl_mem parent, cl_mem_flags flags,
                            const cl_buffer_region *region, cl_mem *out)
{
    cl_mem mem = tf_mem_new(parent->obj.ctx, TF_MEM_SUB_BUFFER);

    if (!mem)
        return tf_fail(err, CL_OUT_OF_HOST_MEMORY, "sub-buffer object");
    mem->flags = tf_mem_child_flags(parent, flags);
    mem->size_bytes = region->size;
    mem->origin_bytes = region->origin;
    tf_mem_share(mem, parent);
    mem->uses_svm = parent->uses_svm;
    if (parent->host_ptr)
        mem->host_ptr = (char *)parent->host_ptr + region->origin;
    *out = tf_give_user(mem);
    return CL_SUCCESS;
}
