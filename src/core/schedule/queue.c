// SPDX-License-Identifier: MIT
#include "core/schedule/queue.h"

#include <limits.h>

#include <CL/cl_trefoil.h>

#include "core/object/error.h"
#include "core/object/info.h"
#include "core/platform/context.h"
#include "core/platform/device.h"
#include "trace/trace.h"

struct _cl_command_queue {
    struct tf_object obj;
    struct tf_event_home home; // order: owned
    cl_command_queue_properties flags;
    struct tf_props props;
    struct tf_devqueue *on_device; // owned; NULL: on the host, with an order
    cl_uint size_bytes;            // of on_device
    cl_command_queue next, *link;  // in ctx->queues, under the context's lock
    bool is_default;               // on its device; under the context's lock
};

static void list_queue(cl_command_queue q)
{
    cl_context ctx = q->obj.ctx;

    tf_lock(&ctx->lock);
    q->link = &ctx->queues;
    q->next = ctx->queues;
    if (q->next)
        q->next->link = &q->next;
    ctx->queues = q;
    tf_unlock(&ctx->lock);
}

static void unlist_queue(cl_command_queue q)
{
    cl_context ctx = q->obj.ctx;

    tf_lock(&ctx->lock);
    if (q->link)
        *q->link = q->next;
    if (q->next)
        q->next->link = q->link;
    tf_unlock(&ctx->lock);
}

static void queue_destroy(struct tf_object *obj)
{
    cl_command_queue q = (cl_command_queue)obj;

    unlist_queue(q);
    if (q->home.order)
        q->home.order->ops->free(q->home.order);
    if (q->on_device)
        q->home.device->dev->ops->device_queue_free(q->home.device->dev, q->on_device);
    tf_props_drop(&q->props);
}

const struct tf_class tf_class_queue = {
    .name = "command queue",
    .magic = 0x3f9d2c58u,
    .invalid = CL_INVALID_COMMAND_QUEUE,
    .size_bytes = sizeof(struct _cl_command_queue),
    .destroy = queue_destroy,
    .slab = &tf_slab_queue,
};

cl_device_id tf_queue_device(cl_command_queue q)
{
    return q->home.device;
}

cl_command_queue_properties tf_queue_flags(cl_command_queue q)
{
    return q->flags;
}

struct tf_devqueue *tf_queue_on_device(cl_command_queue q)
{
    return q->on_device;
}

cl_command_queue tf_queue_default(cl_context ctx, cl_device_id device)
{
    cl_command_queue q;

    tf_lock(&ctx->lock);
    q = ctx->queues;
    while (q && !(q->is_default && q->home.device == device && tf_ref_if_alive(q)))
        q = q->next;
    tf_unlock(&ctx->lock);
    return q;
}

void tf_queue_set_default(cl_command_queue q)
{
    cl_context ctx = q->obj.ctx;

    tf_lock(&ctx->lock);
    for (cl_command_queue each = ctx->queues; each; each = each->next)
        if (each->home.device == q->home.device)
            each->is_default = each == q;
    tf_unlock(&ctx->lock);
}

// Those on one device, but for its default one. There may be a few too many where several
// threads make some at a time.
static cl_uint count_on_device(cl_context ctx, cl_device_id device)
{
    cl_uint count = 0;

    tf_lock(&ctx->lock);
    for (cl_command_queue q = ctx->queues; q; q = q->next)
        count += q->on_device && !q->is_default && q->home.device == device;
    tf_unlock(&ctx->lock);
    return count;
}

static cl_int fill_on_device(struct tf_err *err, cl_command_queue q,
                             const struct tf_queue_desc *desc)
{
    struct tf_device *dev = desc->device->dev;

    q->size_bytes =
        desc->size_bytes ? desc->size_bytes : dev->caps->device_queue_preferred_bytes;
    TF_REQUIRE(err, count_on_device(q->obj.ctx, desc->device) < dev->caps->device_queues,
               CL_OUT_OF_RESOURCES, "the device has %u queues at most",
               dev->caps->device_queues);
    return dev->ops->device_queue_new(err, dev, q->size_bytes, q->home.profiles,
                                      &q->on_device);
}

static cl_int fill_queue(struct tf_err *err, cl_command_queue q,
                         const struct tf_queue_desc *desc)
{
    const bool in_order = !(desc->flags & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);

    q->flags = desc->flags;
    q->home.queue = q;
    q->home.device = desc->device;
    q->home.profiles = desc->flags & CL_QUEUE_PROFILING_ENABLE;
    if (tf_trace_on())
        q->home.trace_number = (uint32_t)tf_trace_number();
    if (desc->flags & CL_QUEUE_ON_DEVICE) {
        if (fill_on_device(err, q, desc))
            return err->code;
    } else {
        q->home.order = in_order ? tf_order_in_new(q) : tf_order_out_new(q->obj.ctx, q);
        if (!q->home.order)
            return tf_fail(err, CL_OUT_OF_HOST_MEMORY, "command queue");
    }
    return tf_props_keep(err, &q->props, desc->properties, desc->property_count);
}

cl_int tf_queue_create(struct tf_err *err, cl_context ctx,
                       const struct tf_queue_desc *desc, cl_command_queue *out)
{
    const bool is_default = desc->flags & CL_QUEUE_ON_DEVICE_DEFAULT;
    cl_command_queue q = is_default ? tf_queue_default(ctx, desc->device) : NULL;

    if (q) {
        if (!tf_object_retain(err, q, &tf_class_queue))
            *out = q;
        tf_unref(q);
        return err->code;
    }
    q = tf_object_new(&tf_class_queue, ctx, 0);
    if (!q)
        return tf_fail(err, CL_OUT_OF_HOST_MEMORY, "command queue");
    if (fill_queue(err, q, desc)) {
        tf_unref(q);
        return err->code;
    }
    list_queue(q);
    *out = tf_give_user(q);
    // Only now: who asks for the default queue gets what is there as a handle.
    if (is_default)
        tf_queue_set_default(q);
    return CL_SUCCESS;
}

cl_event tf_queue_new_command(struct tf_err *err, cl_command_queue q,
                              cl_command_type type, cl_uint dep_count, unsigned max_held)
{
    return tf_queue_new_command_with(err, q, type, dep_count, max_held, 0);
}

static cl_event new_command(struct tf_err *err, cl_command_queue q, cl_command_type type,
                            cl_uint dep_count, unsigned max_held, size_t extra_bytes)
{
    struct tf_order *order = q->home.order;
    cl_event ev = NULL;

    if (dep_count <= UINT_MAX - TF_ORDER_EDGES)
        ev = tf_event_new_with(q->obj.ctx, &q->home, type, dep_count + TF_ORDER_EDGES,
                               max_held + TF_ORDER_HELD, extra_bytes);
    if (ev && !order->ops->prepare(order, ev))
        TF_CLEAR(ev);
    if (!ev)
        tf_fail(err, CL_OUT_OF_HOST_MEMORY, "event with %u dependencies", dep_count);
    return ev;
}

cl_event tf_queue_new_command_with(struct tf_err *err, cl_command_queue q,
                                   cl_command_type type, cl_uint dep_count,
                                   unsigned max_held, size_t extra_bytes)
{
    if (tf_context_stopped(q->obj.ctx)) {
        tf_fail(err, CL_CONTEXT_TERMINATED_KHR, "the context has been terminated");
        return NULL;
    }
    return new_command(err, q, type, dep_count, max_held, extra_bytes);
}

void tf_queue_enqueue(cl_command_queue q, cl_event ev, unsigned flags, cl_uint dep_count,
                      const cl_event *deps, cl_event *out)
{
    const bool is_local = q->flags & CL_QUEUE_THREAD_LOCAL_EXEC_ENABLE_INTEL;

    for (cl_uint i = 0; i < dep_count; i++)
        tf_event_depend(ev, deps[i], true);
    ev->cmd.stream = q;
    if (is_local) {
        ev->cmd.thread = tf_thread_self();
        tf_ref(ev);
    }
    tf_event_publish(ev);
    if (out) {
        tf_event_own_queue(ev);
        *out = tf_give_user(tf_ref(ev));
    }
    q->home.order->ops->list(q->home.order, ev, flags);
    if (is_local) {
        tf_event_wait(ev);
        tf_unref(ev);
    }
}

cl_int tf_queue_enqueue_blocking(struct tf_err *err, cl_command_queue q, cl_event ev,
                                 cl_uint dep_count, const cl_event *deps, cl_event *out)
{
    cl_int status;

    tf_ref(ev);
    if (out) // the handle is given away once the command has succeeded
        tf_event_own_queue(ev);
    tf_queue_enqueue(q, ev, TF_ENQUEUE_WAITS, dep_count, deps, NULL);
    status = tf_event_wait(ev);
    if (status == CL_COMPLETE && out)
        *out = tf_give_user(ev);
    else
        tf_unref(ev);
    if (status < 0)
        return tf_fail(err, status, "the command ended with status %d", status);
    return CL_SUCCESS;
}

// Commands are submitted as soon as they are ready: there is never anything to flush.
void tf_queue_flush(cl_command_queue q)
{
    (void)q;
}

// Something whose end is the end of all that is queued so far, or NULL if that is
// nothing.
static cl_event last_of(struct tf_err *err, cl_command_queue q)
{
    cl_event last;

    if (!q->home.order->ops->last(q->home.order, &last) || last)
        return last;
    last = new_command(err, q, CL_COMMAND_MARKER, 0, 0, 0);
    if (last)
        tf_queue_enqueue(q, tf_ref(last), TF_ENQUEUE_AFTER_ALL, 0, NULL, NULL);
    return last;
}

cl_int tf_queue_finish(struct tf_err *err, cl_command_queue q)
{
    cl_event last = last_of(err, q);

    if (last)
        tf_event_wait(last);
    tf_unref(last);
    return err->code;
}

// The queue after `q` (NULL: the first one) that is not dying; a reference for the
// caller.
static cl_command_queue next_queue(cl_context ctx, cl_command_queue q)
{
    cl_command_queue next;

    tf_lock(&ctx->lock);
    next = q ? q->next : ctx->queues;
    while (next && (next->on_device || !tf_ref_if_alive(next)))
        next = next->next;
    tf_unlock(&ctx->lock);
    return next;
}

cl_int tf_queue_finish_all(struct tf_err *err, cl_context ctx)
{
    cl_command_queue q = next_queue(ctx, NULL), next;

    while (q && !tf_queue_finish(err, q)) {
        next = next_queue(ctx, q);
        tf_unref(q);
        q = next;
    }
    tf_unref(q);
    return err->code;
}

static cl_int get_default(struct tf_err *err, cl_command_queue q,
                          const struct tf_info *info)
{
    cl_command_queue found = tf_queue_default(q->obj.ctx, q->home.device);

    tf_info_scalar(err, info, cl_command_queue, found);
    tf_unref(found);
    return err->code;
}

cl_int tf_queue_get_info(struct tf_err *err, cl_command_queue q,
                         cl_command_queue_info param, size_t size, void *value,
                         size_t *size_ret)
{
    const struct tf_info info = {size, value, size_ret};

    switch (param) {
    case CL_QUEUE_CONTEXT:
        return tf_info_scalar(err, &info, cl_context, q->obj.ctx);
    case CL_QUEUE_DEVICE:
        return tf_info_scalar(err, &info, cl_device_id, q->home.device);
    case CL_QUEUE_REFERENCE_COUNT:
        return tf_info_scalar(err, &info, cl_uint, tf_object_user_refs(q));
    case CL_QUEUE_PROPERTIES:
        return tf_info_scalar(err, &info, cl_command_queue_properties, q->flags);
    case CL_QUEUE_PROPERTIES_ARRAY:
        return tf_props_put(err, &info, &q->props);
    case CL_QUEUE_DEVICE_DEFAULT:
        return get_default(err, q, &info);
    case CL_QUEUE_SIZE:
        TF_REQUIRE(err, q->on_device, CL_INVALID_COMMAND_QUEUE,
                   "CL_QUEUE_SIZE of a queue on the host");
        return tf_info_scalar(err, &info, cl_uint, q->size_bytes);
    default:
        return tf_fail(err, CL_INVALID_VALUE, "param_name 0x%x", param);
    }
}
