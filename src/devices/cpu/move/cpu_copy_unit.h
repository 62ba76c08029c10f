// SPDX-License-Identifier: MIT
// Large copies, shared among the threads of a pool: units of work whose pieces are those
// of a plan.
#ifndef TF_DEVICES_CPU_MOVE_CPU_COPY_UNIT_H
#define TF_DEVICES_CPU_MOVE_CPU_COPY_UNIT_H

#include "devices/cpu/move/cpu_copy.h"
#include "devices/cpu/pool/cpu_pool.h"

// Whether the pool's threads move the plan's bytes faster than one.
bool tf_copy_unit_pays(const struct tf_copy_plan *plan, struct tf_pool *pool);

// The unit of a planned copy command; its run() needs no exec. NULL when there is no
// memory for it: the caller moves the pieces itself then.
struct tf_unit *tf_copy_unit_new(struct tf_command *cmd, const struct tf_copy_plan *plan,
                                 unsigned threads) TF_NODISCARD;

// Runs a copy command in the calling thread, with the help of idle workers, and returns
// its status when all of it is done. Calls neither tf_command_started() nor _finished().
cl_int tf_copy_unit_run(struct tf_pool *pool, struct tf_command *cmd);

#endif // TF_DEVICES_CPU_MOVE_CPU_COPY_UNIT_H
