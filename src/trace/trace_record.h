// SPDX-License-Identifier: MIT
// What a thread notes down: one thing that happened.
#ifndef TF_TRACE_TRACE_RECORD_H
#define TF_TRACE_TRACE_RECORD_H

#include <stdint.h>

enum tf_trace_kind {
    TF_TRACE_CALL,       // of an entry point, on the caller's thread
    TF_TRACE_COMMAND,    // of a queue
    TF_TRACE_WORK,       // what one thread did of a kernel
    TF_TRACE_MOVE,       // a copy or fill inside a command
    TF_TRACE_STAGE,      // of a build, on the thread that waits for it
    TF_TRACE_DEPENDENCY, // of a command on another one
    TF_TRACE_KINDS
};

struct tf_trace_record {
    uint64_t start_ns, end_ns; // of tf_time_ns()
    const char *name;          // lasts for ever: tf_trace_name()
    const char *note;          // likewise; COMMAND, MOVE: its type, WORK: which code
    uint64_t id;     // COMMAND, WORK, MOVE: the command's; DEPENDENCY: who waits
    uint64_t amount; // COMMAND, MOVE: bytes moved; WORK: groups; DEPENDENCY: for whom
    union {
        uint64_t queued_ns; // COMMAND
        uint64_t launch;    // WORK: which of the command's; 0: it has but one
    };
    uint32_t number; // COMMAND: the queue's; WORK: lanes, 0 where not known
    int16_t status;  // CALL, COMMAND: error code or CL_SUCCESS
    uint8_t kind;    // enum tf_trace_kind
    uint8_t lane;    // of COMMAND, the writer's
};

#endif // TF_TRACE_TRACE_RECORD_H
