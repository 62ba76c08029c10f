// SPDX-License-Identifier: MIT
#include "devices/cpu/run/cpu_repeat.h"

#include "devices/cpu/program/cpu_program.h"
#include "devices/cpu/run/cpu_print.h"
#include "devices/cpu/tier/cpu_tier.h"

bool tf_launch_repeats(const struct tf_cpu_launch *launch)
{
    const struct tf_kernel_info *info = &launch->program->infos[launch->kernel_index];

    return launch->unit.total == 1 && !(info->flags & TF_KERNEL_CHECKED) &&
           tf_cpu_tier_is_final(launch->program, launch->kernel_index, &launch->abi,
                                launch->first);
}

struct run {
    const struct tf_cpu_launch *launch;
    struct tf_repeater *repeater;
};

static void run_each(struct tf_exec *exec, void *arg)
{
    static const uint64_t first[3];
    const struct run *run = arg;
    const struct tf_cpu_launch *launch = run->launch;
    const tf_wg_entry entry = (tf_wg_entry)(uintptr_t)launch->first->image.entry;

    do {
        tf_launch_run_from(entry, &launch->abi, exec, tf_launch_zeroed_bytes(launch),
                           first, 1);
        tf_launch_end_chunk(exec);
        tf_print_flush(exec);
    } while (run->repeater->next(run->repeater, exec));
}

bool tf_launch_run_again(struct tf_cpu_launch *launch, struct tf_exec *exec,
                         struct tf_repeater *repeater)
{
    struct run run = {.launch = launch, .repeater = repeater};

    exec->unit = &launch->unit;
    if (!tf_exec_run(exec, &launch->needs, run_each, &run))
        return false;
    tf_print_flush(exec); // of a group that was left in the middle
    return true;
}
