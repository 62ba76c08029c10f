// SPDX-License-Identifier: MIT
#include "core/command/command_kernel.h"

#include <string.h>

#include "abi/long16.h"
#include "base/alloc.h"
#include "base/range.h"
#include "core/memory/mem.h"
#include "core/object/error.h"
#include "core/platform/device_caps.h"

static size_t align_up(size_t bytes, size_t align)
{
    return (bytes + align - 1) / align * align;
}

// An event with room for the launch of the kernel, in its extra memory: the argument
// block first (it wants the alignment), then the patches and the objects. NULL and err
// set when memory ran out.
static cl_event new_event(struct tf_err *err, const struct tf_enqueue *at,
                          cl_command_type type, const struct tf_kernel_info *info,
                          size_t mem_count)
{
    const size_t bytes = align_up(info->arg_block_bytes, TF_LONG16_BYTES) +
                         mem_count * (sizeof(struct tf_arg_patch) + sizeof(cl_mem));

    return tf_queue_new_command_with(err, at->queue, type, at->dep_count,
                                     (unsigned)mem_count, bytes);
}

// The event holds the memory objects; no others than those of the check may be there.
static cl_int fill_arguments(struct tf_err *err, cl_event ev, cl_kernel kernel,
                             struct tf_device *dev, const struct tf_kernel_info *info,
                             struct tf_kernel_args_out *args)
{
    char *const memory = ev->extra;

    if (!memory) // no arguments
        return CL_SUCCESS;
    args->block = (unsigned char *)memory;
    args->patches = (void *)(memory + align_up(info->arg_block_bytes, TF_LONG16_BYTES));
    args->mems = (void *)(args->patches + args->room);
    tf_kernel_fill_block(err, kernel, dev, info, args);
    for (size_t i = 0; i < args->count; i++)
        tf_event_hold_given(ev, args->mems[i]);
    return err->code;
}

static void launch_cleanup(cl_event ev, cl_int status)
{
    (void)status;
    tf_built_unref(ev->cleanup_data);
}

static cl_int check_local_memory(struct tf_err *err, cl_kernel kernel,
                                 const struct tf_kernel_device *on, uint64_t *bytes)
{
    const uint64_t most = on->built->dev->caps->local_memory_bytes;

    TF_REQUIRE(
        err,
        tf_kernel_local_bytes(kernel, tf_kernel_device_info(on), bytes) && *bytes <= most,
        CL_OUT_OF_RESOURCES, "the local memory of a work-group is more than %llu bytes",
        (unsigned long long)most);
    return CL_SUCCESS;
}

static void fill_command(struct tf_command *cmd, const struct tf_kernel_device *on,
                         const struct tf_ndrange *range,
                         const struct tf_kernel_args_out *args, uint64_t local_bytes)
{
    struct tf_command_kernel *to = &cmd->kernel;

    cmd->kind = TF_CMD_KERNEL;
    to->program = on->built->prog;
    to->kernel_index = on->index;
    to->work_dim = range->work_dim;
    memcpy(to->global_offset, range->global_offset, sizeof(to->global_offset));
    memcpy(to->global_size, range->global_size, sizeof(to->global_size));
    memcpy(to->local_size, range->local_size, sizeof(to->local_size));
    to->arg_block = args->block;
    to->arg_block_bytes = tf_kernel_device_info(on)->arg_block_bytes;
    to->patches = args->patches;
    to->patch_count = args->count;
    to->local_bytes = local_bytes;
}

cl_int tf_enqueue_kernel(struct tf_err *err, const struct tf_enqueue *at,
                         cl_command_type type, cl_kernel kernel,
                         const struct tf_ndrange *range)
{
    const struct tf_kernel_device *on = tf_kernel_on(kernel, tf_queue_device(at->queue));
    struct tf_device *dev = tf_enqueue_device(at);
    const struct tf_kernel_info *info = tf_kernel_device_info(on);
    struct tf_kernel_args_out args = {.room = tf_kernel_mem_count(kernel)};
    uint64_t local_bytes;
    cl_event ev;

    if (check_local_memory(err, kernel, on, &local_bytes))
        return err->code;
    ev = new_event(err, at, type, info, args.room);
    if (!ev)
        return err->code;
    if (range->empty) // a TF_CMD_NONE: completes in its turn
        return tf_enqueue_publish(err, at, ev);
    if (fill_arguments(err, ev, kernel, dev, info, &args)) {
        tf_unref(ev);
        return err->code;
    }
    ev->cleanup = launch_cleanup;
    ev->cleanup_data = tf_built_ref(on->built);
    fill_command(&ev->cmd, on, range, &args, local_bytes);
    return tf_enqueue_publish(err, at, ev);
}

// ---- Native kernels ----

// One memory object of a native kernel.
struct native_mem {
    cl_mem mem; // owned reference
    struct tf_devmem *devmem;
    void *host;
};

struct native {
    struct tf_device *dev;
    cl_uint mem_count; // mapped so far
    struct native_mem *mems;
    void *args; // the function's own copy
};

static void free_native(struct native *native)
{
    if (!native)
        return;
    for (cl_uint i = 0; i < native->mem_count; i++) {
        const struct native_mem *mem = &native->mems[i];

        native->dev->ops->mem_unmap(native->dev, mem->devmem, mem->host);
        tf_unref(mem->mem);
    }
    tf_free(native->mems);
    tf_free(native->args);
    tf_free(native);
}

static void native_cleanup(cl_event ev, cl_int status)
{
    (void)status;
    free_native(ev->cleanup_data);
}

// Puts the address of each object's bytes into the copied arguments.
static cl_int place_mems(struct tf_err *err, struct native *native,
                         const struct tf_native_desc *desc)
{
    for (cl_uint i = 0; i < desc->mem_count; i++) {
        struct native_mem *to = &native->mems[native->mem_count];
        const cl_mem mem = desc->mems[i];
        void *host = NULL;

        if (mem) {
            const struct tf_devrange at = tf_mem_range(mem, native->dev, 0);

            if (native->dev->ops->mem_map(err, native->dev, at.mem, at.offset_bytes,
                                          mem->size_bytes, CL_MAP_READ | CL_MAP_WRITE,
                                          &host))
                return err->code;
            *to = (struct native_mem){tf_ref(mem), at.mem, host};
            native->mem_count++;
        }
        memcpy((char *)native->args + desc->mem_offsets[i], &host, sizeof(host));
    }
    return CL_SUCCESS;
}

static struct native *new_native(struct tf_err *err, struct tf_device *dev,
                                 const struct tf_native_desc *desc)
{
    struct native *native = tf_zalloc(sizeof(*native));
    bool ok = native != NULL;

    if (ok) {
        native->dev = dev;
        native->mems = tf_zalloc(desc->mem_count * sizeof(*native->mems));
        native->args = desc->args ? tf_memdup(desc->args, desc->args_bytes) : NULL;
        ok = native->mems && (native->args || !desc->args);
    }
    if (!ok)
        tf_fail(err, CL_OUT_OF_HOST_MEMORY, "native kernel");
    if (ok && !place_mems(err, native, desc))
        return native;
    free_native(native);
    return NULL;
}

cl_int tf_enqueue_native(struct tf_err *err, const struct tf_enqueue *at,
                         const struct tf_native_desc *desc)
{
    struct native *native = new_native(err, tf_enqueue_device(at), desc);
    cl_event ev;

    if (!native)
        return err->code;
    ev = tf_enqueue_new(err, at, CL_COMMAND_NATIVE_KERNEL, 0);
    if (!ev) {
        free_native(native);
        return err->code;
    }
    ev->cmd.kind = TF_CMD_NATIVE;
    ev->cmd.native_fn = desc->fn;
    ev->cmd.native_args = native->args;
    ev->cleanup = native_cleanup;
    ev->cleanup_data = native;
    return tf_enqueue_publish(err, at, ev);
}
