// SPDX-License-Identifier: MIT
// The common tail of every clEnqueue* call: where a command goes, what it waits for, who
// gets its event.
#ifndef TF_CORE_COMMAND_ENQUEUE_H
#define TF_CORE_COMMAND_ENQUEUE_H

#include <stdbool.h>

#include "core/platform/device.h"
#include "core/schedule/queue.h"

// Takes commands that are to be kept instead of being enqueued. Events that are never
// published serve: they hold what their command uses.
struct tf_recorder {
    // Takes `ev` (given, also on failure).
    cl_int (*take)(struct tf_err *err, struct tf_recorder *recorder, cl_event ev);
    bool args_may_lack; // a kernel's arguments need not all be set
};

struct tf_enqueue {
    cl_command_queue queue;
    cl_uint dep_count;
    const cl_event *deps;
    cl_event *out; // becomes the user's handle of the event; may be NULL
    bool blocking;
    struct tf_recorder *recorder; // NULL: the command is enqueued
};

// New command on at->queue with room for its dependencies, for `max_held` objects. NULL
// and err set when memory ran out.
static inline cl_event tf_enqueue_new(struct tf_err *err, const struct tf_enqueue *at,
                                      cl_command_type type, unsigned max_held)
{
    return tf_queue_new_command(err, at->queue, type, at->dep_count, max_held);
}

// Publishes `ev` (given), and waits for it if at->blocking: only then it can fail, with
// the command's own error.
static inline cl_int tf_enqueue_publish(struct tf_err *err, const struct tf_enqueue *at,
                                        cl_event ev)
{
    if (at->recorder)
        return at->recorder->take(err, at->recorder, ev);
    if (at->blocking)
        return tf_queue_enqueue_blocking(err, at->queue, ev, at->dep_count, at->deps,
                                         at->out);
    tf_queue_enqueue(at->queue, ev, 0, at->dep_count, at->deps, at->out);
    return CL_SUCCESS;
}

// The device that at->queue feeds.
static inline struct tf_device *tf_enqueue_device(const struct tf_enqueue *at)
{
    return tf_queue_device(at->queue)->dev;
}

#endif // TF_CORE_COMMAND_ENQUEUE_H
