// SPDX-License-Identifier: MIT
// Launches whose work-groups all run at the same time (cl_intel_concurrent_dispatch):
// each on a thread of its own, the first on that of the caller.
#ifndef TF_DEVICES_CPU_RUN_CPU_CONCURRENT_H
#define TF_DEVICES_CPU_RUN_CPU_CONCURRENT_H

#include <stdbool.h>

#include "base/attr.h"
#include "core/platform/device_interface.h"

struct tf_exec;
struct tf_concurrent;

// Whether a kernel command is one of more groups than one: with a single group it is as
// any other.
bool tf_concurrent_wanted(const struct tf_command *cmd);

// Runs it; its status. `exec` is that of the calling thread. CL_OUT_OF_RESOURCES, and no
// group has begun, when there are not threads or memory for all.
cl_int tf_concurrent_run(struct tf_exec *exec, struct tf_command *cmd) TF_NODISCARD;

// The device barrier, once for each group. False: a group has failed, and no one waits
// for it.
bool tf_concurrent_wait(struct tf_concurrent *launch) TF_NODISCARD;

#endif // TF_DEVICES_CPU_RUN_CPU_CONCURRENT_H
