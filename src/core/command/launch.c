// SPDX-License-Identifier: MIT
#include "core/command/launch.h"

#include <string.h>

#include <CL/cl_trefoil.h>

#include "abi/long16.h"
#include "base/range.h"
#include "core/object/error.h"
#include "core/platform/device_caps.h"
#include "trace/trace.h"

static size_t align_up(size_t bytes, size_t align)
{
    return (bytes + align - 1) / align * align;
}

static size_t block_bytes(const struct tf_kernel_info *info)
{
    return align_up(info->arg_block_bytes, TF_LONG16_BYTES);
}

size_t tf_launch_extra_bytes(cl_kernel kernel, const struct tf_kernel_info *info)
{
    return block_bytes(info) + kernel->object_max * sizeof(struct tf_arg_patch);
}

// Takes none of the arguments yet, because one is not set.
static void put_off_arguments(struct tf_err *err, struct tf_launch *launch)
{
    while (launch->args.count > 0) {
        launch->args.count--;
        tf_unref(tf_event_held(launch->ev)[--launch->ev->held_count]);
    }
    launch->lacks_args = true;
    err->code = CL_SUCCESS;
}

unsigned tf_launch_queues(cl_kernel kernel, const struct tf_kernel_info *info)
{
    return kernel->queue_max + (info->flags & TF_KERNEL_ENQUEUES ? 1 : 0);
}

cl_int tf_launch_take_queues(struct tf_err *err, cl_device_id device, cl_kernel kernel,
                             const struct tf_kernel_info *info, unsigned char *block,
                             void **objects, unsigned *count,
                             struct tf_devqueue **default_queue)
{
    cl_command_queue queue = NULL;

    if (tf_kernel_take_queues(err, kernel, info, block, objects, count))
        return err->code;
    if (info->flags & TF_KERNEL_ENQUEUES)
        queue = tf_queue_default(kernel->obj.ctx, device);
    if (queue)
        objects[(*count)++] = queue;
    *default_queue = queue ? tf_queue_on_device(queue) : NULL;
    return CL_SUCCESS;
}

// An event that holds the objects of the kernel's arguments, with the argument block
// (which wants the alignment) and the patches in its extra memory.
static cl_int take_arguments(struct tf_err *err, const struct tf_enqueue *at,
                             cl_command_type type, cl_kernel kernel,
                             struct tf_launch *out)
{
    const struct tf_kernel_info *info = tf_kernel_device_info(out->on);
    const size_t bytes = tf_launch_extra_bytes(kernel, info);
    const unsigned queues = tf_launch_queues(kernel, info);
    cl_event ev = tf_queue_new_command_with(err, at->queue, type, at->dep_count,
                                            kernel->object_max + queues, bytes);

    out->ev = ev;
    if (!ev)
        return err->code;
    out->args = (struct tf_kernel_args){.objects = tf_event_held(ev) + ev->held_count};
    if (bytes > 0) {
        out->args.block = tf_event_extra(ev);
        out->args.patches = (void *)(out->args.block + block_bytes(info));
    }
    tf_kernel_take_args(err, kernel, tf_enqueue_device(at), info, &out->args);
    ev->held_count += out->args.count;
    if (err->code == CL_INVALID_KERNEL_ARGS && at->recorder &&
        at->recorder->args_may_lack)
        put_off_arguments(err, out);
    if (queues > 0 && !err->code && !out->lacks_args)
        tf_launch_take_queues(err, tf_queue_device(at->queue), kernel, info,
                              out->args.block, tf_event_held(ev), &ev->held_count,
                              &out->default_queue);
    return err->code;
}

// A queue whose commands one thread runs, and a kernel whose launch is a family of
// launches, have no threads for more.
size_t tf_launch_most_groups(cl_command_queue queue, const struct tf_kernel_info *info)
{
    const struct tf_device_caps *caps = tf_queue_device(queue)->dev->caps;
    const bool is_single =
        tf_queue_flags(queue) & CL_QUEUE_THREAD_LOCAL_EXEC_ENABLE_INTEL ||
        info->flags & TF_KERNEL_ENQUEUES;

    if (!tf_device_caps_has(caps, TF_FEATURE_cl_intel_concurrent_dispatch))
        return 0;
    return is_single ? 1 : caps->max_concurrent_groups;
}

// What is demanded of a kernel whose groups run at the same time.
static cl_int check_concurrent(struct tf_err *err, const struct tf_enqueue *at,
                               const struct tf_ndrange_desc *desc,
                               const struct tf_launch *launch)
{
    const size_t most =
        tf_launch_most_groups(at->queue, tf_kernel_device_info(launch->on));
    size_t groups = 1;

    TF_REQUIRE(err, !at->recorder, CL_INVALID_OPERATION,
               "kernels with concurrent work-groups are not recorded");
    TF_REQUIRE(err, most > 0, CL_INVALID_VALUE,
               "the device runs no work-groups concurrently");
    TF_REQUIRE(err, desc->local_size, CL_INVALID_WORK_GROUP_SIZE,
               "the work-groups are to be concurrent, but local_work_size is NULL");
    for (int d = 0; d < 3; d++) {
        TF_REQUIRE(err, launch->range.global_size[d] % launch->range.local_size[d] == 0,
                   CL_INVALID_WORK_GROUP_SIZE,
                   "the work-groups are to be concurrent, but the last is not whole");
        if (tf_mul_overflow(groups,
                            launch->range.global_size[d] / launch->range.local_size[d],
                            &groups))
            groups = SIZE_MAX;
    }
    TF_REQUIRE(err, groups <= most, CL_INVALID_VALUE,
               "%zu work-groups, %zu may be concurrent", groups, most);
    return CL_SUCCESS;
}

cl_int tf_launch_take(struct tf_err *err, const struct tf_enqueue *at,
                      cl_command_type type, cl_kernel kernel,
                      const struct tf_ndrange_desc *desc, struct tf_launch *out)
{
    *out = (struct tf_launch){.on = tf_kernel_on(kernel, tf_queue_device(at->queue))};
    if (!out->on)
        return tf_fail(err, CL_INVALID_PROGRAM_EXECUTABLE,
                       "the program is not built for the queue's device");
    if (take_arguments(err, at, type, kernel, out) ||
        tf_ndrange_resolve(err, tf_enqueue_device(at), tf_kernel_device_info(out->on),
                           desc, &out->range) ||
        (kernel->is_concurrent && check_concurrent(err, at, desc, out)))
        tf_launch_drop(out);
    out->is_concurrent = kernel->is_concurrent;
    return err->code;
}

void tf_launch_drop(struct tf_launch *launch)
{
    TF_CLEAR(launch->ev);
}

static void launch_cleanup(cl_event ev, cl_int status)
{
    (void)status;
    tf_built_unref(ev->cleanup_data);
}

static void fill_command(cl_event ev, struct tf_device *dev,
                         const struct tf_launch *launch)
{
    struct tf_command *cmd = &ev->cmd;
    const struct tf_kernel_device *on = launch->on;
    const struct tf_ndrange *range = &launch->range;
    struct tf_command_kernel *to = &cmd->kernel;

    if (tf_trace_on())
        cmd->trace_name = tf_trace_name(tf_kernel_device_info(on)->name);

    cmd->kind = TF_CMD_KERNEL;
    to->program = on->built->prog;
    to->kernel_index = on->index;
    to->work_dim = range->work_dim;
    memcpy(to->global_offset, range->global_offset, sizeof(to->global_offset));
    memcpy(to->global_size, range->global_size, sizeof(to->global_size));
    memcpy(to->local_size, range->local_size, sizeof(to->local_size));
    to->arg_block = launch->args.block;
    to->arg_block_bytes = tf_kernel_device_info(on)->arg_block_bytes;
    to->patches = launch->args.patches;
    to->patch_count = launch->args.count;
    to->local_bytes = launch->args.local_bytes;
    to->zero_local = ev->obj.ctx->zeroes & CL_CONTEXT_MEMORY_INITIALIZE_LOCAL_KHR;
    to->is_concurrent = launch->is_concurrent;
    to->default_queue = launch->default_queue;
    to->dev = dev;
}

void tf_launch_enqueue(const struct tf_enqueue *at, struct tf_launch *launch)
{
    cl_event ev = launch->ev;

    launch->ev = NULL;
    if (!launch->range.empty) { // else a TF_CMD_NONE: completes in its turn
        ev->cleanup = launch_cleanup;
        ev->cleanup_data = tf_built_ref(launch->on->built);
        fill_command(ev, tf_enqueue_device(at), launch);
    }
    tf_queue_enqueue(at->queue, ev, 0, at->dep_count, at->deps, at->out);
}

cl_int tf_launch_record(struct tf_err *err, const struct tf_enqueue *at,
                        struct tf_launch *launch)
{
    cl_event ev = launch->ev;

    launch->ev = NULL;
    fill_command(ev, tf_enqueue_device(at), launch);
    return at->recorder->take(err, at->recorder, ev);
}
