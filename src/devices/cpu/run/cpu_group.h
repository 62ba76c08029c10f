// SPDX-License-Identifier: MIT
// Work-groups whose items run on a fiber each: the services run_fibers and barrier of
// cpu_abi.h.
#ifndef TF_DEVICES_CPU_RUN_CPU_GROUP_H
#define TF_DEVICES_CPU_RUN_CPU_GROUP_H

#include <stdbool.h>
#include <stddef.h>

#include "abi/cpu_abi.h"
#include "base/attr.h"

struct tf_exec;

// Makes fibers for `count` items with stacks of `stack_bytes`, or uses those made before.
bool tf_group_prepare(struct tf_exec *exec, size_t count,
                      size_t stack_bytes) TF_NODISCARD;
// Frees all fibers beyond `keep`. None may be inside a kernel.
void tf_group_release(struct tf_exec *exec, size_t keep);
// After a launch was abandoned: items that stopped inside the kernel start anew.
void tf_group_forget(struct tf_exec *exec);

// The services.
void tf_group_run_fibers(const struct tf_launch *launch, struct tf_worker *worker,
                         const struct tf_group *group, tf_item_entry item);
void tf_group_barrier(struct tf_worker *worker);

#endif // TF_DEVICES_CPU_RUN_CPU_GROUP_H
