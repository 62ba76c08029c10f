// SPDX-License-Identifier: MIT
// A kernel command whose kernel enqueues kernels: a family. Its first launch is that of
// the command; every launch that one of them enqueues is a child, and the command has
// ended when all of them have. Threads of the pool come and go: a session lasts as long
// as one of them is there. A family that can do nothing, because it waits for an event
// that another command ends, has none, and whoever ends that event makes its command a
// run again.
#ifndef TF_DEVICES_CPU_FAMILY_CPU_FAMILY_H
#define TF_DEVICES_CPU_FAMILY_CPU_FAMILY_H

#include <stdbool.h>

#include "base/attr.h"
#include "core/platform/device_interface.h"
#include "devices/cpu/pool/cpu_pool.h"

// Whether a command is one of a kernel that enqueues.
bool tf_family_wanted(const struct tf_command *cmd);
// Whether a session would start without waiting for code.
bool tf_family_is_ready(const struct tf_command *cmd);

// A new session for a command, whose family is made if there is none: its unit, the
// caller being its first user. NULL and *status when memory ran out.
struct tf_unit *tf_family_begin(struct tf_pool *pool, struct tf_command *cmd,
                                cl_int *status) TF_NODISCARD;

// What can be done before: waits for code of all that may be enqueued. False: there is
// none.
bool tf_family_prepare(const struct tf_command *cmd) TF_NODISCARD;
// A launch of `of`, which is one of batch->replay's commands, as a command of its own,
// with an argument block of its own. The batch comes behind it, and is told of its end.
// NULL when memory ran out.
struct tf_command *tf_family_part(struct tf_command *batch,
                                  const struct tf_command *of) TF_NODISCARD;
// Ends such a launch, or a command.
void tf_family_finish(struct tf_command *cmd, cl_int status);

enum tf_family_next {
    TF_FAMILY_ENDED,   // and the command has been finished
    TF_FAMILY_GOES_ON, // another session is to begin at once
    TF_FAMILY_SLEEPS,  // another will be begun by somebody else
};
// By the last one to leave a session.
enum tf_family_next tf_family_end_session(struct tf_unit *unit);

// Lets go all that waits for events in families whose commands have been stopped: it ends
// without having begun.
void tf_families_stopped(void);

#endif // TF_DEVICES_CPU_FAMILY_CPU_FAMILY_H
