// SPDX-License-Identifier: MIT
#include "devices/cpu/move/cpu_apart.h"

#include "devices/cpu/move/cpu_mem.h"

// Of one launch: each is compared with each.
enum { MOST_BUFFERS = 12 };

struct span {
    uint64_t first, end; // addresses
};

// Patches come in the order of arguments, but for launches that were changed since.
static const struct tf_arg_patch *find_patch(const struct tf_command_kernel *k,
                                             uint32_t offset_bytes, size_t *next)
{
    for (size_t i = 0; i < k->patch_count; i++) {
        const size_t at = (*next + i) % k->patch_count;

        if (k->patches[at].block_offset_bytes != offset_bytes)
            continue;
        *next = at + 1;
        return &k->patches[at];
    }
    return NULL;
}

static bool meets_one(const struct span *spans, unsigned count, const struct span *s)
{
    for (unsigned i = 0; i < count; i++)
        if (s->first < spans[i].end && spans[i].first < s->end)
            return true;
    return false;
}

bool tf_launch_is_apart(const struct tf_command_kernel *k,
                        const struct tf_kernel_info *info)
{
    struct span spans[MOST_BUFFERS];
    unsigned count = 0;
    size_t next = 0;

    for (uint32_t i = 0; i < info->arg_count; i++) {
        const uint32_t at = info->args[i].block_offset_bytes;
        const struct tf_arg_patch *patch;
        struct span *s = &spans[count];

        if (info->args[i].kind != TF_ARG_BUFFER)
            continue;
        patch = find_patch(k, at, &next);
        // Without a memory object it is an address, of whose end nothing is said here.
        if (!patch || !patch->mem || count == MOST_BUFFERS)
            return false;
        s->first = (uint64_t)(uintptr_t)tf_cpu_mem_data(patch->mem) + patch->delta_bytes;
        s->end = s->first + patch->size_bytes;
        if (meets_one(spans, count, s))
            return false;
        count++;
    }
    return true;
}
