// SPDX-License-Identifier: MIT
#include "core/program/kernel_arg.h"

#include <string.h>

#include "abi/long16.h"
#include "base/range.h"
#include "core/memory/image.h"
#include "core/memory/sampler.h"
#include "core/object/error.h"
#include "core/program/kernel.h"
#include "core/schedule/queue.h"

static cl_int set_value(struct tf_err *err, cl_kernel kernel, cl_uint index,
                        size_t size_bytes, const void *value)
{
    const struct tf_kernel_arg_info *info = &kernel->info->args[index];

    if (size_bytes != info->size_bytes)
        return tf_fail(err, CL_INVALID_ARG_SIZE,
                       "argument %u of %.60s, %.60s %.60s, has %u bytes, not %zu", index,
                       kernel->info->name, info->type_name, info->name, info->size_bytes,
                       size_bytes);
    if (!value)
        return tf_fail(err, CL_INVALID_ARG_VALUE, "argument %u: no value", index);
    memcpy(kernel->block + info->block_offset_bytes, value, size_bytes);
    kernel->args[index].set = true;
    return CL_SUCCESS;
}

// What the block holds for a pointer that is no memory object.
static void put_address(cl_kernel kernel, cl_uint index, uint64_t address)
{
    memcpy(kernel->block + kernel->info->args[index].block_offset_bytes, &address,
           sizeof(address));
}

static uint32_t generation_of(cl_mem mem)
{
    return atomic_load_explicit(&mem->obj.generation, memory_order_relaxed);
}

// Remembers the memory object of an argument, NULL for none.
static void put_mem(cl_kernel kernel, cl_uint index, cl_mem mem)
{
    if (mem && tf_mem_is_image(mem))
        memcpy(kernel->block + kernel->info->args[index].block_offset_bytes,
               tf_image_describe(mem), sizeof(struct tf_image_desc));
    else
        put_address(kernel, index, 0);
    kernel->args[index] = (struct tf_kernel_arg){.set = true, .mem = mem};
    if (!mem)
        return;
    kernel->args[index].generation = generation_of(mem);
}

// The object that the argument has, which was good for it, and lives.
static bool is_there_already(const struct tf_kernel_arg *arg, cl_mem mem)
{
    return arg->mem == mem && tf_object_ok(mem, &tf_class_mem) &&
           generation_of(mem) == arg->generation;
}

// Whether an argument of the kind takes the image. Depth images are images, too.
static bool image_suits(const struct tf_image *image, uint32_t kind)
{
    return image->shape.type == (kind & ~TF_IMAGE_KIND_DEPTH) &&
           (!(kind & TF_IMAGE_KIND_DEPTH) ||
            image->format.image_channel_order == CL_DEPTH);
}

static cl_int check_access(struct tf_err *err, cl_uint index, uint32_t qualifier,
                           cl_mem_flags flags)
{
    TF_REQUIRE(
        err, !(flags & CL_MEM_WRITE_ONLY) || qualifier == CL_KERNEL_ARG_ACCESS_WRITE_ONLY,
        CL_INVALID_ARG_VALUE, "argument %u: the kernel reads a write-only image", index);
    TF_REQUIRE(err,
               !(flags & (CL_MEM_READ_ONLY | CL_MEM_IMMUTABLE_EXT)) ||
                   qualifier == CL_KERNEL_ARG_ACCESS_READ_ONLY,
               CL_INVALID_ARG_VALUE, "argument %u: the kernel writes a read-only image",
               index);
    return CL_SUCCESS;
}

// Whether an object of the kernel's context is what the argument takes.
static cl_int check_object(struct tf_err *err, cl_kernel kernel, cl_uint index,
                           cl_mem mem)
{
    const struct tf_kernel_arg_info *info = &kernel->info->args[index];

    if (info->kind == TF_ARG_IMAGE) {
        TF_REQUIRE(err, tf_mem_is_image(mem) && image_suits(mem->image, info->image_kind),
                   CL_INVALID_MEM_OBJECT, "argument %u: not an %s", index,
                   info->type_name);
        return check_access(err, index, info->access_qualifier, mem->flags);
    }
    TF_REQUIRE(
        err, info->kind == TF_ARG_PIPE ? mem->kind == TF_MEM_PIPE : tf_mem_is_buffer(mem),
        CL_INVALID_MEM_OBJECT, "argument %u: not a %s", index,
        info->kind == TF_ARG_PIPE ? "pipe" : "buffer");
    // "a valid memory object, but not valid for the kernel argument"
    TF_REQUIRE(err, !info->packet_bytes || info->packet_bytes == mem->packet_bytes,
               CL_INVALID_MEM_OBJECT, "argument %u: packets of %u bytes, not %u", index,
               mem->packet_bytes, info->packet_bytes);
    TF_REQUIRE(err,
               !(mem->flags & CL_MEM_IMMUTABLE_EXT) ||
                   info->type_qualifier & CL_KERNEL_ARG_TYPE_CONST ||
                   info->address_qualifier == CL_KERNEL_ARG_ADDRESS_CONSTANT,
               CL_INVALID_ARG_VALUE,
               "argument %u: immutable memory for a pointer to what is not const", index);
    return CL_SUCCESS;
}

// Whose the reference is that the check of an object takes.
struct holder {
    bool keeps;  // the caller's
    cl_mem held; // the caller has one already: none is taken
};

// An object that other threads may be releasing.
static cl_int set_object(struct tf_err *err, cl_kernel kernel, cl_uint index, cl_mem mem,
                         struct holder holder)
{
    const bool takes = !holder.keeps || mem != holder.held;
    cl_int code = CL_SUCCESS;

    if (!holder.keeps && is_there_already(&kernel->args[index], mem))
        return code;
    if (takes && !tf_object_take(mem, &tf_class_mem))
        return tf_fail(err, CL_INVALID_MEM_OBJECT, "argument %u: no live object", index);
    code = check_object(err, kernel, index, mem);
    if (!code && mem->obj.ctx != kernel->obj.ctx)
        code = tf_fail(err, CL_INVALID_CONTEXT,
                       "argument %u: an object of another context", index);
    if (!code)
        put_mem(kernel, index, mem);
    if (takes && (code || !holder.keeps))
        tf_unref(mem);
    return code;
}

static cl_int set_buffer(struct tf_err *err, cl_kernel kernel, cl_uint index,
                         size_t size_bytes, const void *value, struct holder holder)
{
    cl_mem mem = NULL;

    if (value && size_bytes != sizeof(cl_mem))
        return tf_fail(err, CL_INVALID_ARG_SIZE,
                       "argument %u is a buffer, %zu bytes given", index, size_bytes);
    if (value)
        memcpy(&mem, value, sizeof(cl_mem));
    if (mem)
        return set_object(err, kernel, index, mem, holder);
    put_mem(kernel, index, NULL);
    return CL_SUCCESS;
}

static cl_int set_pipe(struct tf_err *err, cl_kernel kernel, cl_uint index,
                       size_t size_bytes, const void *value)
{
    cl_mem pipe;

    TF_REQUIRE(err, value, CL_INVALID_ARG_VALUE, "argument %u: no pipe", index);
    TF_REQUIRE(err, size_bytes == sizeof(cl_mem), CL_INVALID_ARG_SIZE,
               "argument %u is a pipe, %zu bytes given", index, size_bytes);
    memcpy(&pipe, value, sizeof(cl_mem));
    return set_object(err, kernel, index, pipe, (struct holder){0});
}

static cl_int set_image(struct tf_err *err, cl_kernel kernel, cl_uint index,
                        size_t size_bytes, const void *value)
{
    cl_mem image;

    TF_REQUIRE(err, value, CL_INVALID_MEM_OBJECT, "argument %u: no image", index);
    TF_REQUIRE(err, size_bytes == sizeof(cl_mem), CL_INVALID_ARG_SIZE,
               "argument %u is an image, %zu bytes given", index, size_bytes);
    memcpy(&image, value, sizeof(cl_mem));
    return set_object(err, kernel, index, image, (struct holder){0});
}

static uint32_t queue_generation(cl_command_queue queue)
{
    return atomic_load_explicit(&((struct tf_object *)queue)->generation,
                                memory_order_relaxed);
}

static cl_int set_queue(struct tf_err *err, cl_kernel kernel, cl_uint index,
                        size_t size_bytes, const void *value)
{
    cl_command_queue queue;

    TF_REQUIRE(err, value, CL_INVALID_DEVICE_QUEUE, "argument %u: no queue", index);
    TF_REQUIRE(err, size_bytes == sizeof(cl_command_queue), CL_INVALID_ARG_SIZE,
               "argument %u is a queue, %zu bytes given", index, size_bytes);
    memcpy(&queue, value, sizeof(cl_command_queue));
    TF_REQUIRE(err, tf_object_take(queue, &tf_class_queue), CL_INVALID_DEVICE_QUEUE,
               "argument %u: no live queue", index);
    if (!tf_queue_on_device(queue))
        tf_fail(err, CL_INVALID_DEVICE_QUEUE, "argument %u: a queue on the host", index);
    else if (((struct tf_object *)queue)->ctx != kernel->obj.ctx)
        tf_fail(err, CL_INVALID_CONTEXT, "argument %u: a queue of another context",
                index);
    else
        kernel->args[index] = (struct tf_kernel_arg){
            .set = true, .queue = queue, .generation = queue_generation(queue)};
    tf_unref(queue);
    return err->code;
}

// A sampler is a number to kernels: the object is not needed any more.
static cl_int set_sampler(struct tf_err *err, cl_kernel kernel, cl_uint index,
                          size_t size_bytes, const void *value)
{
    cl_sampler sampler;
    uint64_t bits;

    TF_REQUIRE(err, value, CL_INVALID_SAMPLER, "argument %u: no sampler", index);
    TF_REQUIRE(err, size_bytes == sizeof(cl_sampler), CL_INVALID_ARG_SIZE,
               "argument %u is a sampler, %zu bytes given", index, size_bytes);
    memcpy(&sampler, value, sizeof(cl_sampler));
    TF_REQUIRE(err, tf_object_take(sampler, &tf_class_sampler), CL_INVALID_SAMPLER,
               "argument %u: no live sampler", index);
    if (sampler->obj.ctx == kernel->obj.ctx) {
        bits = tf_sampler_bits(&sampler->desc);
        memcpy(kernel->block + kernel->info->args[index].block_offset_bytes, &bits,
               sizeof(bits));
        kernel->args[index] = (struct tf_kernel_arg){.set = true};
    } else {
        tf_fail(err, CL_INVALID_CONTEXT, "argument %u: a sampler of another context",
                index);
    }
    tf_unref(sampler);
    return err->code;
}

cl_int tf_kernel_arg_set_held(struct tf_err *err, cl_kernel kernel, cl_uint index,
                              size_t size_bytes, const void *value, cl_mem held)
{
    const struct holder holder = {.keeps = true, .held = held};

    if (kernel->info->args[index].kind == TF_ARG_BUFFER)
        return set_buffer(err, kernel, index, size_bytes, value, holder);
    return tf_kernel_arg_set(err, kernel, index, size_bytes, value);
}

void tf_kernel_arg_set_address(cl_kernel kernel, cl_uint index, uint64_t address)
{
    put_address(kernel, index, address);
    kernel->args[index] = (struct tf_kernel_arg){.set = true, .is_address = true};
}

// No bytes at all is legal, as OpenCL 3.1 has it.
static cl_int set_local(struct tf_err *err, cl_kernel kernel, cl_uint index,
                        size_t size_bytes, const void *value)
{
    if (value)
        return tf_fail(err, CL_INVALID_ARG_VALUE,
                       "argument %u is local memory: its value must be NULL", index);
    kernel->args[index] = (struct tf_kernel_arg){.set = true, .local_bytes = size_bytes};
    return CL_SUCCESS;
}

cl_int tf_kernel_arg_set(struct tf_err *err, cl_kernel kernel, cl_uint index,
                         size_t size_bytes, const void *value)
{
    switch (kernel->info->args[index].kind) {
    case TF_ARG_VALUE:
        return set_value(err, kernel, index, size_bytes, value);
    case TF_ARG_BUFFER:
        return set_buffer(err, kernel, index, size_bytes, value, (struct holder){0});
    case TF_ARG_LOCAL:
        return set_local(err, kernel, index, size_bytes, value);
    case TF_ARG_PIPE:
        return set_pipe(err, kernel, index, size_bytes, value);
    case TF_ARG_IMAGE:
        return set_image(err, kernel, index, size_bytes, value);
    case TF_ARG_SAMPLER:
        return set_sampler(err, kernel, index, size_bytes, value);
    case TF_ARG_QUEUE:
        return set_queue(err, kernel, index, size_bytes, value);
    }
    return tf_fail(err, CL_INVALID_ARG_VALUE, "argument %u", index);
}

bool tf_kernel_arg_take(const struct tf_kernel_arg *arg)
{
    if (!arg->set || !arg->mem)
        return arg->set;
    if (!tf_object_take(arg->mem, &tf_class_mem))
        return false;
    if (generation_of(arg->mem) == arg->generation)
        return true;
    tf_unref(arg->mem);
    return false;
}

// Places `size_bytes` of local memory after *end; false on overflow.
static bool place_local(uint64_t *end, uint64_t size_bytes, uint64_t *offset)
{
    if (tf_add_overflow(*end, (uint64_t)TF_LONG16_BYTES - 1, offset))
        return false;
    *offset -= *offset % TF_LONG16_BYTES;
    return !tf_add_overflow(*offset, size_bytes, end);
}

bool tf_kernel_local_bytes(cl_kernel kernel, const struct tf_kernel_info *info,
                           uint64_t *bytes)
{
    uint64_t end = info->local_bytes, offset;

    for (uint32_t i = 0; i < info->arg_count; i++)
        if (info->args[i].kind == TF_ARG_LOCAL &&
            !place_local(&end, kernel->args[i].local_bytes, &offset))
            return false;
    *bytes = end;
    return true;
}

static unsigned access_of(uint32_t qualifier)
{
    return qualifier == CL_KERNEL_ARG_ACCESS_READ_ONLY    ? TF_IMAGE_READ
           : qualifier == CL_KERNEL_ARG_ACCESS_WRITE_ONLY ? TF_IMAGE_WRITE
                                                          : TF_IMAGE_READ_WRITE;
}

// A memory object, whose reference is ours.
static cl_int put_object(struct tf_err *err, cl_mem mem,
                         const struct tf_kernel_arg_info *info, struct tf_device *dev,
                         struct tf_kernel_args *out)
{
    const bool is_image = info->kind == TF_ARG_IMAGE;
    const struct tf_devrange range =
        tf_mem_range(mem, dev, is_image ? tf_image_data_offset(mem) : 0);

    out->patches[out->count] =
        (struct tf_arg_patch){.block_offset_bytes = info->block_offset_bytes,
                              .is_read_only = mem->flags & CL_MEM_READ_ONLY,
                              .mem = range.mem,
                              .delta_bytes = range.offset_bytes,
                              .size_bytes = mem->size_bytes};
    out->objects[out->count++] = mem;
    TF_REQUIRE(err, tf_mem_origin_suits(mem->origin_bytes, dev),
               CL_MISALIGNED_SUB_BUFFER_OFFSET, "sub-buffer at %zu", mem->origin_bytes);
    return is_image
               ? tf_image_check_on(err, mem, dev->caps, access_of(info->access_qualifier))
               : CL_SUCCESS;
}

// Kernels that check themselves find the size in the upper half.
static cl_int put_local(struct tf_err *err, uint64_t size_bytes, uint32_t at,
                        bool is_checked, const struct tf_device *dev,
                        struct tf_kernel_args *out)
{
    const uint64_t most = dev->caps->local_memory_bytes;
    uint64_t offset;

    TF_REQUIRE(
        err,
        place_local(&out->local_bytes, size_bytes, &offset) && out->local_bytes <= most,
        CL_OUT_OF_RESOURCES,
        "local memory of a work-group: an argument of %llu bytes, with what is taken "
        "before it more than %llu",
        (unsigned long long)size_bytes, (unsigned long long)most);
    if (is_checked)
        offset |= size_bytes << TF_ARG_LOCAL_SIZE_SHIFT;
    memcpy(out->block + at, &offset, sizeof(offset));
    return CL_SUCCESS;
}

static cl_int take_arg(struct tf_err *err, cl_kernel kernel, cl_uint index,
                       struct tf_device *dev, struct tf_kernel_args *out)
{
    const struct tf_kernel_arg_info *info = &kernel->info->args[index];
    // A copy: another thread may set the argument meanwhile, though it must not.
    const struct tf_kernel_arg arg = kernel->args[index];

    TF_REQUIRE(err, tf_kernel_arg_take(&arg), CL_INVALID_KERNEL_ARGS,
               "argument %u of %s is %s", index, kernel->info->name,
               arg.set ? "a released object" : "not set");
    if (arg.mem)
        return put_object(err, arg.mem, info, dev, out);
    if (info->kind == TF_ARG_LOCAL)
        return put_local(err, arg.local_bytes, info->block_offset_bytes,
                         kernel->info->flags & TF_KERNEL_CHECKED, dev, out);
    TF_REQUIRE(err, !arg.is_address || dev->caps->svm, CL_INVALID_OPERATION,
               "argument %u is an address, the queue's device has no SVM", index);
    return CL_SUCCESS; // the block holds the value
}

cl_int tf_kernel_take_args(struct tf_err *err, cl_kernel kernel, struct tf_device *dev,
                           const struct tf_kernel_info *info, struct tf_kernel_args *out)
{
    const uint64_t most = dev->caps->local_memory_bytes;

    out->local_bytes = info->local_bytes;
    if (info->local_bytes > most)
        return tf_fail(err, CL_OUT_OF_RESOURCES,
                       "the local memory of a work-group of %.60s: %llu bytes, more than "
                       "%llu",
                       info->name, (unsigned long long)info->local_bytes,
                       (unsigned long long)most);
    if (info->arg_block_bytes > 0)
        memcpy(out->block, kernel->block, info->arg_block_bytes);
    for (cl_uint i = 0; i < info->arg_count; i++)
        if (take_arg(err, kernel, i, dev, out))
            return err->code;
    return CL_SUCCESS;
}

cl_int tf_kernel_take_queues(struct tf_err *err, cl_kernel kernel,
                             const struct tf_kernel_info *info, unsigned char *block,
                             void **objects, unsigned *count)
{
    for (cl_uint i = 0; i < info->arg_count; i++) {
        const struct tf_kernel_arg arg = kernel->args[i];
        uint64_t address;

        if (info->args[i].kind != TF_ARG_QUEUE)
            continue;
        TF_REQUIRE(err, tf_object_take(arg.queue, &tf_class_queue),
                   CL_INVALID_KERNEL_ARGS, "argument %u of %s is a released queue", i,
                   info->name);
        objects[(*count)++] = arg.queue;
        TF_REQUIRE(err, queue_generation(arg.queue) == arg.generation,
                   CL_INVALID_KERNEL_ARGS, "argument %u of %s is a released queue", i,
                   info->name);
        address = (uint64_t)(uintptr_t)tf_queue_on_device(arg.queue);
        memcpy(block + info->args[i].block_offset_bytes, &address, sizeof(address));
    }
    return CL_SUCCESS;
}
