// SPDX-License-Identifier: MIT
// Batches: commands that were laid out once and are replayed. What can be known before
// is made at the first replay; then a short kernel costs a call, because the thread stays
// on its kernel stack from one command to the next.
#ifndef TF_DEVICES_CPU_BATCH_CPU_BATCH_H
#define TF_DEVICES_CPU_BATCH_CPU_BATCH_H

#include <stdbool.h>

#include "core/platform/device_interface.h"
#include "devices/cpu/pool/cpu_pool.h"
#include "devices/cpu/pool/cpu_unit.h"
#include "devices/cpu/run/cpu_exec.h"

// Whether a replay would start without waiting for code. Any lock may be held.
bool tf_batch_is_ready(struct tf_batch *batch);

// Before a replay: makes what is to be made of the commands, or of those that have
// changed; may wait for code. CL_COMPLETE or CL_OUT_OF_RESOURCES.
cl_int tf_batch_prepare(struct tf_batch *batch);

enum tf_batch_next {
    TF_BATCH_ENDED,     // replay->status tells how
    TF_BATCH_SHARED,    // part->unit is next, for more threads; then this is called again
    TF_BATCH_ENQUEUES,  // the same of part->launch, whose kernel enqueues others
    TF_BATCH_GIVES_WAY, // others wait for this thread: to be called again later
};

union tf_batch_part {
    struct tf_unit *unit;
    struct tf_command *launch;
};

// Runs commands of cmd->replay, whose batch is prepared, in the calling thread, from
// where it is. `gives_way`: not for long while other runs wait.
enum tf_batch_next tf_batch_go_on(struct tf_pool *pool, struct tf_exec *exec,
                                  struct tf_command *cmd, bool gives_way,
                                  union tf_batch_part *part);

#endif // TF_DEVICES_CPU_BATCH_CPU_BATCH_H
