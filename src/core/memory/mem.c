// SPDX-License-Identifier: MIT
#include "core/memory/mem.h"

#include <CL/cl_trefoil.h>

#include "abi/long16.h"
#include "base/alloc.h"
#include "core/memory/image.h"
#include "core/memory/map.h"
#include "core/object/error.h"
#include "core/object/info.h"
#include "core/object/props.h"
#include "core/platform/context.h"
#include "core/platform/device.h"
#include "core/platform/device_caps.h"

static void mem_destroy(struct tf_object *obj)
{
    cl_mem mem = (cl_mem)obj;

    tf_map_drop_all(mem);
    if (mem->devmem)
        mem->dev->ops->mem_free(mem->dev, mem->devmem);
    tf_external_close(&mem->external);
    tf_props_drop(&mem->props);
    tf_free(mem->image);
    TF_CLEAR(mem->parent);
    tf_mutex_finish(&mem->lock);
    // Last: the application may free CL_MEM_USE_HOST_PTR storage from here on.
    tf_destructors_run(&mem->destructors);
}

const struct tf_class tf_class_mem = {
    .name = "memory object",
    .magic = 0x3e30b1e7u,
    .invalid = CL_INVALID_MEM_OBJECT,
    .size_bytes = sizeof(struct _cl_mem),
    .destroy = mem_destroy,
    .slab = &tf_slab_mem,
};

cl_mem tf_mem_new(cl_context ctx, enum tf_mem_kind kind)
{
    cl_mem mem = tf_object_new(&tf_class_mem, ctx, 0);

    if (!mem)
        return NULL;
    mem->kind = kind;
    mem->storage = mem;
    tf_mutex_init(&mem->lock, TF_RANK_MEM);
    return mem;
}

// One storage serves all devices, so they must be of one driver (see core/memory/mem.h).
static bool devices_share_memory(cl_context ctx)
{
    for (cl_uint i = 1; i < ctx->device_count; i++)
        if (ctx->devices[i]->dev->ops != ctx->devices[0]->dev->ops)
            return false;
    return true;
}

// At `storage` if that is not NULL.
static cl_int allocate(struct tf_err *err, cl_mem mem, void *storage)
{
    struct tf_mem_desc desc = {
        .flags = mem->flags | (storage ? CL_MEM_USE_HOST_PTR : 0),
        .size_bytes = mem->size_bytes,
        .align_bytes = TF_LONG16_BYTES,
        .host_ptr = storage,
    };

    if (!devices_share_memory(mem->obj.ctx))
        return tf_fail(err, CL_MEM_OBJECT_ALLOCATION_FAILURE,
                       "devices of several drivers cannot share memory");
    mem->dev = mem->obj.ctx->devices[0]->root->dev;
    return mem->dev->ops->mem_alloc(err, mem->dev, &desc, &mem->devmem);
}

cl_int tf_mem_allocate(struct tf_err *err, cl_mem mem, void *host_ptr)
{
    return allocate(err, mem, mem->flags & CL_MEM_USE_HOST_PTR ? host_ptr : NULL);
}

cl_int tf_mem_import(struct tf_err *err, cl_mem mem, const struct tf_external *external,
                     cl_int too_small)
{
    if (tf_external_open(err, external, mem->size_bytes, tf_mem_is_immutable(mem),
                         too_small, &mem->external))
        return err->code;
    return allocate(err, mem, mem->external.at);
}

void tf_mem_share(cl_mem mem, cl_mem parent)
{
    mem->parent = tf_ref(parent);
    mem->storage = parent->storage;
    mem->dev = parent->dev;
}

cl_mem_flags tf_mem_child_flags(cl_mem parent, cl_mem_flags flags)
{
    const cl_mem_flags access = CL_MEM_READ_WRITE | CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY;
    const cl_mem_flags host =
        CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS;
    const cl_mem_flags storage =
        CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR;

    if (!(flags & access))
        flags |= parent->flags & access;
    if (!(flags & host))
        flags |= parent->flags & host;
    return flags | (parent->flags & (storage | CL_MEM_IMMUTABLE_EXT));
}

struct tf_devrange tf_mem_range(cl_mem mem, struct tf_device *dev, size_t offset_bytes)
{
    (void)dev; // one storage serves every device of the context
    return (struct tf_devrange){mem->storage->devmem, mem->origin_bytes + offset_bytes};
}

bool tf_mem_origin_suits(size_t origin_bytes, const struct tf_device *dev)
{
    return origin_bytes % (dev->caps->base_align_bits / 8) == 0;
}

bool tf_mem_host_reads(cl_mem mem)
{
    return !(mem->flags & (CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS));
}

bool tf_mem_host_writes(cl_mem mem)
{
    return !tf_mem_is_immutable(mem) &&
           !(mem->flags & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS));
}

// What the devices call byte 0 of `mem`: as they have the host's addresses, all the same,
// and for as long as the object lives.
static cl_int device_address(struct tf_err *err, cl_mem mem,
                             cl_mem_device_address_ext *address)
{
    const struct tf_devrange range = tf_mem_range(mem, mem->dev, 0);
    void *host;

    if (mem->dev->ops->mem_map(err, mem->dev, range.mem, range.offset_bytes,
                               mem->size_bytes, CL_MAP_READ, &host))
        return err->code;
    mem->dev->ops->mem_unmap(mem->dev, range.mem, host);
    *address = (uintptr_t)host;
    return CL_SUCCESS;
}

static cl_int put_device_addresses(struct tf_err *err, cl_mem mem,
                                   const struct tf_info *info)
{
    const cl_uint count = mem->obj.ctx->device_count;
    const size_t bytes = count * sizeof(cl_mem_device_address_ext);
    cl_mem_device_address_ext address = 0;

    if (!mem->storage->fixes_address)
        return tf_fail(err, CL_INVALID_OPERATION,
                       "made without CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT");
    if (info->value && info->size < bytes)
        return tf_fail(err, CL_INVALID_VALUE, "param_value_size is %zu, %zu needed",
                       info->size, bytes);
    if (device_address(err, mem, &address))
        return err->code;
    for (cl_uint i = 0; info->value && i < count; i++)
        ((cl_mem_device_address_ext *)info->value)[i] = address;
    if (info->size_ret)
        *info->size_ret = bytes;
    return CL_SUCCESS;
}

static cl_mem_object_type type_of(cl_mem mem)
{
    switch (mem->kind) {
    case TF_MEM_BUFFER:
    case TF_MEM_SUB_BUFFER:
        break;
    case TF_MEM_PIPE:
        return CL_MEM_OBJECT_PIPE;
    case TF_MEM_IMAGE:
        return mem->image->shape.type;
    }
    return CL_MEM_OBJECT_BUFFER;
}

cl_int tf_mem_get_info(struct tf_err *err, cl_mem mem, cl_mem_info param, size_t size,
                       void *value, size_t *size_ret)
{
    const struct tf_info info = {size, value, size_ret};

    switch (param) {
    case CL_MEM_TYPE:
        return tf_info_scalar(err, &info, cl_mem_object_type, type_of(mem));
    case CL_MEM_FLAGS:
        return tf_info_scalar(err, &info, cl_mem_flags, mem->flags);
    case CL_MEM_SIZE:
        return tf_info_scalar(err, &info, size_t, mem->size_bytes);
    case CL_MEM_HOST_PTR:
        return tf_info_scalar(err, &info, void *, mem->host_ptr);
    case CL_MEM_MAP_COUNT:
        return tf_info_scalar(err, &info, cl_uint, tf_map_count(mem));
    case CL_MEM_REFERENCE_COUNT:
        return tf_info_scalar(err, &info, cl_uint, tf_object_user_refs(mem));
    case CL_MEM_CONTEXT:
        return tf_info_scalar(err, &info, cl_context, mem->obj.ctx);
    case CL_MEM_ASSOCIATED_MEMOBJECT:
        return tf_info_scalar(err, &info, cl_mem, mem->parent);
    case CL_MEM_OFFSET:
        return tf_info_scalar(err, &info, size_t,
                              mem->kind == TF_MEM_SUB_BUFFER ? mem->origin_bytes : 0);
    case CL_MEM_USES_SVM_POINTER:
        return tf_info_scalar(err, &info, cl_bool, mem->uses_svm ? CL_TRUE : CL_FALSE);
    case CL_MEM_DEVICE_ADDRESS_EXT:
        return put_device_addresses(err, mem, &info);
    case CL_MEM_PROPERTIES:
        return tf_props_put(err, &info, &mem->props);
    default:
        return tf_fail(err, CL_INVALID_VALUE, "memory object info 0x%x", param);
    }
}
