// SPDX-License-Identifier: MIT
// Large copies, shared among threads: a launch whose groups are the pieces of a plan.
#ifndef TF_DEVICES_CPU_POOL_CPU_SHARE_H
#define TF_DEVICES_CPU_POOL_CPU_SHARE_H

#include "devices/cpu/move/cpu_copy.h"
#include "devices/cpu/pool/cpu_pool.h"
#include "devices/cpu/run/cpu_launch.h"

// Whether `threads` threads move the plan's bytes faster than one.
bool tf_share_pays(const struct tf_copy_plan *plan, unsigned threads);

// The launch of a planned copy command; it needs no kernel stack. NULL when there is no
// memory for it: the caller moves the pieces itself then.
struct tf_cpu_launch *tf_share_launch(struct tf_command *cmd,
                                      const struct tf_copy_plan *plan,
                                      unsigned threads) TF_NODISCARD;

// Runs a copy command in the calling thread, with the help of idle workers, and returns
// its status when all of it is done. Calls neither tf_command_started() nor _finished().
cl_int tf_share_run(struct tf_pool *pool, struct tf_command *cmd);

// Last thing that a thread does which is the last to leave a launch of tf_share_run().
void tf_share_ended(struct tf_cpu_launch *launch);

#endif // TF_DEVICES_CPU_POOL_CPU_SHARE_H
