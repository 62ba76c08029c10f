// SPDX-License-Identifier: MIT
// An in-order queue needs its lock once a command to list it, and once a run: commands in
// the middle of a run end without it.
//
// An out-of-order queue knows its unfinished commands only as a number: each command
// counts as a pending dependency of the queue's open epoch. A marker closes the epoch
// (drops the queue's own count), waits for it and opens the next one, which waits for the
// closed one.
#include "core/schedule/queue.h"

#include <assert.h>
#include <limits.h>

#include "base/alloc.h"
#include "core/object/error.h"
#include "core/object/info.h"
#include "core/platform/context.h"
#include "core/platform/device.h"

struct _cl_command_queue {
    struct tf_object obj;
    cl_device_id device;
    cl_command_queue_properties flags;
    cl_queue_properties *properties; // owned, 0-terminated; NULL if none were given
    size_t property_count;           // with the terminating 0
    cl_command_queue next, *link;    // in ctx->queues, under the context's lock
    struct tf_mutex lock;
    uint64_t order TF_GUARDED_BY(&lock); // of the last command
    // In-order. Listed commands are unfinished and own themselves. The next run is linked
    // by dev_next as its commands come in, what is behind it by queue_next.
    cl_event run TF_GUARDED_BY(&lock);      // first command of the next run
    cl_event run_last TF_GUARDED_BY(&lock); // and the last, NULL if there is none
    cl_event head TF_GUARDED_BY(&lock);     // first command behind the next run
    cl_event tail TF_GUARDED_BY(&lock);     // last command, in a run or not
    bool is_running TF_GUARDED_BY(&lock);   // a run is under way
    // Out-of-order.
    size_t unfinished TF_GUARDED_BY(&lock);
    cl_event barrier TF_GUARDED_BY(&lock); // owned last barrier; NULL once it ended
    uint64_t barrier_order TF_GUARDED_BY(&lock);
    cl_event epoch TF_GUARDED_BY(&lock); // owned open epoch
};

// Room in every event for the edges that the queue adds: epoch and barrier.
enum { IMPLICIT_EDGES = 2 };

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
    cl_event epoch;

    unlist_queue(q);
    tf_lock(&q->lock);
    assert(!q->tail && !q->unfinished); // unfinished commands own their queue
    epoch = q->epoch;
    tf_unlock(&q->lock);
    tf_unref(epoch);
    tf_free(q->properties);
    tf_mutex_finish(&q->lock);
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
    return q->device;
}

bool tf_queue_in_order(cl_command_queue q)
{
    return !(q->flags & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
}

bool tf_queue_profiling(cl_command_queue q)
{
    return q->flags & CL_QUEUE_PROFILING_ENABLE;
}

// An event that ends when all that joined it has ended. It has no queue: the queue owns
// it.
static cl_event new_epoch(cl_context ctx)
{
    return tf_event_new(ctx, NULL, 0, 1, 0);
}

static bool fill_queue(cl_command_queue q, const struct tf_queue_desc *desc)
{
    cl_event epoch = NULL;

    if (desc->properties) {
        q->properties =
            tf_memdup(desc->properties, desc->property_count * sizeof(*desc->properties));
        q->property_count = desc->property_count;
        if (!q->properties)
            return false;
    }
    if (!tf_queue_in_order(q)) {
        epoch = new_epoch(q->obj.ctx);
        if (!epoch)
            return false;
    }
    tf_lock(&q->lock);
    q->epoch = epoch;
    tf_unlock(&q->lock);
    return true;
}

cl_int tf_queue_create(struct tf_err *err, cl_context ctx,
                       const struct tf_queue_desc *desc, cl_command_queue *out)
{
    cl_command_queue q = tf_object_new(&tf_class_queue, ctx, 0);

    if (!q)
        return tf_fail(err, CL_OUT_OF_HOST_MEMORY, "command queue");
    tf_mutex_init(&q->lock, TF_RANK_QUEUE);
    q->device = desc->device;
    q->flags = desc->flags;
    if (!fill_queue(q, desc)) {
        tf_unref(q);
        return tf_fail(err, CL_OUT_OF_HOST_MEMORY, "command queue");
    }
    list_queue(q);
    *out = tf_give_user(q);
    return CL_SUCCESS;
}

cl_event tf_queue_new_command(struct tf_err *err, cl_command_queue q,
                              cl_command_type type, cl_uint dep_count, unsigned max_held)
{
    return tf_queue_new_command_with(err, q, type, dep_count, max_held, 0);
}

cl_event tf_queue_new_command_with(struct tf_err *err, cl_command_queue q,
                                   cl_command_type type, cl_uint dep_count,
                                   unsigned max_held, size_t extra_bytes)
{
    const bool may_close = type == CL_COMMAND_MARKER || type == CL_COMMAND_BARRIER;
    cl_event ev = NULL;

    if (dep_count <= UINT_MAX - IMPLICIT_EDGES)
        ev = tf_event_new_with(q->obj.ctx, q, type, dep_count + IMPLICIT_EDGES, max_held,
                               extra_bytes);
    if (ev && may_close && !tf_queue_in_order(q)) {
        ev->next_epoch = new_epoch(q->obj.ctx);
        if (!ev->next_epoch)
            TF_CLEAR(ev);
    }
    if (!ev)
        tf_fail(err, CL_OUT_OF_HOST_MEMORY, "event with %u dependencies", dep_count);
    return ev;
}

// Puts `ev` after all that is unfinished and opens the next epoch. Returns the closed
// one, still with the queue's own count.
static cl_event close_epoch(cl_command_queue q, cl_event ev) TF_REQUIRES(&q->lock)
{
    cl_event closed = q->epoch;

    assert(ev->next_epoch);
    tf_event_depend(ev, closed, false);
    tf_event_depend(ev->next_epoch, closed, false);
    q->epoch = ev->next_epoch;
    ev->next_epoch = NULL;
    return closed;
}

// ---- In the caller ----

// Whether the calling thread runs the command itself if nothing comes before it: a copy
// when the caller waits for it anyway, and always what takes no time.
static bool wants_here(cl_event ev, unsigned flags)
{
    if (!ev->device->dev->ops->run_here)
        return false;
    switch (ev->cmd.kind) {
    case TF_CMD_NONE:
    case TF_CMD_KERNEL:
    case TF_CMD_NATIVE:
        return false;
    case TF_CMD_MAP:
    case TF_CMD_UNMAP:
    case TF_CMD_MIGRATE:
        return true;
    case TF_CMD_READ:
    case TF_CMD_WRITE:
    case TF_CMD_COPY:
    case TF_CMD_FILL:
    case TF_CMD_READ_RECT:
    case TF_CMD_WRITE_RECT:
    case TF_CMD_COPY_RECT:
    case TF_CMD_SVM_COPY:
    case TF_CMD_SVM_FILL:
        break;
    }
    return flags & TF_ENQUEUE_WAITS;
}

static bool may_run_here(cl_event ev, unsigned flags)
{
    return tf_event_waits_for_nothing(ev) && !tf_event_is_host_only(ev) &&
           wants_here(ev, flags);
}

// ---- In-order ----

// Adds the command, which comes right behind the next run, to that run. False if that
// cannot be: it is not ready, or one of both is for the host alone.
static bool join_run(cl_command_queue q, cl_event ev) TF_REQUIRES(&q->lock)
{
    if (!ev->is_ready)
        return false;
    if (q->run && (tf_event_is_host_only(ev) || tf_event_is_host_only(q->run)))
        return false;
    if (q->run)
        q->run_last->cmd.dev_next = &ev->cmd;
    else
        q->run = ev;
    q->run_last = ev;
    return true;
}

static void fill_run(cl_command_queue q) TF_REQUIRES(&q->lock)
{
    while (q->head && join_run(q, q->head))
        q->head = q->head->queue_next;
}

// Begins the next run, unless one is under way or there is none: a single marker or
// failed command, or a list of commands for the device.
static cl_event take_run(cl_command_queue q) TF_REQUIRES(&q->lock)
{
    cl_event first = q->run;

    if (q->is_running || !first)
        return NULL;
    q->is_running = true;
    first->in_run = true;
    q->run_last->ends_run = true;
    q->run = q->run_last = NULL;
    fill_run(q);
    return first;
}

cl_event tf_queue_ready(cl_command_queue q, cl_event ev)
{
    cl_event run;

    tf_lock(&q->lock);
    ev->is_ready = true;
    fill_run(q);
    run = take_run(q);
    tf_unlock(&q->lock);
    return run;
}

// Lists `ev`, which has its dependencies. *here: whether the caller wants to run it, and
// then, whether it is to do so. Returns a run for the caller to release, or NULL.
static cl_event list_command(cl_command_queue q, cl_event ev, bool *here)
    TF_REQUIRES(&q->lock)
{
    ev->cmd.order = ev->cmd.after = ++q->order;
    *here = *here && !q->tail;
    if (!q->tail) // the first unfinished one: they own their queue
        tf_ref(q);
    if (q->head)
        q->tail->queue_next = ev;
    else if (!join_run(q, ev))
        q->head = ev;
    q->tail = ev;
    return take_run(q);
}

// The event may be gone afterwards.
static void enqueue_in_order(cl_command_queue q, cl_event ev, unsigned flags)
{
    const bool is_ready = tf_event_waits_for_nothing(ev);
    bool here = is_ready && may_run_here(ev, flags);
    cl_event run;

    ev->is_ready = is_ready;
    tf_lock(&q->lock);
    run = list_command(q, ev, &here);
    tf_unlock(&q->lock);
    if (run && here)
        tf_event_run_here(run);
    else if (run)
        tf_event_release_run(run);
    if (!is_ready)
        tf_event_let_go(ev);
}

// ---- Out-of-order ----

// What the queue's lock guards while `ev` joins; the references go once it is unlocked.
struct joined {
    cl_event closed;  // epoch to be started
    cl_event dropped; // barrier before ev
};

static struct joined join(cl_command_queue q, cl_event ev, unsigned flags)
    TF_REQUIRES(&q->lock)
{
    struct joined j = {0};

    ev->cmd.order = ++q->order;
    ev->cmd.after = q->barrier ? q->barrier_order : 0;
    if (flags & TF_ENQUEUE_AFTER_ALL) {
        ev->cmd.after = ev->cmd.order;
        j.closed = close_epoch(q, ev);
    }
    if (q->barrier)
        tf_event_depend(ev, q->barrier, false);
    if (flags & TF_ENQUEUE_BARRIER) {
        j.dropped = q->barrier;
        q->barrier = tf_ref(ev);
        q->barrier_order = ev->cmd.order;
    }
    tf_event_join(ev, q->epoch);
    if (q->unfinished++ == 0)
        tf_ref(q);
    return j;
}

static void enqueue_out_of_order(cl_command_queue q, cl_event ev, unsigned flags)
{
    struct joined j;

    tf_lock(&q->lock);
    j = join(q, ev, flags);
    tf_unlock(&q->lock);
    if (j.closed)
        tf_event_start(j.closed);
    if (may_run_here(ev, flags))
        tf_event_run_here(ev);
    else
        tf_event_let_go(ev);
    tf_unref(j.closed);
    tf_unref(j.dropped);
}

void tf_queue_enqueue(cl_command_queue q, cl_event ev, unsigned flags, cl_uint dep_count,
                      const cl_event *deps, cl_event *out)
{
    for (cl_uint i = 0; i < dep_count; i++)
        tf_event_depend(ev, deps[i], true);
    ev->cmd.stream = q;
    tf_event_publish(ev);
    if (out) {
        tf_event_own_queue(ev);
        *out = tf_give_user(tf_ref(ev));
    }
    if (tf_queue_in_order(q))
        enqueue_in_order(q, ev, flags);
    else
        enqueue_out_of_order(q, ev, flags);
    tf_unref(ev);
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

cl_event tf_queue_retire(cl_command_queue q, cl_event ev, bool *is_idle)
{
    cl_event next = NULL, barrier = NULL;

    tf_lock(&q->lock);
    if (ev->ends_run) {
        q->is_running = false;
        next = take_run(q);
        *is_idle = q->tail == ev;
        if (*is_idle)
            q->tail = NULL;
    } else {
        *is_idle = --q->unfinished == 0;
        if (q->barrier == ev) {
            barrier = ev;
            q->barrier = NULL;
        }
    }
    tf_unlock(&q->lock);
    tf_unref(barrier);
    return next;
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
    cl_event last = NULL;
    bool idle;

    tf_lock(&q->lock);
    if (tf_queue_in_order(q))
        last = tf_ref(q->tail);
    // Only the queue's own count is left: neither a command nor an earlier epoch.
    idle = q->epoch && atomic_load(&q->epoch->pending) == 1;
    tf_unlock(&q->lock);
    if (tf_queue_in_order(q) || idle)
        return last;
    last = tf_queue_new_command(err, q, CL_COMMAND_MARKER, 0, 0);
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
    while (next && !tf_ref_if_alive(next))
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

cl_int tf_queue_get_info(struct tf_err *err, cl_command_queue q,
                         cl_command_queue_info param, size_t size, void *value,
                         size_t *size_ret)
{
    const struct tf_info info = {size, value, size_ret};

    switch (param) {
    case CL_QUEUE_CONTEXT:
        return tf_info_scalar(err, &info, cl_context, q->obj.ctx);
    case CL_QUEUE_DEVICE:
        return tf_info_scalar(err, &info, cl_device_id, q->device);
    case CL_QUEUE_REFERENCE_COUNT:
        return tf_info_scalar(err, &info, cl_uint, tf_object_user_refs(q));
    case CL_QUEUE_PROPERTIES:
        return tf_info_scalar(err, &info, cl_command_queue_properties, q->flags);
    case CL_QUEUE_PROPERTIES_ARRAY:
        return tf_info_value(err, &info, q->properties,
                             q->property_count * sizeof(cl_queue_properties));
    case CL_QUEUE_DEVICE_DEFAULT:
        return tf_info_scalar(err, &info, cl_command_queue, NULL);
    case CL_QUEUE_SIZE:
        return tf_fail(err, CL_INVALID_COMMAND_QUEUE, "CL_QUEUE_SIZE of a host queue");
    default:
        return tf_fail(err, CL_INVALID_VALUE, "param_name 0x%x", param);
    }
}
