// SPDX-License-Identifier: MIT
// What the entry points share that record commands in command buffers.
#ifndef TF_API_COMMAND_BUFFER_API_RECORD_H
#define TF_API_COMMAND_BUFFER_API_RECORD_H

#include "core/command_buffer/command_buffer.h"

// The parameters that every such entry point has, by the names that it gives them.
#define RECORDED                                                                   \
    {                                                                              \
        .buffer = command_buffer, .properties = properties,                        \
        .wait_count = num_sync_points_in_wait_list, .waits = sync_point_wait_list, \
        .sync_point = sync_point, .handle = mutable_handle                         \
    }

// What they have in common: CL_INVALID_COMMAND_BUFFER_KHR, CL_INVALID_COMMAND_QUEUE,
// CL_INVALID_CONTEXT, CL_INVALID_OPERATION (finalized), CL_INVALID_VALUE (properties, or
// a handle of what is no kernel), CL_INVALID_SYNC_POINT_WAIT_LIST_KHR. Fills *record, and
// *at: what is enqueued there is recorded.
cl_int check_record(struct tf_err *err, cl_command_queue queue, bool is_kernel,
                    struct tf_record *record, struct tf_enqueue *at);

#endif // TF_API_COMMAND_BUFFER_API_RECORD_H
