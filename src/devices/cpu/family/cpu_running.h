// SPDX-License-Identifier: MIT
// Launches of a family whose groups are being run.
#ifndef TF_DEVICES_CPU_FAMILY_CPU_RUNNING_H
#define TF_DEVICES_CPU_FAMILY_CPU_RUNNING_H

#include "devices/cpu/family/cpu_family_state.h"
#include "devices/cpu/run/cpu_repeat.h"

struct tf_running {
    struct tf_cpu_launch launch;
    struct tf_command_kernel kernel; // of a child
    struct tf_child *child;
    struct tf_running *next, *prev; // among the open ones; next: among the spare ones
    unsigned users;                 // under the family's lock
    bool is_open;
    // Of what was run last here: it was a child; launches like it may be run again, as
    // far as it has been asked; such a one is to be run.
    bool is_child, is_asked, repeats, is_again;
};

struct tf_running *tf_running_new(void) TF_NODISCARD; // NULL when memory ran out
// One that was used before, or NULL; and for later use.
struct tf_running *tf_running_take_spare(struct tf_family *family)
    TF_REQUIRES(&family->lock);
void tf_running_keep(struct tf_family *family, struct tf_running *running)
    TF_REQUIRES(&family->lock);

// Sets `running`, or NULL where there was no memory for it, for a launch. False: there is
// nothing to run, the launch is at its end.
// `anew`: nothing is kept of the launch before it.
bool tf_running_start(struct tf_family *family, struct tf_child *child,
                      struct tf_running *running, bool anew) TF_NODISCARD;
// Sets `running`, which has just run one alone, for another like it. False, and nothing
// was done: there is more to do for that, or nothing to run.
bool tf_running_go_on(struct tf_family *family, struct tf_child *child,
                      struct tf_running *running) TF_NODISCARD;
// Other threads may join it from now on.
void tf_running_open(struct tf_family *family, struct tf_running *running)
    TF_REQUIRES(&family->lock);
// Runs groups until none is left. Alone; running->child may be another one then, by
// tf_running_go_on() in `repeater`:
void tf_running_work(struct tf_exec *exec, struct tf_running *running,
                     struct tf_repeater *repeater);
// Where others may have joined; the last one to leave ends the launch.
void tf_running_run(struct tf_family *family, struct tf_exec *exec,
                    struct tf_running *running);
// The last of its threads has left it.
void tf_running_end(struct tf_family *family, struct tf_exec *exec,
                    struct tf_child *child, cl_int status);

#endif // TF_DEVICES_CPU_FAMILY_CPU_RUNNING_H
