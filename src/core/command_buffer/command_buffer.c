// SPDX-License-Identifier: MIT
#include "core/command_buffer/command_buffer.h"

#include <string.h>

#include "base/alloc.h"
#include "core/command_buffer/command_buffer_plan.h"
#include "core/object/error.h"
#include "core/platform/device_caps.h"

// ---- Life ----

void tf_recorded_kernel_free(struct tf_recorded_kernel *kernel)
{
    struct tf_err err = {0};

    if (!kernel)
        return;
    if (kernel->own)
        tf_object_release(&err, kernel->own, &tf_class_kernel);
    tf_unref(kernel->given);
    tf_free(kernel);
}

// What the command owns; half of it may be missing.
static void drop_recorded(struct tf_recorded *recorded)
{
    tf_unref(recorded->ev);
    tf_recorded_kernel_free(recorded->kernel);
    tf_props_drop(&recorded->props);
    tf_unref(recorded->handle);
}

static void command_buffer_destroy(struct tf_object *obj) TF_NO_TSA
{
    cl_command_buffer_khr buffer = (cl_command_buffer_khr)obj;

    tf_plan_unref(buffer->plan);
    for (size_t i = 0; i < buffer->recorded_count; i++)
        drop_recorded(&buffer->recorded[i]);
    tf_free(buffer->recorded);
    tf_props_drop(&buffer->props);
    for (cl_uint i = 0; i < buffer->queue_count; i++)
        TF_CLEAR(buffer->queues[i].queue);
    tf_cond_finish(&buffer->changed);
    tf_mutex_finish(&buffer->lock);
}

const struct tf_class tf_class_command_buffer = {
    .name = "command buffer",
    .magic = 0x8f1bbcdcu,
    .invalid = CL_INVALID_COMMAND_BUFFER_KHR,
    .size_bytes = sizeof(struct _cl_command_buffer_khr),
    .destroy = command_buffer_destroy,
    .slab = &tf_slab_command_buffer,
};

static void mutable_command_destroy(struct tf_object *obj)
{
    (void)obj;
}

const struct tf_class tf_class_mutable_command = {
    .name = "mutable command",
    .magic = 0x5be0cd19u,
    .invalid = CL_INVALID_MUTABLE_COMMAND_KHR,
    .size_bytes = sizeof(struct _cl_mutable_command_khr),
    .destroy = mutable_command_destroy,
    .slab = &tf_slab_mutable_command,
};

cl_int tf_command_buffer_create(struct tf_err *err, cl_context ctx,
                                const struct tf_command_buffer_desc *desc,
                                cl_command_buffer_khr *out) TF_NO_TSA
{
    const size_t queue_bytes = desc->queue_count * sizeof(struct tf_recording_queue);
    cl_command_buffer_khr buffer =
        tf_object_new(&tf_class_command_buffer, ctx, queue_bytes);

    if (!buffer)
        return tf_fail(err, CL_OUT_OF_HOST_MEMORY, "command buffer");
    tf_mutex_init(&buffer->lock, TF_RANK_COMMAND_BUFFER);
    tf_cond_init(&buffer->changed);
    buffer->flags = tf_props_value(desc->properties, CL_COMMAND_BUFFER_FLAGS_KHR, 0);
    buffer->asserts = tf_props_value(desc->properties,
                                     CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR, 0);
    buffer->top_depth = -1;
    buffer->queue_count = desc->queue_count;
    for (cl_uint i = 0; i < desc->queue_count; i++)
        buffer->queues[i] = (struct tf_recording_queue){tf_ref(desc->queues[i]), -1};
    if (tf_props_keep(err, &buffer->props, desc->properties, desc->property_count)) {
        tf_unref(buffer);
        return err->code;
    }
    *out = tf_give_user(buffer);
    return CL_SUCCESS;
}

void tf_command_buffer_settle(cl_command_buffer_khr buffer)
{
    while (buffer->updating)
        tf_cond_wait(&buffer->changed, &buffer->lock);
}

void tf_command_buffer_begin_update(cl_command_buffer_khr buffer)
{
    tf_lock(&buffer->lock);
    tf_command_buffer_settle(buffer);
    buffer->updating = true;
    tf_unlock(&buffer->lock);
}

void tf_command_buffer_end_update(cl_command_buffer_khr buffer)
{
    tf_lock(&buffer->lock);
    buffer->updating = false;
    tf_cond_signal_all(&buffer->changed);
    tf_unlock(&buffer->lock);
}

// ---- Recording ----

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static bool is_in_order(cl_command_queue queue)
{
    return !(tf_queue_flags(queue) & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
}

// The depth of the last of what the command waits for, or -1.
static int64_t depth_before(cl_command_buffer_khr buffer, const struct tf_record *record)
    TF_REQUIRES(&buffer->lock)
{
    const struct tf_recording_queue *queue = &buffer->queues[record->queue_index];
    int64_t depth = buffer->least_depth - 1;

    for (cl_uint i = 0; i < record->wait_count; i++)
        depth = larger(depth, buffer->recorded[record->waits[i] - 1].depth);
    if (is_in_order(queue->queue))
        depth = larger(depth, queue->last_depth);
    if (record->is_barrier && record->wait_count == 0)
        depth = larger(depth, buffer->top_depth);
    return depth;
}

// Gives the command its depth. A barrier is done when that before it is: it has no depth
// of its own.
static void place(cl_command_buffer_khr buffer, const struct tf_record *record,
                  struct tf_recorded *recorded) TF_REQUIRES(&buffer->lock)
{
    const int64_t before = depth_before(buffer, record);

    recorded->depth = recorded->is_barrier ? before : before + 1;
    if (recorded->is_barrier)
        buffer->least_depth = larger(buffer->least_depth, before + 1);
    buffer->queues[record->queue_index].last_depth = recorded->depth;
    buffer->top_depth = larger(buffer->top_depth, recorded->depth);
}

static bool make_room(cl_command_buffer_khr buffer) TF_REQUIRES(&buffer->lock)
{
    enum { FIRST = 16 };
    const size_t room = buffer->recorded_room ? buffer->recorded_room * 2 : FIRST;
    struct tf_recorded *more;

    if (buffer->recorded_count < buffer->recorded_room)
        return true;
    more = tf_realloc(buffer->recorded, room * sizeof(*more));
    if (!more)
        return false;
    buffer->recorded = more;
    buffer->recorded_room = room;
    return true;
}

static cl_int append(struct tf_err *err, cl_command_buffer_khr buffer,
                     const struct tf_record *record, struct tf_recorded *recorded)
    TF_REQUIRES(&buffer->lock)
{
    tf_command_buffer_settle(buffer);
    if (buffer->state != CL_COMMAND_BUFFER_STATE_RECORDING_KHR)
        return tf_fail(err, CL_INVALID_OPERATION, "the command buffer is finalized");
    if (buffer->recorded_count == CL_UINT_MAX)
        return tf_fail(err, CL_OUT_OF_RESOURCES, "too many commands");
    if (!make_room(buffer))
        return tf_fail(err, CL_OUT_OF_HOST_MEMORY, "recorded command");
    place(buffer, record, recorded);
    if (recorded->handle)
        recorded->handle->index = buffer->recorded_count;
    if (recorded->kernel)
        buffer->lacking += recorded->kernel->lacks_args;
    buffer->recorded[buffer->recorded_count++] = *recorded;
    if (record->sync_point)
        *record->sync_point = (cl_sync_point_khr)buffer->recorded_count;
    return CL_SUCCESS;
}

static cl_int make_handle(struct tf_err *err, cl_command_buffer_khr buffer,
                          cl_mutable_command_khr *out)
{
    // Without the context's reference: it would be one per command.
    *out = tf_object_new(&tf_class_mutable_command, NULL, 0);
    if (!*out)
        return tf_fail(err, CL_OUT_OF_HOST_MEMORY, "mutable command");
    (*out)->buffer = buffer;
    tf_give_user(*out);
    return CL_SUCCESS;
}

static cl_int take(struct tf_err *err, struct tf_recorder *recorder, cl_event ev)
{
    struct tf_record *record = tf_container_of(recorder, struct tf_record, recorder);
    cl_command_buffer_khr buffer = record->buffer;
    struct tf_recorded recorded = {.ev = ev,
                                   .queue_index = record->queue_index,
                                   .is_barrier = record->is_barrier,
                                   .kernel = record->kernel};

    if (!tf_props_keep(err, &recorded.props, record->properties,
                       record->property_count) &&
        (!record->handle || !make_handle(err, buffer, &recorded.handle))) {
        tf_lock(&buffer->lock);
        append(err, buffer, record, &recorded);
        tf_unlock(&buffer->lock);
    }
    if (err->code) {
        recorded.kernel = NULL; // the caller's
        drop_recorded(&recorded);
    } else if (record->handle) {
        *record->handle = recorded.handle;
    }
    return err->code;
}

void tf_record_begin(struct tf_record *record)
{
    record->recorder = (struct tf_recorder){.take = take};
}

cl_int tf_record_barrier(struct tf_err *err, const struct tf_enqueue *at)
{
    struct tf_record *record = tf_container_of(at->recorder, struct tf_record, recorder);
    // As an ordinary command: that of a queue would bring what its order needs.
    cl_event ev = tf_enqueue_new(err, at, CL_COMMAND_COMMAND_BUFFER_KHR, 0);

    if (!ev)
        return err->code;
    ev->type = CL_COMMAND_BARRIER;
    record->is_barrier = true;
    return tf_enqueue_publish(err, at, ev);
}

static struct tf_recorded_kernel *new_kernel(struct tf_err *err, cl_kernel kernel,
                                             const struct tf_ndrange_desc *desc)
{
    struct tf_recorded_kernel *recorded = tf_zalloc(sizeof(*recorded));
    const size_t bytes = desc->work_dim * sizeof(size_t);

    if (!recorded) {
        tf_fail(err, CL_OUT_OF_HOST_MEMORY, "recorded kernel");
        return NULL;
    }
    recorded->given = tf_ref(kernel);
    recorded->desc = (struct tf_ndrange_desc){.work_dim = desc->work_dim,
                                              .global_offset = recorded->global_offset,
                                              .global_size = recorded->global_size};
    if (desc->global_offset)
        memcpy(recorded->global_offset, desc->global_offset, bytes);
    if (desc->global_size)
        memcpy(recorded->global_size, desc->global_size, bytes);
    if (desc->local_size) {
        memcpy(recorded->local_size, desc->local_size, bytes);
        recorded->desc.local_size = recorded->local_size;
    }
    return recorded;
}

cl_int tf_record_kernel(struct tf_err *err, const struct tf_enqueue *at,
                        struct tf_record *record, cl_kernel kernel,
                        const struct tf_ndrange_desc *desc, struct tf_launch *launch,
                        cl_mutable_dispatch_fields_khr fields)
{
    const bool is_mutable = record->buffer->flags & CL_COMMAND_BUFFER_MUTABLE_KHR;
    struct tf_recorded_kernel *recorded = new_kernel(err, kernel, desc);

    if (recorded) {
        recorded->on = launch->on;
        recorded->fields = is_mutable ? fields : 0;
        recorded->lacks_args = launch->lacks_args;
        if (recorded->fields & CL_MUTABLE_DISPATCH_ARGUMENTS_KHR)
            tf_kernel_clone(err, kernel, &recorded->own);
    }
    if (err->code) {
        tf_launch_drop(launch);
    } else {
        record->kernel = recorded;
        tf_launch_record(err, at, launch);
    }
    if (err->code)
        tf_recorded_kernel_free(recorded);
    return err->code;
}

bool tf_command_buffer_has_point(cl_command_buffer_khr buffer, cl_sync_point_khr point)
{
    bool has;

    tf_lock(&buffer->lock);
    has = point > 0 && point <= buffer->recorded_count;
    tf_unlock(&buffer->lock);
    return has;
}

cl_command_buffer_state_khr tf_command_buffer_state(cl_command_buffer_khr buffer)
{
    cl_command_buffer_state_khr state;

    tf_lock(&buffer->lock);
    state = buffer->state;
    tf_unlock(&buffer->lock);
    return state;
}

bool tf_command_buffer_offers(cl_command_buffer_khr buffer, enum tf_feature extension)
{
    return tf_device_caps_has(tf_queue_device(buffer->queues[0].queue)->caps, extension);
}

// ---- Finalizing ----

cl_int tf_command_buffer_finalize(struct tf_err *err, cl_command_buffer_khr buffer)
{
    tf_lock(&buffer->lock);
    tf_command_buffer_settle(buffer);
    if (buffer->state != CL_COMMAND_BUFFER_STATE_RECORDING_KHR) {
        tf_fail(err, CL_INVALID_OPERATION, "the command buffer was finalized before");
    } else if (buffer->lacking > 0) {
        buffer->state = CL_COMMAND_BUFFER_STATE_FINALIZED_KHR;
    } else {
        buffer->plan = tf_plan_new(err, buffer);
        if (buffer->plan)
            buffer->state = CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR;
    }
    tf_unlock(&buffer->lock);
    return err->code;
}
