// SPDX-License-Identifier: MIT
#include "devices/cpu/tier/tier_work.h"

#include <string.h>

#include "base/range.h"
#include "devices/cpu/facts/cpu_info.h"

enum { FEW_GROUPS_A_UNIT = 32 };

// If a work-item runs so many instructions.
static bool takes_longer(const struct tf_kernel_info *info,
                         const struct tf_launch *launch, uint64_t work)
{
    enum { INSTRUCTIONS_A_NS = 2 };

    for (int d = 0; d < 3; d++)
        if (tf_mul_overflow(work, launch->global_size[d], &work))
            return true;
    return work / INSTRUCTIONS_A_NS / tf_cpu_info_units() > tf_cpu_generate_ns(info);
}

// The instructions that a work-item runs at most, as far as arguments say it: the rounds
// of all such loops are multiplied, as if they stood in each other. False: they do not.
static bool find_most_work(const struct tf_kernel_info *info,
                           const struct tf_launch *launch, uint64_t *work)
{
    *work = info->item_instructions;
    if (!info->loop_args[0] || !launch->args)
        return false;
    for (int i = 0; i < TF_KERNEL_LOOP_ARGS && info->loop_args[i]; i++) {
        const uint32_t number = info->loop_args[i] - 1;
        const struct tf_kernel_arg_info *arg = &info->args[number];
        uint64_t limit = 0;

        if (number >= info->arg_count || arg->kind != TF_ARG_VALUE ||
            arg->size_bytes > sizeof(limit))
            return false;
        memcpy(&limit, (const char *)launch->args + arg->block_offset_bytes,
               arg->size_bytes);
        if (limit == UINT64_MAX || tf_mul_overflow(*work, limit + 1, work))
            return false;
    }
    return true;
}

bool tf_tier_is_coarse(const struct tf_devprog *prog, size_t index,
                       const struct tf_launch *launch)
{
    const struct tf_kernel_info *info = &prog->infos[index];
    uint64_t groups = 1, work;

    if (!(info->flags & TF_KERNEL_MAY_RUN_LONG))
        return false;
    for (int d = 0; d < 3; d++)
        if (tf_mul_overflow(groups, launch->group_count[d], &groups))
            return false;
    return groups < (uint64_t)FEW_GROUPS_A_UNIT * tf_cpu_info_units() &&
           (!find_most_work(info, launch, &work) || takes_longer(info, launch, work));
}

bool tf_tier_is_long(const struct tf_devprog *prog, size_t index,
                     const struct tf_launch *launch)
{
    const struct tf_kernel_info *info = &prog->infos[index];

    return takes_longer(info, launch, info->item_instructions);
}
