// SPDX-License-Identifier: MIT
// The plan of a command buffer: its commands laid out for the devices, stage by stage,
// with their argument blocks one behind the other. A plan is constant while it is
// replayed anywhere; updates change it in place otherwise.
#ifndef TF_CORE_COMMAND_BUFFER_COMMAND_BUFFER_PLAN_H
#define TF_CORE_COMMAND_BUFFER_COMMAND_BUFFER_PLAN_H

#include "core/command_buffer/command_buffer.h"

// Stages that one device runs in one go. Those of a phase wait for all of the phase
// before. Command buffers for one device have one segment.
struct tf_segment {
    cl_uint queue_index; // a queue of the device
    size_t phase;
    struct tf_batch batch;
};

struct tf_plan {
    atomic_uint refs; // the command buffer's, and one of each run
    struct tf_segment *segments;
    size_t segment_count;
    // What the segments point into.
    struct tf_command *commands;
    uint32_t *indices; // ends of stages, changed places
    uint8_t *changes;
    bool *watched;
    unsigned char *blocks;
    struct tf_arg_patch *patches;
    // Objects of its kernels, once an update has given it up: replays may be using them.
    void **retired;
    size_t retired_count;
};

// Lays out what is recorded, and says there where its commands stand. NULL and err set
// when memory ran out.
struct tf_plan *tf_plan_new(struct tf_err *err, cl_command_buffer_khr buffer)
    TF_REQUIRES(&buffer->lock);
struct tf_plan *tf_plan_ref(struct tf_plan *plan);
// NULL is allowed; no lock may be held.
void tf_plan_unref(struct tf_plan *plan);

// Whether only the command buffer has it.
bool tf_plan_is_idle(struct tf_plan *plan);

#endif // TF_CORE_COMMAND_BUFFER_COMMAND_BUFFER_PLAN_H
