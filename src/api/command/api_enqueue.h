// SPDX-License-Identifier: MIT
// What the entry points that enqueue commands share.
#ifndef TF_API_COMMAND_API_ENQUEUE_H
#define TF_API_COMMAND_API_ENQUEUE_H

#include "api/api_common.h"
#include "core/command/enqueue.h"

// Where the command goes, of the parameters that every such entry point has.
#define AT_QUEUE(is_blocking)                                            \
    {                                                                    \
        .queue = command_queue, .dep_count = num_events_in_wait_list,    \
        .deps = event_wait_list, .out = event, .blocking = (is_blocking) \
    }

// What the command is to wait for; its queue has been checked.
static inline cl_int check_deps(struct tf_err *err, const struct tf_enqueue *at)
{
    return check_wait_list(err, err->ctx, at->dep_count, at->deps);
}

#endif // TF_API_COMMAND_API_ENQUEUE_H
