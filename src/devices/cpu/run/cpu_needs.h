// SPDX-License-Identifier: MIT
// What code of a kernel needs of a thread for a launch.
#ifndef TF_DEVICES_CPU_RUN_CPU_NEEDS_H
#define TF_DEVICES_CPU_RUN_CPU_NEEDS_H

#include "base/attr.h"
#include "devices/cpu/program/cpu_generate.h"
#include "devices/cpu/run/cpu_exec.h"

// False when a number does not fit.
bool tf_launch_needs(struct tf_exec_needs *needs, const struct tf_launch *launch,
                     size_t local_bytes, const struct tf_cpu_code *code) TF_NODISCARD;

#endif // TF_DEVICES_CPU_RUN_CPU_NEEDS_H
