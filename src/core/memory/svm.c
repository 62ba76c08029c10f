// SPDX-License-Identifier: MIT
#include "core/memory/svm.h"

#include "abi/long16.h"
#include "base/addr_tree.h"
#include "base/alloc.h"
#include "core/object/error.h"
#include "core/platform/device.h"

// One allocation; in ctx->svm until it is freed.
struct svm {
    struct tf_addr_node node; // first: the tree holds these
    struct tf_device *dev;    // of devmem
    struct tf_devmem *devmem;
    struct tf_svm_info info;
};

bool tf_svm_supported(cl_context ctx, cl_device_svm_capabilities any_of)
{
    for (cl_uint i = 0; i < ctx->device_count; i++)
        if (ctx->devices[i]->caps->svm & any_of)
            return true;
    return false;
}

bool tf_usm_supported(cl_context ctx)
{
    for (cl_uint i = 0; i < ctx->device_count; i++)
        if (ctx->devices[i]->caps->usm)
            return true;
    return false;
}

uint64_t tf_svm_max_bytes(cl_context ctx)
{
    uint64_t most = UINT64_MAX;

    for (cl_uint i = 0; i < ctx->device_count; i++)
        if (ctx->devices[i]->caps->max_alloc_bytes < most)
            most = ctx->devices[i]->caps->max_alloc_bytes;
    return most;
}

static void svm_delete(struct svm *svm)
{
    svm->dev->ops->mem_unmap(svm->dev, svm->devmem, svm->info.start);
    svm->dev->ops->mem_free(svm->dev, svm->devmem);
    tf_props_drop(&svm->info.props);
    tf_free(svm);
}

// Any device will do: the addresses of its memory are the host's, and so everybody's.
static struct tf_device *allocating_device(cl_context ctx, const struct tf_svm_desc *desc)
{
    return (desc->device ? desc->device : ctx->devices[0])->root->dev;
}

// Devices speak of memory objects; this is none.
static cl_int fail_as_resources(struct tf_err *err, const struct tf_err *device_err)
{
    return tf_fail(err,
                   device_err->code == CL_MEM_OBJECT_ALLOCATION_FAILURE
                       ? CL_OUT_OF_RESOURCES
                       : device_err->code,
                   "%s", device_err->text);
}

static cl_int get_memory(struct tf_err *err, struct svm *svm,
                         const struct tf_svm_desc *desc)
{
    const struct tf_mem_desc mem_desc = {
        .flags = CL_MEM_READ_WRITE,
        .size_bytes = desc->size_bytes,
        .align_bytes =
            desc->align_bytes > TF_LONG16_BYTES ? desc->align_bytes : TF_LONG16_BYTES,
    };
    const struct tf_device_ops *ops = svm->dev->ops;
    struct tf_err device_err = {0};

    if (ops->mem_alloc(&device_err, svm->dev, &mem_desc, &svm->devmem))
        return fail_as_resources(err, &device_err);
    if (ops->mem_map(&device_err, svm->dev, svm->devmem, 0, desc->size_bytes,
                     CL_MAP_READ | CL_MAP_WRITE, &svm->info.start)) {
        ops->mem_free(svm->dev, svm->devmem);
        return fail_as_resources(err, &device_err);
    }
    return CL_SUCCESS;
}

// What the application did not free, when the context dies.
static void free_all(cl_context ctx) TF_EXCLUDES(&ctx->lock)
{
    struct tf_addr_node *node;

    for (;;) {
        tf_lock(&ctx->lock);
        node = ctx->svm ? tf_addr_remove(&ctx->svm, ctx->svm->start) : NULL;
        tf_unlock(&ctx->lock);
        if (!node)
            return;
        svm_delete((struct svm *)node);
    }
}

cl_int tf_svm_alloc(struct tf_err *err, cl_context ctx, const struct tf_svm_desc *desc,
                    void **out)
{
    struct svm *svm = tf_zalloc(sizeof(*svm));

    if (!svm)
        return tf_fail(err, CL_OUT_OF_HOST_MEMORY, "record of an allocation");
    svm->dev = allocating_device(ctx, desc);
    if (tf_props_keep(err, &svm->info.props, desc->properties, desc->property_count) ||
        get_memory(err, svm, desc)) {
        tf_props_drop(&svm->info.props);
        tf_free(svm);
        return err->code;
    }
    svm->info.kind = desc->kind;
    svm->info.flags = desc->flags;
    svm->info.device = desc->device;
    svm->info.type = desc->type;
    svm->info.access = desc->access;
    svm->info.size_bytes = svm->node.bytes = desc->size_bytes;
    svm->node.start = (uintptr_t)svm->info.start;
    tf_lock(&ctx->lock);
    tf_addr_insert(&ctx->svm, &svm->node);
    ctx->free_svm = free_all;
    tf_unlock(&ctx->lock);
    *out = svm->info.start;
    return CL_SUCCESS;
}

// In ctx->svm; NULL if there is none of these kinds. The tree's nodes begin the records.
static struct svm *find(cl_context ctx, unsigned kinds, const void *ptr)
    TF_REQUIRES(&ctx->lock)
{
    struct svm *svm = (struct svm *)tf_addr_find(ctx->svm, (uintptr_t)ptr);

    return svm && svm->info.kind & kinds ? svm : NULL;
}

cl_int tf_svm_free(struct tf_err *err, cl_context ctx, unsigned kinds, void *ptr)
{
    struct svm *svm;

    tf_lock(&ctx->lock);
    svm = find(ctx, kinds, ptr);
    if (svm && svm->info.start == ptr)
        tf_addr_remove(&ctx->svm, svm->node.start);
    else
        svm = NULL;
    tf_unlock(&ctx->lock);
    if (!svm)
        return tf_fail(err, CL_INVALID_VALUE, "%p is no such allocation", ptr);
    svm_delete(svm);
    return CL_SUCCESS;
}

bool tf_svm_find(cl_context ctx, unsigned kinds, const void *ptr, struct tf_svm_info *out)
{
    const struct svm *svm;

    tf_lock(&ctx->lock);
    svm = find(ctx, kinds, ptr);
    if (svm)
        *out = svm->info;
    tf_unlock(&ctx->lock);
    return svm;
}
