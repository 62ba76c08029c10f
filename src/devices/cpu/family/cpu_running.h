// SPDX-License-Identifier: MIT
// Launches of a family whose groups are being run.
#ifndef TF_DEVICES_CPU_FAMILY_CPU_RUNNING_H
#define TF_DEVICES_CPU_FAMILY_CPU_RUNNING_H

#include "devices/cpu/family/cpu_family_state.h"
#include "devices/cpu/run/cpu_launch.h"

struct tf_running {
    struct tf_cpu_launch launch;
    struct tf_command_kernel kernel; // of a child
    struct tf_child *child;
    struct tf_running *next, *prev; // among the open ones; next: among the spare ones
    unsigned users;                 // under the family's lock
    bool is_open;
};

struct tf_running *tf_running_new(void) TF_NODISCARD; // NULL when memory ran out
// One that was used before, or NULL; and for later use.
struct tf_running *tf_running_take_spare(struct tf_family *family)
    TF_REQUIRES(&family->lock);
void tf_running_keep(struct tf_family *family, struct tf_running *running)
    TF_REQUIRES(&family->lock);

// Sets `running`, or NULL where there was no memory for it, for a launch. False: there is
// nothing to run, the launch is at its end.
bool tf_running_start(struct tf_family *family, struct tf_child *child,
                      struct tf_running *running) TF_NODISCARD;
// Other threads may join it from now on.
void tf_running_open(struct tf_family *family, struct tf_running *running)
    TF_REQUIRES(&family->lock);
// Runs groups until none is left. Alone:
void tf_running_work(struct tf_exec *exec, struct tf_running *running);
// Where others may have joined; the last one to leave ends the launch.
void tf_running_run(struct tf_family *family, struct tf_exec *exec,
                    struct tf_running *running);
// The last of its threads has left it.
void tf_running_end(struct tf_family *family, struct tf_exec *exec,
                    struct tf_child *child, cl_int status);

#endif // TF_DEVICES_CPU_FAMILY_CPU_RUNNING_H
