// SPDX-License-Identifier: MIT
// A copy of a command buffer for other queues. Its commands keep their depths: what waits
// for what stays as it was recorded.
#include <string.h>

#include "base/alloc.h"
#include "core/command_buffer/command_buffer.h"
#include "core/command_buffer/command_buffer_plan.h"
#include "core/object/error.h"

// A kernel that enqueues on the device does so on the new one.
static void fit_queue(cl_event ev, const struct tf_kernel_info *info)
{
    cl_command_queue queue = NULL;

    ev->cmd.kernel.dev = ev->home.device->dev;
    if (info->flags & TF_KERNEL_ENQUEUES)
        queue = tf_queue_default(ev->obj.ctx, ev->home.device);
    if (queue)
        tf_event_held(ev)[ev->held_count++] = queue;
    ev->cmd.kernel.default_queue = queue ? tf_queue_on_device(queue) : NULL;
}

// The kernel on the new device, in the range that was recorded, with the block, patches
// and objects of the old one: those are alike on all devices of the program.
static cl_int fit_kernel(struct tf_err *err, cl_event ev,
                         const struct tf_recorded_kernel *kernel)
{
    struct tf_device *dev = ev->home.device->dev;
    const struct tf_kernel_device *on = kernel->on;
    struct tf_command_kernel *to = &ev->cmd.kernel;
    struct tf_ndrange range;

    if (!on)
        return tf_fail(err, CL_INVALID_PROGRAM_EXECUTABLE,
                       "the program is not built for the queue's device");
    if (tf_ndrange_resolve(err, dev, tf_kernel_device_info(on), &kernel->desc, &range))
        return err->code;
    to->program = on->built->prog;
    to->kernel_index = on->index;
    memcpy(to->local_size, range.local_size, sizeof(to->local_size));
    fit_queue(ev, tf_kernel_device_info(on));
    return CL_SUCCESS;
}

static cl_int copy_kernel(struct tf_err *err, cl_device_id device,
                          const struct tf_recorded_kernel *from,
                          struct tf_recorded_kernel **out)
{
    struct tf_recorded_kernel *kernel = tf_zalloc(sizeof(*kernel));

    *out = kernel;
    if (!kernel)
        return tf_fail(err, CL_OUT_OF_HOST_MEMORY, "recorded kernel");
    *kernel = *from;
    kernel->given = tf_ref(from->given);
    kernel->own = NULL;
    kernel->on = tf_kernel_on(from->given, device);
    kernel->desc.global_offset = kernel->global_offset;
    kernel->desc.global_size = kernel->global_size;
    kernel->desc.local_size = from->desc.local_size ? kernel->local_size : NULL;
    if (from->own)
        tf_kernel_clone(err, from->own, &kernel->own);
    return err->code;
}

// A command with the same data, which holds the same objects.
static cl_event copy_event(struct tf_err *err, cl_command_queue queue,
                           const struct tf_recorded *from)
{
    const unsigned held_max = from->ev->held_max - TF_ORDER_HELD + 1; // for fit_queue()
    const struct tf_command_kernel *old = &from->ev->cmd.kernel;
    const bool is_kernel = from->kernel != NULL;
    const size_t bytes =
        is_kernel ? tf_launch_extra_bytes(from->kernel->given,
                                          tf_kernel_device_info(from->kernel->on))
                  : 0;
    cl_event ev = tf_queue_new_command_with(err, queue, CL_COMMAND_COMMAND_BUFFER_KHR, 0,
                                            held_max, bytes);

    if (!ev)
        return NULL;
    ev->type = from->ev->type;
    ev->cmd = from->ev->cmd;
    for (unsigned i = 0; i < from->ev->held_count; i++)
        tf_event_hold(ev, tf_event_held(from->ev)[i]);
    if (is_kernel && bytes > 0) {
        memcpy(tf_event_extra(ev), tf_event_extra(from->ev), bytes);
        ev->cmd.kernel.arg_block = tf_event_extra(ev);
        ev->cmd.kernel.patches = (void *)((char *)tf_event_extra(ev) +
                                          ((const char *)old->patches -
                                           (const char *)tf_event_extra(from->ev)));
    }
    return ev;
}

cl_int tf_recorded_copy(struct tf_err *err, cl_command_buffer_khr to, cl_uint queue_index,
                        const struct tf_recorded *from)
{
    cl_command_queue queue = to->queues[queue_index].queue;
    struct tf_recorded *copy = &to->recorded[to->recorded_count];

    *copy = (struct tf_recorded){
        .queue_index = queue_index, .depth = from->depth, .is_barrier = from->is_barrier};
    to->recorded_count++; // what is half made is dropped with the buffer
    if (from->kernel &&
        copy_kernel(err, tf_queue_device(queue), from->kernel, &copy->kernel))
        return err->code;
    copy->ev = copy_event(err, queue, from);
    if (!copy->ev ||
        tf_props_keep(err, &copy->props, from->props.words, from->props.count))
        return err->code;
    return copy->kernel ? fit_kernel(err, copy->ev, copy->kernel) : CL_SUCCESS;
}

// Whether the command can run on the device: only kernels may not.
static bool suits(const struct tf_recorded *recorded, cl_command_queue queue)
{
    return !recorded->kernel ||
           tf_kernel_on(recorded->kernel->given, tf_queue_device(queue)) != NULL;
}

// Where a command goes: by the place of its queue, and with `automatic` on to the next
// queue that it can run on.
static cl_uint choose(const struct tf_remap *remap, const struct tf_recorded *recorded)
{
    const cl_uint first = recorded->queue_index % remap->queue_count;

    for (cl_uint i = 0; remap->automatic && i < remap->queue_count; i++) {
        const cl_uint index = (first + i) % remap->queue_count;

        if (suits(recorded, remap->queues[index]))
            return index;
    }
    return first;
}

static cl_int copy_commands(struct tf_err *err, cl_command_buffer_khr from,
                            const struct tf_remap *remap, cl_command_buffer_khr to)
    TF_REQUIRES(&from->lock)
{
    to->recorded = tf_zalloc(from->recorded_count * sizeof(*to->recorded));
    if (!to->recorded)
        return tf_fail(err, CL_OUT_OF_HOST_MEMORY, "copied commands");
    to->recorded_room = from->recorded_count;
    for (size_t i = 0; i < from->recorded_count && !err->code; i++) {
        tf_recorded_settle(&from->recorded[i]);
        tf_recorded_copy(err, to, choose(remap, &from->recorded[i]), &from->recorded[i]);
    }
    return err->code;
}

// The state as far as it is not in the commands.
static void copy_state(cl_command_buffer_khr from, cl_command_buffer_khr to)
    TF_REQUIRES(&from->lock) TF_NO_TSA
{
    to->state = from->state;
    to->lacking = from->lacking;
    to->least_depth = from->least_depth;
    to->top_depth = from->top_depth;
    for (size_t i = 0; i < to->recorded_count; i++) {
        const struct tf_recorded *recorded = &to->recorded[i];

        to->queues[recorded->queue_index].last_depth = recorded->depth;
    }
}

static cl_int make_handles(struct tf_err *err, const struct tf_remap *remap,
                           cl_command_buffer_khr to)
{
    for (cl_uint i = 0; i < remap->handle_count; i++) {
        struct tf_recorded *recorded = &to->recorded[remap->handles[i]->index];

        if (recorded->handle) // given twice
            continue;
        recorded->handle = tf_object_new(&tf_class_mutable_command, NULL, 0);
        if (!recorded->handle)
            return tf_fail(err, CL_OUT_OF_HOST_MEMORY, "mutable command");
        recorded->handle->buffer = to;
        recorded->handle->index = remap->handles[i]->index;
        tf_give_user(recorded->handle);
    }
    for (cl_uint i = 0; i < remap->handle_count; i++)
        remap->handles_ret[i] = to->recorded[remap->handles[i]->index].handle;
    return CL_SUCCESS;
}

static cl_int fill(struct tf_err *err, cl_command_buffer_khr from,
                   const struct tf_remap *remap, cl_command_buffer_khr to) TF_NO_TSA
{
    if (copy_commands(err, from, remap, to))
        return err->code;
    copy_state(from, to);
    if (to->state == CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR) {
        to->plan = tf_plan_new(err, to);
        if (!to->plan)
            return err->code;
    }
    return make_handles(err, remap, to);
}

cl_int tf_command_buffer_remap(struct tf_err *err, cl_command_buffer_khr buffer,
                               const struct tf_remap *remap, cl_command_buffer_khr *out)
{
    const struct tf_command_buffer_desc desc = {.queue_count = remap->queue_count,
                                                .queues = remap->queues,
                                                .properties = buffer->props.words,
                                                .property_count = buffer->props.count};
    cl_command_buffer_khr to = NULL;

    if (tf_command_buffer_create(err, buffer->obj.ctx, &desc, &to))
        return err->code;
    tf_command_buffer_begin_update(buffer);
    fill(err, buffer, remap, to);
    tf_command_buffer_end_update(buffer);
    if (err->code)
        tf_object_release(&(struct tf_err){0}, to, &tf_class_command_buffer);
    else
        *out = to;
    return err->code;
}
