// SPDX-License-Identifier: MIT
#include "devices/cpu/family/cpu_family_state.h"

#include <string.h>

#include "core/platform/device_interface.h"
#include "devices/cpu/program/cpu_program.h"

void tf_family_announce(struct tf_family *family)
{
    const bool was_known = tf_family_has_work(family);

    tf_family_set_work(family, true);
    if (family->in_session && !was_known && family->workers < family->threads)
        tf_pool_renew(family->pool, &family->unit);
}

void tf_family_fail(struct tf_family *family, cl_int status)
{
    int complete = CL_COMPLETE;

    atomic_compare_exchange_strong(&family->status, &complete, status);
}

bool tf_family_has_queue(const struct tf_family *family, uint64_t queue)
{
    const struct tf_command_kernel *k = &family->cmd->kernel;
    const struct tf_kernel_info *info = &k->program->infos[k->kernel_index];

    if (queue == (uint64_t)(uintptr_t)k->default_queue)
        return queue != 0;
    for (uint32_t i = 0; i < info->arg_count; i++) {
        uint64_t each;

        if (info->args[i].kind != TF_ARG_QUEUE)
            continue;
        memcpy(&each, (const char *)k->arg_block + info->args[i].block_offset_bytes,
               sizeof(each));
        if (each == queue)
            return queue != 0;
    }
    return false;
}
