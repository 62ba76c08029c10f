// SPDX-License-Identifier: MIT
#include "core/event.h"

#include <assert.h>

#include "base/log.h"
#include "core/error.h"
#include "core/info.h"
#include "core/notifier.h"
#include "core/platform.h"
#include "core/queue.h"

static void release_held(cl_event ev)
{
    while (ev->held_count > 0)
        tf_unref(ev->held[--ev->held_count]);
}

static void event_destroy(struct tf_object *obj)
{
    cl_event ev = (cl_event)obj;

    release_held(ev);
    tf_lock(&ev->lock);
    tf_event_callbacks_free(ev->callbacks);
    tf_unlock(&ev->lock);
    tf_cond_finish(&ev->changed);
    tf_mutex_finish(&ev->lock);
    TF_CLEAR(ev->epoch);
    TF_CLEAR(ev->next_epoch);
    if (ev->queue)
        obj->ctx = NULL; // borrowed from the queue
    TF_CLEAR(ev->queue);
}

const struct tf_class tf_class_event = {
    .name = "event",
    .magic = 0xa6e7e491u,
    .invalid = CL_INVALID_EVENT,
    .size_bytes = sizeof(struct _cl_event),
    .destroy = event_destroy,
    .slab = &tf_slab_event,
};

cl_event tf_event_new(cl_context ctx, cl_command_queue queue, cl_command_type type,
                      unsigned max_deps, unsigned max_held)
{
    const size_t extra = max_deps * sizeof(struct tf_edge) + max_held * sizeof(void *);
    // The context's counter is shared by all its queues: an event of a queue borrows.
    cl_event ev = tf_object_new(&tf_class_event, queue ? NULL : ctx, extra);

    if (!ev)
        return NULL;
    tf_mutex_init(&ev->lock, TF_RANK_EVENT);
    tf_cond_init(&ev->changed);
    atomic_init(&ev->pending, 1);
    atomic_init(&ev->dep_status, CL_COMPLETE);
    tf_lock(&ev->lock);
    ev->status = type == CL_COMMAND_USER ? CL_SUBMITTED : CL_QUEUED;
    tf_unlock(&ev->lock);
    ev->type = type;
    ev->edge_max = max_deps;
    ev->held = (void **)(ev->edges + max_deps);
    ev->held_max = max_held;
    if (queue) {
        ev->obj.ctx = ctx;
        ev->queue = tf_ref(queue);
        ev->device = tf_queue_device(queue);
    }
    return ev;
}

void tf_event_hold(cl_event ev, void *obj)
{
    assert(ev->held_count < ev->held_max);
    ev->held[ev->held_count++] = tf_ref(obj);
}

// Remembers the first failed dependency. Ordered by the decrement of `pending` that
// follows.
static void note_dep_status(cl_event ev, cl_int status)
{
    int expected = CL_COMPLETE;

    if (status < 0)
        atomic_compare_exchange_strong(&ev->dep_status, &expected, status);
}

void tf_event_depend(cl_event ev, cl_event dep, bool propagate)
{
    struct tf_edge *edge = &ev->edges[ev->edge_count++];
    cl_int status;

    assert(ev->edge_count <= ev->edge_max);
    edge->propagate = propagate;
    edge->waiter = ev;
    tf_lock(&dep->lock);
    status = dep->status;
    if (status > CL_COMPLETE) {
        atomic_fetch_add(&ev->pending, 1);
        edge->next = dep->waiters;
        dep->waiters = edge;
        if (dep->type == CL_COMMAND_USER && !dep->kept) {
            dep->kept = true;
            tf_ref(dep);
        }
    }
    tf_unlock(&dep->lock);
    if (propagate)
        note_dep_status(ev, status);
}

void tf_event_join(cl_event ev, cl_event epoch)
{
    atomic_fetch_add(&epoch->pending, 1);
    ev->epoch = tf_ref(epoch);
}

// Device time, or 0 where nobody will ask. Taken before the event's lock: it calls the
// device.
static uint64_t time_of(cl_event ev)
{
    struct tf_device *dev;

    if (!ev->queue || !tf_queue_profiling(ev->queue))
        return 0;
    dev = ev->device->dev;
    return dev->ops->now_ns(dev);
}

// The one place where a status and the times are written. A command that ended without
// having been submitted or started did both at its end.
static void set_status(cl_event ev, cl_int status, uint64_t now_ns) TF_REQUIRES(&ev->lock)
{
    ev->status = status;
    if (status > CL_COMPLETE) {
        ev->time_ns[CL_QUEUED - status] = now_ns;
        return;
    }
    for (int i = CL_QUEUED - CL_SUBMITTED; i <= CL_QUEUED - CL_RUNNING; i++)
        if (ev->time_ns[i] == 0)
            ev->time_ns[i] = now_ns;
    ev->time_ns[3] = ev->time_ns[4] = now_ns;
}

// Moves `ev` to QUEUED, SUBMITTED or RUNNING.
static void advance(cl_event ev, cl_int status)
{
    const uint64_t now_ns = time_of(ev);
    struct tf_job *due;

    tf_log(TF_LOG_QUEUE, "event %p command 0x%x status %d", (void *)ev, ev->type, status);
    tf_lock(&ev->lock);
    set_status(ev, status, now_ns);
    due = tf_event_callbacks_due(ev, status);
    if (ev->waiting && ev->device->dev->ops->help)
        tf_cond_signal_all(&ev->changed);
    tf_unlock(&ev->lock);
    tf_notifier_post(due);
}

// Events of this thread whose dependencies are all done. Filled by finish_one() and
// emptied by the outermost drain(): neither chains nor devices that finish inside
// submit() recurse.
static _Thread_local struct {
    cl_event head, tail;
    bool draining;
} ready;

static void push_ready(cl_event ev)
{
    ev->ready_next = NULL;
    if (ready.head)
        ready.tail->ready_next = ev;
    else
        ready.head = ev;
    ready.tail = ev;
}

static void drop_pending(cl_event ev)
{
    if (atomic_fetch_sub(&ev->pending, 1) == 1)
        push_ready(ev);
}

// Edges are stored newest first; commands are released oldest first.
static struct tf_edge *reversed(struct tf_edge *edge)
{
    struct tf_edge *list = NULL, *next;

    for (; edge; edge = next) {
        next = edge->next;
        edge->next = list;
        list = edge;
    }
    return list;
}

static void release_waiters(struct tf_edge *edge, cl_int status)
{
    struct tf_edge *next;

    for (edge = reversed(edge); edge; edge = next) {
        next =
            edge->next; // the edge lives in the waiter: read it before the waiter can die
        if (edge->propagate)
            note_dep_status(edge->waiter, status);
        drop_pending(edge->waiter);
    }
}

// Terminal transition. What it releases goes on the thread's ready list. False if it was
// finished before, which only happens to user events.
static bool finish_one(cl_event ev, cl_int status)
{
    const uint64_t now_ns = time_of(ev);
    struct tf_edge *waiters;
    struct tf_job *due;
    bool kept;

    tf_log(TF_LOG_QUEUE, "event %p command 0x%x status %d", (void *)ev, ev->type, status);
    if (ev->cleanup && ev->started)
        ev->cleanup(ev);
    release_held(ev);
    tf_lock(&ev->lock);
    if (ev->status <= CL_COMPLETE) {
        tf_unlock(&ev->lock);
        return false;
    }
    set_status(ev, status, now_ns);
    waiters = ev->waiters;
    ev->waiters = NULL;
    kept = ev->kept;
    due = tf_event_callbacks_due(ev, status);
    tf_cond_signal_all(&ev->changed);
    tf_unlock(&ev->lock);

    tf_notifier_post(due);
    release_waiters(waiters, status);
    if (ev->epoch)
        drop_pending(ev->epoch);
    if (ev->queue)
        tf_queue_retire(ev->queue, ev);
    if (kept)
        tf_unref(ev);
    if (ev->started)
        tf_unref(ev);
    return true;
}

// All dependencies of `ev` are done. It may be gone afterwards.
static void release_one(cl_event ev)
{
    if (atomic_load(&ev->dep_status) < 0) {
        finish_one(ev, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    } else if (ev->cmd.kind == TF_CMD_NONE) {
        finish_one(ev, CL_COMPLETE);
    } else {
        struct tf_device *dev = ev->device->dev;

        advance(ev, CL_SUBMITTED);
        ev->cmd.dev_next = NULL;
        dev->ops->submit(dev, &ev->cmd);
    }
}

static void drain(void)
{
    cl_event ev;

    if (ready.draining)
        return;
    ready.draining = true;
    while ((ev = ready.head)) {
        ready.head = ev->ready_next;
        release_one(ev);
    }
    ready.draining = false;
}

void tf_event_start(cl_event ev)
{
    ev->started = true;
    tf_ref(ev); // dropped by finish_one()
    if (ev->queue)
        advance(ev, CL_QUEUED);
    drop_pending(ev);
    drain();
}

bool tf_event_finish(cl_event ev, cl_int status)
{
    bool won;

    tf_assert_no_locks();
    tf_ref(ev);
    won = finish_one(ev, status);
    drain();
    tf_unref(ev);
    return won;
}

static cl_event event_of(struct tf_command *cmd)
{
    return tf_container_of(cmd, struct _cl_event, cmd);
}

void tf_command_started(struct tf_command *cmd)
{
    advance(event_of(cmd), CL_RUNNING);
}

void tf_command_finished(struct tf_command *cmd, cl_int status)
{
    tf_assert_no_locks();
    finish_one(event_of(cmd), status);
    drain();
}

// Lets the calling thread work on the command, which the device has or is about to get.
static void help(cl_event ev)
{
    struct tf_device *dev = ev->device->dev;

    dev->ops->help(dev, &ev->cmd);
}

cl_int tf_event_wait(cl_event ev)
{
    const bool helpful = ev->device && ev->device->dev->ops->help;
    cl_int status, helped = CL_QUEUED; // status at which this thread helped last

    tf_assert_no_locks();
    tf_ref(ev);
    tf_lock(&ev->lock);
    ev->waiting++;
    while ((status = ev->status) > CL_COMPLETE) {
        if (helpful && status < helped) {
            helped = status;
            tf_unlock(&ev->lock);
            help(ev);
            tf_lock(&ev->lock);
        } else {
            tf_cond_wait(&ev->changed, &ev->lock);
        }
    }
    ev->waiting--;
    tf_unlock(&ev->lock);
    tf_unref(ev);
    return status;
}

cl_int tf_event_status(cl_event ev)
{
    cl_int status;

    tf_lock(&ev->lock);
    status = ev->status;
    tf_unlock(&ev->lock);
    return status;
}

cl_int tf_event_get_info(struct tf_err *err, cl_event ev, cl_event_info param,
                         size_t size, void *value, size_t *size_ret)
{
    const struct tf_info info = {size, value, size_ret};

    switch (param) {
    case CL_EVENT_COMMAND_QUEUE:
        return tf_info_scalar(err, &info, cl_command_queue, ev->queue);
    case CL_EVENT_CONTEXT:
        return tf_info_scalar(err, &info, cl_context, ev->obj.ctx);
    case CL_EVENT_COMMAND_TYPE:
        return tf_info_scalar(err, &info, cl_command_type, ev->type);
    case CL_EVENT_COMMAND_EXECUTION_STATUS:
        return tf_info_scalar(err, &info, cl_int, tf_event_status(ev));
    case CL_EVENT_REFERENCE_COUNT:
        return tf_info_scalar(err, &info, cl_uint, tf_object_user_refs(ev));
    default:
        return tf_fail(err, CL_INVALID_VALUE, "param_name 0x%x", param);
    }
}

cl_int tf_event_get_profiling(struct tf_err *err, cl_event ev, cl_profiling_info param,
                              size_t size, void *value, size_t *size_ret)
{
    const struct tf_info info = {size, value, size_ret};
    cl_int status;
    cl_ulong ns = 0;

    if (!ev->queue || !tf_queue_profiling(ev->queue))
        return tf_fail(err, CL_PROFILING_INFO_NOT_AVAILABLE, "%s",
                       ev->queue ? "the queue does not profile" : "user event");
    if (param < CL_PROFILING_COMMAND_QUEUED || param > CL_PROFILING_COMMAND_COMPLETE)
        return tf_fail(err, CL_INVALID_VALUE, "param_name 0x%x", param);
    tf_lock(&ev->lock);
    status = ev->status;
    ns = ev->time_ns[param - CL_PROFILING_COMMAND_QUEUED];
    tf_unlock(&ev->lock);
    if (status != CL_COMPLETE)
        return tf_fail(err, CL_PROFILING_INFO_NOT_AVAILABLE, "event status is %d",
                       status);
    return tf_info_value(err, &info, &ns, sizeof(ns));
}
