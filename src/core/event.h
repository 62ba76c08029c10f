// SPDX-License-Identifier: MIT
// Events and the dependency graph. One event is one command is one allocation, its edges
// included.
//
//   QUEUED --(last dependency done)--> SUBMITTED --(device)--> RUNNING --> COMPLETE or <
//   0
//      \------(a dependency failed)------------------------------------> error
//
// `pending` counts unfinished dependencies, plus one held by the enqueuer until all edges
// are in place. Whoever brings it to zero releases the command, exactly once.
// No function here ever holds the locks of two events.
#ifndef TF_CORE_EVENT_H
#define TF_CORE_EVENT_H

#include "base/thread.h"
#include "core/device.h"
#include "core/object.h"

struct tf_job;

struct tf_edge {
    struct tf_edge *next;
    struct _cl_event *waiter; // borrowed: it cannot end before this edge is taken
    bool propagate;           // explicit dependency: its error fails the waiter
};

struct tf_event_callback; // core/event_callback.c

typedef void(CL_CALLBACK *tf_event_cb)(cl_event ev, cl_int status, void *data);

struct _cl_event {
    struct tf_object obj;
    struct tf_command cmd;
    cl_command_type type;            // CL_COMMAND_*
    struct _cl_command_queue *queue; // owned; NULL for user events
    cl_device_id device;             // borrowed from the queue; NULL for user events
    atomic_uint pending;
    atomic_int dep_status; // first dependency error, or CL_COMPLETE

    // When the command has ended, before its status is visible: `cleanup` runs once, then
    // the held objects (memory, program, kernel) are released. An event that is given up
    // before tf_queue_enqueue() releases what it holds and never runs `cleanup`.
    void **held;
    unsigned held_count;
    unsigned held_max;
    void (*cleanup)(struct _cl_event *ev);
    void *cleanup_data;

    struct tf_mutex lock;
    struct tf_cond changed;
    cl_int status TF_GUARDED_BY(&lock);
    uint64_t time_ns[5] TF_GUARDED_BY(&lock); // QUEUED, SUBMIT, START, END, COMPLETE
    struct tf_edge *waiters TF_GUARDED_BY(&lock);
    struct tf_event_callback *callbacks TF_GUARDED_BY(&lock);
    unsigned waiting TF_GUARDED_BY(&lock); // threads in tf_event_wait()
    bool kept TF_GUARDED_BY(&lock); // owns itself: unfinished user event with waiters
    bool started;                   // owns itself from tf_event_start() to its end

    struct _cl_event *epoch; // owned: counts this command as unfinished (core/queue.c)
    struct _cl_event *next_epoch; // owned: made in advance for a marker (core/queue.c)
    struct _cl_event *ready_next; // private to core/event.c
    unsigned edge_count;          // edges used
    unsigned edge_max;
    struct tf_edge edges[]; // storage for this event's own dependencies
};

// New event able to hold `max_deps` dependencies and `max_held` held objects, or NULL.
// CL_COMMAND_USER (queue NULL) starts SUBMITTED, every other one QUEUED. One allocation;
// reports nothing.
cl_event tf_event_new(cl_context ctx, struct _cl_command_queue *queue,
                      cl_command_type type, unsigned max_deps,
                      unsigned max_held) TF_NODISCARD;

// The command takes a reference on `obj` until it has ended. At most max_held times.
void tf_event_hold(cl_event ev, void *obj);

// Makes `ev` wait for `dep`; from then on `ev` must be started some time. Cannot fail.
// With `propagate`, an error of `dep` fails `ev`.
void tf_event_depend(cl_event ev, cl_event dep, bool propagate) TF_EXCLUDES(&dep->lock);

// Drops the enqueuer's guard: the command may start from here on.
void tf_event_start(cl_event ev) TF_EXCLUDES(&ev->lock);

// Moves `ev` to a terminal status; releases and submits what waited for it. False if it
// was finished already.
bool tf_event_finish(cl_event ev, cl_int status) TF_EXCLUDES(&ev->lock);

// Waits until `ev` is finished, helping the device meanwhile; returns its status. No lock
// may be held.
cl_int tf_event_wait(cl_event ev) TF_EXCLUDES(&ev->lock);
cl_int tf_event_status(cl_event ev) TF_EXCLUDES(&ev->lock);

// `ev` counts as one more unfinished dependency of `epoch`, which has not been started.
void tf_event_join(cl_event ev, cl_event epoch);

cl_int tf_event_add_callback(struct tf_err *err, cl_event ev, cl_int status,
                             tf_event_cb cb, void *data);

// Private to core/event*.c. Takes the callbacks that are due at `status`, as jobs in
// order, each with a reference on the event; free: drops those that never came due.
struct tf_job *tf_event_callbacks_due(cl_event ev, cl_int status) TF_REQUIRES(&ev->lock);
void tf_event_callbacks_free(struct tf_event_callback *callbacks);

cl_int tf_event_get_info(struct tf_err *err, cl_event ev, cl_event_info param,
                         size_t size, void *value, size_t *size_ret);
cl_int tf_event_get_profiling(struct tf_err *err, cl_event ev, cl_profiling_info param,
                              size_t size, void *value, size_t *size_ret);

#endif // TF_CORE_EVENT_H
