// SPDX-License-Identifier: MIT
// Event callbacks: kept in the event in the order in which they come due, handed to the
// notifier by the transition that makes them due.
#include "base/alloc.h"
#include "core/object/error.h"
#include "core/object/notifier.h"
#include "core/schedule/event.h"

struct tf_event_callback {
    struct tf_job job; // first; links the list in the event as well
    cl_event ev;       // owned once it is due
    cl_int due;        // CL_SUBMITTED, CL_RUNNING or CL_COMPLETE
    cl_int status;     // what the application is told
    tf_event_cb fn;
    void *data;
};

static struct tf_event_callback *next_of(struct tf_event_callback *cb)
{
    return cb->job.next ? tf_container_of(cb->job.next, struct tf_event_callback, job)
                        : NULL;
}

static void run_callback(struct tf_job *job)
{
    struct tf_event_callback *cb = tf_container_of(job, struct tf_event_callback, job);

    cb->fn(cb->ev, cb->status, cb->data);
    tf_unref(cb->ev);
    tf_free(cb);
}

// Due callbacks are told the status that they asked for, or the error.
static void set_due(struct tf_event_callback *cb, cl_event ev, cl_int status)
{
    cb->ev = tf_ref(ev);
    cb->status = status < 0 ? status : cb->due;
}

struct tf_job *tf_event_callbacks_due(cl_event ev, cl_int status)
{
    struct tf_event_callback *first = atomic_load(&ev->callbacks), *last = NULL;

    for (struct tf_event_callback *cb = first; cb && cb->due >= status;
         cb = next_of(cb)) {
        set_due(cb, ev, status);
        last = cb;
    }
    if (!last)
        return NULL;
    atomic_store(&ev->callbacks, next_of(last));
    last->job.next = NULL;
    return &first->job;
}

void tf_event_callbacks_free(struct tf_event_callback *cb)
{
    while (cb) {
        struct tf_event_callback *next = next_of(cb);

        tf_free(cb);
        cb = next;
    }
}

// After those that are due before it or were registered before it for the same status.
static void insert(cl_event ev, struct tf_event_callback *cb) TF_REQUIRES(&ev->lock)
{
    struct tf_event_callback *first = atomic_load(&ev->callbacks), *before = NULL;

    for (struct tf_event_callback *c = first; c && c->due >= cb->due; c = next_of(c))
        before = c;
    if (before) {
        cb->job.next = before->job.next;
        before->job.next = &cb->job;
    } else {
        cb->job.next = first ? &first->job : NULL;
        atomic_store(&ev->callbacks, cb);
    }
}

cl_int tf_event_add_callback(struct tf_err *err, cl_event ev, cl_int status,
                             tf_event_cb fn, void *data)
{
    struct tf_event_callback *cb = tf_zalloc(sizeof(*cb));
    struct tf_job *due;

    if (!cb)
        return tf_fail(err, CL_OUT_OF_HOST_MEMORY, "event callback");
    cb->job.run = run_callback;
    cb->due = status;
    cb->fn = fn;
    cb->data = data;
    tf_lock(&ev->lock);
    insert(ev, cb);
    // Whoever changes the status looks for callbacks after that: one of both sees it.
    due = tf_event_callbacks_due(ev, atomic_load(&ev->status));
    tf_unlock(&ev->lock);
    tf_notifier_post(due);
    return CL_SUCCESS;
}
