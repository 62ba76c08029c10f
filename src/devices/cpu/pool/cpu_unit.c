// SPDX-License-Identifier: MIT
#include "devices/cpu/pool/cpu_unit.h"

#include <sched.h>
#include <stddef.h>

// What a share begins at a multiple of.
static uint64_t grain_of(const struct tf_unit *unit, uint64_t each)
{
    if (each >= TF_UNIT_MANY && tf_unit_may_be_even(unit))
        return TF_UNIT_EVEN;
    return unit->together > 1 ? unit->together : 1;
}

void tf_unit_deal(struct tf_unit *unit, struct tf_unit_share *shares, unsigned count)
{
    const uint64_t each = unit->total / count, over = unit->total % count;
    const uint64_t grain = grain_of(unit, each);

    if (each == 0 || count < 2)
        return;
    for (unsigned i = 0; i < count; i++) {
        const uint64_t begin = each * i + over * i / count;
        const uint64_t end = each * (i + 1) + over * (i + 1) / count;

        atomic_init(&shares[i].next, begin - begin % grain);
        shares[i].end = i + 1 < count ? end - end % grain : unit->total;
    }
    unit->shares = shares;
    unit->share_count = count;
    unit->divisor = TF_UNIT_SHARE_DIVISOR;
}

unsigned tf_unit_nearest(const struct tf_unit *unit)
{
    const int cpu = unit->share_count > 0 ? sched_getcpu() : 0;

    return cpu > 0 ? (unsigned)cpu : 0;
}
