// SPDX-License-Identifier: MIT
// What a pool has to do: runs of commands that nobody has begun, and units of work that
// more threads may join. All of it under one lock, the pool's.
#ifndef TF_DEVICES_CPU_POOL_CPU_WORK_LIST_H
#define TF_DEVICES_CPU_POOL_CPU_WORK_LIST_H

#include <stdatomic.h>
#include <stdbool.h>

#include "base/attr.h"
#include "core/platform/device_interface.h"
#include "devices/cpu/pool/cpu_unit.h"

// All zero: nothing to do.
struct tf_work_list {
    struct tf_command *first_run, *last_run; // linked by dev_next_run, oldest first
    struct tf_command *kept;                 // runs for one thread each, the same way
    struct tf_unit *first_unit, *last_unit;  // oldest first
    atomic_uint run_count;                   // may be read without the lock
};

// What a thread takes: one or the other, or nothing.
struct tf_pool_task {
    struct tf_command *run; // now the taker's
    struct tf_unit *unit;   // joined
};

// One whose first command is for a thread is for that alone.
void tf_work_add_run(struct tf_work_list *list, struct tf_command *run);
// Takes all runs away; they stay linked.
struct tf_command *tf_work_drop_runs(struct tf_work_list *list) TF_NODISCARD;

void tf_work_add_unit(struct tf_work_list *list, struct tf_unit *unit);
// Nobody joins the unit any more. Nothing happens to one that is not listed.
void tf_work_remove_unit(struct tf_work_list *list, struct tf_unit *unit);

bool tf_work_is_left(const struct tf_work_list *list);

// What a worker does next.
struct tf_pool_task tf_work_take(struct tf_work_list *list);
// A run that the calling thread alone may take, or NULL.
struct tf_command *tf_work_take_kept(struct tf_work_list *list);
// What `cmd` waits for: a unit, or a run that `may_help` allows, of `cmd` or of commands
// that come before it.
struct tf_pool_task tf_work_take_awaited(struct tf_work_list *list,
                                         const struct tf_command *cmd,
                                         bool (*may_help)(const struct tf_command *run));

#endif // TF_DEVICES_CPU_POOL_CPU_WORK_LIST_H
