// SPDX-License-Identifier: MIT
// Commands in a trace (trace/trace.h). To be called only where it is on.
#ifndef TF_CORE_SCHEDULE_EVENT_TRACE_H
#define TF_CORE_SCHEDULE_EVENT_TRACE_H

#include <stdint.h>

#include <CL/cl.h>

struct tf_command;

struct tf_event_ended {
    const struct tf_command *cmd;
    cl_command_type type;
    uint32_t queue; // its number
    uint64_t queued_ns, start_ns, end_ns;
    cl_int status;
};

// A command waits for another one, as the application asked for.
void tf_event_trace_depend(const struct tf_command *waiter,
                           const struct tf_command *awaited);
void tf_event_trace_end(const struct tf_event_ended *ended);

#endif // TF_CORE_SCHEDULE_EVENT_TRACE_H
