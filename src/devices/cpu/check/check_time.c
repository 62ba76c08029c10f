// SPDX-License-Identifier: MIT
// Moments of the process, and work-items as numbers.
#include <stdatomic.h>

#include "devices/cpu/check/check_state.h"

static _Atomic uint64_t now = 1;

uint64_t tf_check_ticks(size_t count)
{
    return atomic_fetch_add_explicit(&now, count, memory_order_relaxed) + 1;
}

uint64_t tf_check_tick(void)
{
    return tf_check_ticks(1);
}

uint32_t tf_check_time(const struct tf_check_question *q, bool next)
{
    const uint64_t at =
        next ? tf_check_tick() : atomic_load_explicit(&now, memory_order_relaxed);

    return (uint32_t)(at - q->since) + 1; // 0 is never
}

uint64_t tf_check_group_number(const struct tf_check_question *q)
{
    const uint64_t *id = q->item->group->group_id, *count = q->launch->group_count;

    return (id[2] * count[1] + id[1]) * count[0] + id[0];
}

size_t tf_check_item_number(const struct tf_check_item *item)
{
    const uint64_t *size = item->group->local_size, *id = item->local_id;

    return (size_t)((id[2] * size[1] + id[1]) * size[0] + id[0]);
}
