// SPDX-License-Identifier: MIT
// Records as trace events: threads are threads, each queue is a thread of a process of
// its own beside the real one, with more lanes where commands of it overlap.
#ifndef TF_TRACE_TRACE_EVENTS_H
#define TF_TRACE_TRACE_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tf_trace_chunk;

enum { TF_TRACE_OUT = 64 << 10 }; // bytes

struct tf_trace_out {
    int fd;
    uint64_t process; // its number
    uint64_t zero_ns;
    bool has_events; // a comma comes first
    uint64_t flows;  // numbers given to arrows
    bool has_failed;
    size_t used;
    char *text; // borrowed for as long as events are put: TF_TRACE_OUT bytes
};

void tf_trace_put_text(struct tf_trace_out *out, const char *text);
void tf_trace_put_events(struct tf_trace_out *out, struct tf_trace_chunk *chunks);
// False when any of it could not be written.
bool tf_trace_flush(struct tf_trace_out *out);

#endif // TF_TRACE_TRACE_EVENTS_H
