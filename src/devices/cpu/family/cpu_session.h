// SPDX-License-Identifier: MIT
// A thread's part of a session of a family (cpu_family.h).
#ifndef TF_DEVICES_CPU_FAMILY_CPU_SESSION_H
#define TF_DEVICES_CPU_FAMILY_CPU_SESSION_H

#include <stdbool.h>

struct tf_exec;
struct tf_unit;

// The run operation of the family's unit: begins and runs launches until there is nothing
// to do.
bool tf_session_run(struct tf_unit *unit, struct tf_exec *exec);

#endif // TF_DEVICES_CPU_FAMILY_CPU_SESSION_H
