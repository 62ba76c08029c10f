// SPDX-License-Identifier: MIT
// Events and the dependency graph. One event is one command is one allocation, its edges
// included.
//
//   QUEUED --(last dependency done)--> SUBMITTED --(device)--> RUNNING --> COMPLETE or <
//   0
//      \------(a dependency failed)------------------------------------> error
//
// `pending` counts unfinished dependencies, plus one held by the enqueuer until all edges
// are in place. Whoever brings it to zero releases the command, exactly once. What is to
// go to the device then says the order of its queue (core/schedule/order.h).
// No function here ever holds the locks of two events.
#ifndef TF_CORE_SCHEDULE_EVENT_H
#define TF_CORE_SCHEDULE_EVENT_H

#include <stdatomic.h>

#include "abi/long16.h"
#include "base/thread.h"
#include "core/object/object.h"
#include "core/platform/context.h"
#include "core/platform/device_interface.h"
#include "core/schedule/order.h"

struct tf_job;

struct tf_edge {
    struct tf_edge *next;
    struct _cl_event *waiter; // borrowed: it cannot end before this edge is taken
    bool propagate;           // explicit dependency: its error fails the waiter
};

struct tf_event_callback; // core/schedule/event_callback.c

typedef void(CL_CALLBACK *tf_event_cb)(cl_event ev, cl_int status, void *data);

// What the events of a queue have from it.
struct tf_event_home {
    // Unfinished commands own their queue together, as long as there are any; an event
    // that the application has a handle of owns it for itself.
    cl_command_queue queue;
    cl_device_id device;
    struct tf_order *order;
    bool profiles;
    uint32_t trace_number; // the queue's, in a trace
};

struct _cl_event {
    struct tf_object obj;
    struct tf_command cmd;
    cl_command_type type; // CL_COMMAND_*
    atomic_uint pending;
    struct tf_event_home home; // zeros for events of no queue: user events, epochs
    atomic_int dep_status;     // first dependency error, or CL_COMPLETE

    // The last change of the status is made under the lock, others without it. Callbacks
    // change under the lock; looking whether there are any takes none.
    atomic_int status;
    struct tf_mutex lock;
    uint64_t time_ns[4]; // QUEUED, SUBMIT, START, END; written by who moves the event on
    struct tf_edge *waiters TF_GUARDED_BY(&lock);
    _Atomic(struct tf_event_callback *) callbacks;
    atomic_uint waiting;            // threads in tf_event_wait()
    bool kept TF_GUARDED_BY(&lock); // owns itself: unfinished user event with waiters
    bool started;                   // owns itself from tf_event_start() to its end
    bool owns_queue;
    bool spans_queues; // CL_EVENT_COMMAND_QUEUE is none of them
    bool retires;      // set by the order: it is told when the command has ended

    // Of a command of no device: called once when it is its turn, with the event
    // SUBMITTED. Returns the status that it ends with, or CL_RUNNING: then somebody calls
    // tf_event_finish() some time. NULL: it ends at once, with CL_COMPLETE.
    cl_int (*begin)(struct _cl_event *ev);
    // When the command has ended, before its status is visible: `cleanup` runs once, then
    // the held objects (memory, program, kernel) are released. An event that is given up
    // before it is published releases what it holds and never runs `cleanup`.
    void (*cleanup)(struct _cl_event *ev, cl_int status);
    void *cleanup_data;
    unsigned held_count; // tf_event_held()
    unsigned held_max;

    union tf_order_link link;     // private to home.order
    struct _cl_event *ready_next; // private to core/schedule/event.c
    unsigned edge_count;          // edges used
    unsigned edge_max;
    struct tf_edge edges[]; // of this event's own dependencies; then what it holds
};

// New event able to hold `max_deps` dependencies and `max_held` held objects, or NULL.
// `home` is copied; NULL: an event of no queue. CL_COMMAND_USER starts SUBMITTED, every
// other one QUEUED. One allocation; reports nothing.
cl_event tf_event_new(cl_context ctx, const struct tf_event_home *home,
                      cl_command_type type, unsigned max_deps,
                      unsigned max_held) TF_NODISCARD;
// The same with `extra_bytes` zeroed bytes at tf_event_extra(), aligned to 128, that live
// as long as the event.
cl_event tf_event_new_with(cl_context ctx, const struct tf_event_home *home,
                           cl_command_type type, unsigned max_deps, unsigned max_held,
                           size_t extra_bytes) TF_NODISCARD;

// A user event.
cl_event tf_event_new_user(cl_context ctx) TF_NODISCARD TF_EXCLUDES(&ctx->lock);

// The command takes a reference on `obj` until it has ended. At most max_held times.
void tf_event_hold(cl_event ev, void *obj);

// What it holds: held_max places.
static inline void **tf_event_held(cl_event ev)
{
    return (void **)(ev->edges + ev->edge_max);
}

// Memory of the command's own, if it was asked for.
static inline void *tf_event_extra(cl_event ev)
{
    const uintptr_t end = (uintptr_t)(tf_event_held(ev) + ev->held_max);

    return (void *)((end + TF_LONG16_BYTES - 1) / TF_LONG16_BYTES * TF_LONG16_BYTES);
}

// Makes `ev` wait for `dep`; from then on `ev` must be started some time. Cannot fail.
// With `propagate`, an error of `dep` fails `ev`.
void tf_event_depend(cl_event ev, cl_event dep, bool propagate) TF_EXCLUDES(&dep->lock);

// The first half of tf_event_start(): from here on the event owns itself until its end,
// by the caller's reference.
void tf_event_publish(cl_event ev);
// The second half: drops the enqueuer's guard, so that the command may start.
void tf_event_drop_guard(cl_event ev) TF_EXCLUDES(&ev->lock);
static inline void tf_event_start(cl_event ev)
{
    tf_event_publish(ev);
    tf_event_drop_guard(ev);
}
// Releases the first event of a run whose turn it is.
void tf_event_release_run(cl_event first);

// Runs the command of an event that waits for nothing, and whose turn it is, in the
// calling thread (device operation run_here). It may be gone afterwards.
void tf_event_run_here(cl_event ev);
// Whether that may be: the event waits for nothing, and the command takes no time, or is
// a copy that the caller waits for anyway.
bool tf_event_may_run_here(cl_event ev, bool caller_waits);

// True if the event has its guard and waits for nothing else. It stays so.
static inline bool tf_event_waits_for_nothing(cl_event ev)
{
    return atomic_load(&ev->pending) == 1;
}
// True if the device has nothing to do for the event: it is a marker or will fail.
static inline bool tf_event_is_host_only(cl_event ev)
{
    return ev->cmd.kind == TF_CMD_NONE || atomic_load(&ev->dep_status) < 0;
}

// `ev`, of a queue, will be seen by the application. Before it may start.
void tf_event_own_queue(cl_event ev);

// Moves `ev` to a terminal status; releases and submits what waited for it. False if it
// was finished already.
bool tf_event_finish(cl_event ev, cl_int status) TF_EXCLUDES(&ev->lock);

// Waits until `ev` is finished, helping the device meanwhile; returns its status. No lock
// may be held.
cl_int tf_event_wait(cl_event ev) TF_EXCLUDES(&ev->lock);
cl_int tf_event_status(cl_event ev) TF_EXCLUDES(&ev->lock);

// One more unfinished dependency of `ev`, which has not been started, and one less. What
// gets ready by that is released when this thread's list is drained.
void tf_event_add_pending(cl_event ev);
void tf_event_drop_pending(cl_event ev);

cl_int tf_event_add_callback(struct tf_err *err, cl_event ev, cl_int status,
                             tf_event_cb cb, void *data);

// Private to core/event*.c. Takes the callbacks that are due at `status`, as jobs in
// order, each with a reference on the event; free: drops those that never came due.
struct tf_job *tf_event_callbacks_due(cl_event ev, cl_int status) TF_REQUIRES(&ev->lock);
void tf_event_callbacks_free(struct tf_event_callback *callbacks);

// Where threads sleep that wait for `ev`; 0: nowhere. wake: lets them look again; the
// event may be gone.
unsigned tf_event_sleepers(cl_event ev);
// Where they would sleep.
unsigned tf_event_place(cl_event ev);
void tf_event_wake(unsigned sleepers);

// In a forked child.
void tf_event_forked(void);

// clGetEventInfo and clGetEventProfilingInfo: core/schedule/event_query.c.
cl_int tf_event_get_info(struct tf_err *err, cl_event ev, cl_event_info param,
                         size_t size, void *value, size_t *size_ret);
cl_int tf_event_get_profiling(struct tf_err *err, cl_event ev, cl_profiling_info param,
                              size_t size, void *value, size_t *size_ret);

#endif // TF_CORE_SCHEDULE_EVENT_H
