// SPDX-License-Identifier: MIT
// What a batch becomes: steps, the kernels of a stage, whose work-groups are one row of
// pieces, or one copy. cpu_batch_make.c makes them, cpu_batch.c runs them.
#ifndef TF_DEVICES_CPU_BATCH_CPU_BATCH_STEPS_H
#define TF_DEVICES_CPU_BATCH_CPU_BATCH_STEPS_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "core/platform/device_interface.h"
#include "devices/cpu/run/cpu_exec.h"
#include "devices/cpu/run/cpu_launch.h"

// What the last replays have taught of a step of several groups. Only a hint.
enum { TF_STEP_UNKNOWN, TF_STEP_SHORT, TF_STEP_LONG };

struct tf_step {
    struct tf_command *copy;   // NULL: kernels
    struct tf_command *family; // not NULL: a kernel that enqueues, by itself
    size_t first, count;       // of prepared.launches
    uint64_t groups;           // of all of them
    atomic_uchar length;       // TF_STEP_UNKNOWN, TF_STEP_SHORT, TF_STEP_LONG
};

// A kernel of a step.
struct tf_batch_launch {
    struct tf_made_launch made;
    uint64_t groups_before; // of the launches before it in its step
};

struct tf_prepared {
    struct tf_exec_needs needs;       // of the neediest launch
    struct tf_step *steps;            //
    size_t step_count;                //
    struct tf_batch_launch *launches; // in the order of the commands
    size_t launch_count;              //
    size_t *launch_of;                // per command: its place in launches
    size_t *step_of;                  // per launch
};

static inline void tf_step_learn(struct tf_step *step, unsigned char length)
{
    atomic_store_explicit(&step->length, length, memory_order_relaxed);
}

static inline unsigned char tf_step_length(const struct tf_step *step)
{
    return atomic_load_explicit(&step->length, memory_order_relaxed);
}

#endif // TF_DEVICES_CPU_BATCH_CPU_BATCH_STEPS_H
