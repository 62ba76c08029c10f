// SPDX-License-Identifier: MIT
// The file of a trace: trace-event JSON, as Perfetto and chrome://tracing read it. It is
// open only while something is written: an application may close any descriptor.
#ifndef TF_TRACE_TRACE_FILE_H
#define TF_TRACE_TRACE_FILE_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "trace/trace_events.h"

struct tf_trace_chunk;

struct tf_trace_file {
    char path[PATH_MAX]; // absolute
    char plain_path[PATH_MAX - 32];
    bool names_process; // the path has the number of the process in it
    bool begun;
    bool has_events;
    uint64_t size_bytes; // of the file, as this process has left it
    uint64_t flows;
    uint64_t zero_ns;        // time 0 of the file
    char text[TF_TRACE_OUT]; // on its way to the file
};

// `path` may hold %p, the number of the process. False, and a line in the log, when there
// can be no such file.
bool tf_trace_file_begin(struct tf_trace_file *file, const char *path, uint64_t now_ns);
// A file of its own for a forked child.
void tf_trace_file_forked(struct tf_trace_file *file);
// False, and a line in the log, when it cannot be written.
bool tf_trace_file_add(struct tf_trace_file *file, struct tf_trace_chunk *chunks);
void tf_trace_file_end(struct tf_trace_file *file);

#endif // TF_TRACE_TRACE_FILE_H
