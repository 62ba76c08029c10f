// SPDX-License-Identifier: MIT
// Launches of one group that differ in nothing but their arguments, as kernels that
// enqueue kernels make them by the thousand: all but the arguments is settled once.
#ifndef TF_DEVICES_CPU_RUN_CPU_REPEAT_H
#define TF_DEVICES_CPU_RUN_CPU_REPEAT_H

#include <stdbool.h>

#include "base/attr.h"
#include "devices/cpu/run/cpu_launch.h"

// Whether a launch that has been set is one: its code is there for good, whatever the
// arguments are.
bool tf_launch_repeats(const struct tf_cpu_launch *launch);

// Who has such launches. `next`, which is called on the kernel stack when one has ended:
// whether another is to be run, whose arguments the launch names then.
struct tf_repeater {
    bool (*next)(struct tf_repeater *repeater, struct tf_exec *exec);
};
// Runs it with the arguments that launch->abi names by now, and those that come after it,
// without leaving the kernel stack between them: to return from there costs a processor
// as much as a short launch, because it looks for each caller elsewhere. False, and
// nothing was run, when the thread has not enough memory for it.
bool tf_launch_run_again(struct tf_cpu_launch *launch, struct tf_exec *exec,
                         struct tf_repeater *repeater) TF_NODISCARD;

#endif // TF_DEVICES_CPU_RUN_CPU_REPEAT_H
