// SPDX-License-Identifier: MIT
#include "core/schedule/event.h"

#include <assert.h>

#include "abi/long16.h"
#include "base/log.h"
#include "base/time.h"
#include "core/object/notifier.h"
#include "core/platform/context.h"
#include "core/platform/device.h"
#include "core/schedule/event_trace.h"
#include "trace/trace.h"

static void release_held(cl_event ev)
{
    while (ev->held_count > 0)
        tf_unref(tf_event_held(ev)[--ev->held_count]);
}

static void event_destroy(struct tf_object *obj)
{
    cl_event ev = (cl_event)obj;

    if (ev->type == CL_COMMAND_USER && obj->ctx)
        tf_context_drop_stopper(obj->ctx, tf_event_extra(ev));
    release_held(ev);
    tf_event_callbacks_free(atomic_load(&ev->callbacks));
    tf_mutex_finish(&ev->lock);
    if (ev->home.order)
        obj->ctx = NULL; // borrowed from the queue
    if (ev->owns_queue)
        TF_CLEAR(ev->home.queue);
}

const struct tf_class tf_class_event = {
    .name = "event",
    .magic = 0xa6e7e491u,
    .invalid = CL_INVALID_EVENT,
    .size_bytes = sizeof(struct _cl_event),
    .destroy = event_destroy,
    .slab = &tf_slab_event,
};

cl_event tf_event_new(cl_context ctx, const struct tf_event_home *home,
                      cl_command_type type, unsigned max_deps, unsigned max_held)
{
    return tf_event_new_with(ctx, home, type, max_deps, max_held, 0);
}

cl_event tf_event_new_with(cl_context ctx, const struct tf_event_home *home,
                           cl_command_type type, unsigned max_deps, unsigned max_held,
                           size_t extra_bytes)
{
    const bool is_user = type == CL_COMMAND_USER;
    const size_t own = max_deps * sizeof(struct tf_edge) + max_held * sizeof(void *);
    const size_t extra = is_user ? sizeof(struct tf_context_stopper) : extra_bytes;
    const size_t padded = extra > 0 ? own + TF_LONG16_BYTES - 1 + extra : own;
    // The context's counter is shared by all its queues: an event of a queue borrows.
    cl_event ev = tf_object_new(&tf_class_event, home ? NULL : ctx, padded);

    if (!ev)
        return NULL;
    tf_mutex_init(&ev->lock, TF_RANK_EVENT);
    atomic_init(&ev->pending, 1);
    atomic_init(&ev->dep_status, CL_COMPLETE);
    atomic_init(&ev->status, is_user ? CL_SUBMITTED : CL_QUEUED);
    ev->type = type;
    ev->edge_max = max_deps;
    ev->held_max = max_held;
    if (home) {
        ev->obj.ctx = ctx;
        ev->home = *home;
        ev->cmd.stop = tf_context_stop_of(ctx);
    }
    if (tf_trace_on())
        ev->cmd.trace_id = tf_trace_number();
    return ev;
}

void tf_event_hold(cl_event ev, void *obj)
{
    assert(ev->held_count < ev->held_max);
    tf_event_held(ev)[ev->held_count++] = tf_ref(obj);
}

// Remembers the first failed dependency. Ordered by the decrement of `pending` that
// follows.
static void note_dep_status(cl_event ev, cl_int status)
{
    int expected = CL_COMPLETE;

    if (status < 0)
        atomic_compare_exchange_strong(&ev->dep_status, &expected, status);
}

// Nobody waits for the user events of a context that has been terminated. Looked at under
// the event's lock; who terminates sets the status first and takes the lock then.
static bool is_cut_off(cl_event dep)
{
    return dep->type == CL_COMMAND_USER && dep->obj.ctx &&
           tf_context_stopped(dep->obj.ctx);
}

void tf_event_depend(cl_event ev, cl_event dep, bool propagate)
{
    struct tf_edge *edge = &ev->edges[ev->edge_count++];
    cl_int status;

    assert(ev->edge_count <= ev->edge_max);
    edge->propagate = propagate;
    edge->waiter = ev;
    tf_lock(&dep->lock);
    status = atomic_load(&dep->status);
    if (status > CL_COMPLETE && !is_cut_off(dep)) {
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
    if (propagate && tf_trace_on())
        tf_event_trace_depend(&ev->cmd, &dep->cmd);
}

void tf_event_add_pending(cl_event ev)
{
    atomic_fetch_add(&ev->pending, 1);
}

// Device time, or 0 where nobody will ask. Not to be called under a lock.
static uint64_t time_of(cl_event ev)
{
    struct tf_device *dev;

    if (!ev->home.profiles)
        return tf_trace_on() ? tf_time_ns() : 0;
    dev = ev->home.device->dev;
    return dev->ops->now_ns(dev);
}

// A command that ended without having been submitted or started did both at its end. The
// times never fall, and the end lies behind the start even where the clock stood still:
// applications divide by the difference.
static void set_end_times(cl_event ev, uint64_t now_ns)
{
    uint64_t *const at = ev->time_ns;

    for (int i = CL_QUEUED - CL_SUBMITTED; i <= CL_QUEUED - CL_RUNNING; i++) {
        if (at[i] == 0)
            at[i] = now_ns;
        if (at[i] < at[i - 1])
            at[i] = at[i - 1];
    }
    at[3] = now_ns > at[2] ? now_ns : at[2] + 1;
}

static void log_status(cl_event ev, cl_int status)
{
    if (tf_log_on(TF_LOG_QUEUE))
        tf_log(TF_LOG_QUEUE, "event %p command 0x%x status %d", (void *)ev, ev->type,
               status);
}

// Moves `ev` to SUBMITTED or RUNNING.
static void advance(cl_event ev, cl_int status)
{
    struct tf_job *due;

    log_status(ev, status);
    ev->time_ns[CL_QUEUED - status] = time_of(ev);
    atomic_store(&ev->status, status);
    if (!atomic_load(&ev->callbacks))
        return;
    tf_lock(&ev->lock);
    due = tf_event_callbacks_due(ev, status);
    tf_unlock(&ev->lock);
    tf_notifier_post(due);
}

// Events of this thread whose dependencies are all done. Filled by finish_one() and
// emptied by the outermost drain(): neither chains nor devices that finish inside
// submit() recurse.
static TF_THREAD_LOCAL struct {
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

void tf_event_drop_pending(cl_event ev)
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
        tf_event_drop_pending(edge->waiter);
    }
}

static cl_event event_of(struct tf_command *cmd)
{
    return tf_container_of(cmd, struct _cl_event, cmd);
}

// The queue of a finished command goes on, and may be gone afterwards.
static void leave_queue(cl_event ev)
{
    struct tf_order *order = ev->home.order;
    cl_event next = order->ops->retire(order, ev);

    if (next)
        push_ready(next);
}

static void trace_end(cl_event ev, cl_int status)
{
    tf_event_trace_end(&(struct tf_event_ended){.cmd = &ev->cmd,
                                                .type = ev->type,
                                                .queue = ev->home.trace_number,
                                                .queued_ns = ev->time_ns[0],
                                                .start_ns = ev->time_ns[2],
                                                .end_ns = ev->time_ns[3],
                                                .status = status});
}

// Terminal transition. What it releases goes on the thread's ready list. False if it was
// finished before, which only happens to user events.
static bool finish_one(cl_event ev, cl_int status)
{
    const uint64_t now_ns = time_of(ev);
    struct tf_edge *waiters;
    struct tf_job *due;
    bool kept;

    if (tf_command_stopped(&ev->cmd))
        status = tf_command_stopped(&ev->cmd);
    log_status(ev, status);
    if (ev->cleanup && ev->started)
        ev->cleanup(ev, status);
    release_held(ev);
    tf_lock(&ev->lock);
    if (atomic_load(&ev->status) <= CL_COMPLETE) {
        tf_unlock(&ev->lock);
        return false;
    }
    set_end_times(ev, now_ns);
    atomic_store(&ev->status, status);
    waiters = ev->waiters;
    ev->waiters = NULL;
    kept = ev->kept;
    due = tf_event_callbacks_due(ev, status);
    tf_unlock(&ev->lock);

    if (tf_trace_on() && ev->home.queue)
        trace_end(ev, status);
    tf_event_wake(tf_event_sleepers(ev));
    tf_notifier_post(due);
    release_waiters(waiters, status);
    if (ev->retires)
        leave_queue(ev);
    if (kept)
        tf_unref(ev);
    if (ev->started)
        tf_unref(ev);
    return true;
}

void tf_command_kept(struct tf_command *cmd)
{
    tf_event_wake(tf_event_place(event_of(cmd)));
}

static void submit(cl_event first)
{
    struct tf_device *dev = first->home.device->dev;
    unsigned sleepers = 0;

    for (struct tf_command *cmd = &first->cmd; cmd; cmd = cmd->dev_next) {
        advance(event_of(cmd), CL_SUBMITTED);
        sleepers |= cmd->thread ? tf_event_place(event_of(cmd))
                                : tf_event_sleepers(event_of(cmd));
    }
    dev->ops->submit(dev, &first->cmd);
    tf_event_wake(sleepers); // they may help now
}

// Ends commands that have been stopped, all those that would go to the device together.
static void finish_run(cl_event first)
{
    struct tf_command *cmd = &first->cmd, *next;

    for (; cmd; cmd = next) {
        next = cmd->dev_next; // the command dies when it is finished
        finish_one(event_of(cmd), CL_COMPLETE);
    }
}

// The turn of a command that no device sees has come.
static void begin_on_host(cl_event ev)
{
    cl_int status = CL_COMPLETE;

    if (ev->begin) {
        tf_ref(ev); // whoever goes on with it may have ended it before begin() returns
        advance(ev, CL_SUBMITTED);
        status = ev->begin(ev);
        tf_unref(ev);
    }
    if (status <= CL_COMPLETE)
        finish_one(ev, status);
}

// All dependencies of `ev` are done. It may be gone afterwards.
static void release_one(cl_event ev)
{
    struct tf_order *order = ev->home.order;

    if (order)
        ev = order->ops->ready(order, ev);
    if (!ev)
        return;
    if (tf_command_stopped(&ev->cmd))
        finish_run(ev);
    else if (atomic_load(&ev->dep_status) < 0)
        finish_one(ev, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    else if (ev->cmd.kind == TF_CMD_NONE)
        begin_on_host(ev);
    else
        submit(ev);
}

static void drain(void);

// The context of a user event has been terminated: what waits for it, does no longer.
static void cut_off(void *obj)
{
    cl_event ev = obj;
    struct tf_edge *waiters;
    bool kept;

    tf_lock(&ev->lock);
    waiters = ev->waiters;
    ev->waiters = NULL;
    kept = ev->kept;
    ev->kept = false;
    tf_unlock(&ev->lock);
    release_waiters(waiters, CL_COMPLETE);
    drain();
    if (kept)
        tf_unref(ev);
}

cl_event tf_event_new_user(cl_context ctx)
{
    struct tf_context_stopper *stopper;
    cl_event ev = tf_event_new(ctx, NULL, CL_COMMAND_USER, 0, 0);

    if (!ev)
        return NULL;
    stopper = tf_event_extra(ev);
    *stopper = (struct tf_context_stopper){.stop = cut_off, .obj = ev};
    tf_context_add_stopper(ctx, stopper);
    return ev;
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

void tf_event_publish(cl_event ev)
{
    ev->started = true;
    log_status(ev, CL_QUEUED);
    ev->time_ns[0] = time_of(ev);
}

void tf_event_drop_guard(cl_event ev)
{
    tf_event_drop_pending(ev);
    drain();
}

void tf_event_release_run(cl_event first)
{
    push_ready(first);
    drain();
}

// Whether the calling thread runs the command itself if nothing comes before it: a copy
// when the caller waits for it anyway, and always what takes no time.
static bool wants_here(cl_event ev, bool caller_waits)
{
    if (!ev->home.device->dev->ops->run_here)
        return false;
    switch (ev->cmd.kind) {
    case TF_CMD_NONE:
    case TF_CMD_KERNEL:
    case TF_CMD_NATIVE:
    case TF_CMD_BATCH:
        return false;
    case TF_CMD_MAP:
    case TF_CMD_UNMAP:
        return true;
    case TF_CMD_READ:
    case TF_CMD_WRITE:
    case TF_CMD_COPY:
    case TF_CMD_FILL:
    case TF_CMD_READ_RECT:
    case TF_CMD_WRITE_RECT:
    case TF_CMD_COPY_RECT:
    case TF_CMD_FILL_RECT:
    case TF_CMD_SVM_COPY:
    case TF_CMD_SVM_FILL:
        break;
    }
    return caller_waits;
}

bool tf_event_may_run_here(cl_event ev, bool caller_waits)
{
    return tf_event_waits_for_nothing(ev) && !tf_event_is_host_only(ev) &&
           wants_here(ev, caller_waits);
}

void tf_event_run_here(cl_event ev)
{
    struct tf_device *dev = ev->home.device->dev;

    advance(ev, CL_SUBMITTED);
    advance(ev, CL_RUNNING);
    tf_command_finished(&ev->cmd, dev->ops->run_here(dev, &ev->cmd));
}

void tf_event_own_queue(cl_event ev)
{
    ev->owns_queue = true;
    tf_ref(ev->home.queue);
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

cl_int tf_event_status(cl_event ev)
{
    return atomic_load(&ev->status);
}
