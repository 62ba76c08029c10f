// SPDX-License-Identifier: MIT
// Which launches the code of a kernel can run. Code with lanes counts ids in 32 bits and
// may be slower than work-items one by one for rows of few; the other code of the kernel
// (TF_WG_LOOPS) can run every launch, and is made when a launch first needs it.
#ifndef TF_ABI_LAUNCH_FIT_H
#define TF_ABI_LAUNCH_FIT_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "abi/cpu_abi.h"

// A launch is small if global_offset + global_size <= TF_SMALL_LIMIT, without overflow,
// in each dimension.
#define TF_SMALL_LIMIT 0x7fffff80u

// Work-items of a group, of any launch.
#define TF_GROUP_ITEMS_MAX 4096u

enum { TF_FIT_SPACINGS = 4 };

// All zero: every launch.
struct tf_fit {
    uint32_t small; // 1: only small launches
    // Rows of fewer work-items along `dimension` run faster one by one; 0: none. Rows
    // end with the group, or (`through_groups`) with the launch.
    uint32_t least_row, dimension, through_groups;
    // Where rows end with the launch: so many work-items of a row, and so many rows, run
    // at once. Powers of two.
    uint32_t columns, rows;
    // Bytes of memory that a work-item at least goes through, one beside the other, where
    // its stores may go past the caches (TF_LAUNCH_STREAMS); 0: they never do.
    uint32_t streamed_bytes;
    // Arguments by which lanes are spaced out in memory: where one is not 1, work-items
    // run faster one by one. Where it lies in the block of arguments, and 1 more, a word,
    // or the low half of a longer number; 0: none.
    uint32_t spacings[TF_FIT_SPACINGS];
    // 1: its loops may wait for what work-items of other groups do. No program may count
    // on that these come along; those that do expect groups to begin in order.
    uint32_t in_order;
};

static inline bool tf_launch_is_small(const struct tf_launch *launch)
{
    for (int d = 0; d < 3; d++)
        if (launch->global_offset[d] > TF_SMALL_LIMIT ||
            launch->global_size[d] > TF_SMALL_LIMIT - launch->global_offset[d])
            return false;
    return true;
}

// Right for the launch.
static inline bool tf_fit_can(const struct tf_fit *fit, const struct tf_launch *launch)
{
    return !fit->small || tf_launch_is_small(launch);
}

// A launch without arguments is made to be run with others.
static inline bool tf_fit_is_spaced(const struct tf_fit *fit,
                                    const struct tf_launch *launch)
{
    uint32_t by;

    for (int i = 0; i < TF_FIT_SPACINGS && fit->spacings[i] && launch->args; i++) {
        memcpy(&by, (const char *)launch->args + fit->spacings[i] - 1, sizeof(by));
        if (by != 1)
            return true;
    }
    return false;
}

// The better choice, where it is right.
static inline bool tf_fit_pays(const struct tf_fit *fit, const struct tf_launch *launch)
{
    const unsigned d = fit->dimension < 3 ? fit->dimension : 0;

    if (tf_fit_is_spaced(fit, launch))
        return false;
    return (fit->through_groups ? launch->global_size[d] : launch->local_size[d]) >=
           fit->least_row;
}

// Shares of a launch are balanced if each thread gets a few.
enum { TF_FIT_SHARES = 4 };

// Groups of `size` work-items that make whole multiples of `items`, a power of two.
static inline uint64_t tf_fit_groups(uint64_t items, uint64_t size)
{
    const uint64_t common = size & (~size + 1);

    return items > common && common > 0 ? items / common : 1;
}

// Lanes along dimension 1 reach through groups that are `group_count[0]` apart: whoever
// takes less than so many rows of groups has fewer lanes than the code. As many as make
// two registers' worth of lanes, but each thread some.
static inline uint64_t tf_fit_share_turned(const struct tf_fit *fit,
                                           const struct tf_launch *launch,
                                           uint64_t groups, unsigned threads)
{
    const uint64_t lanes = 4 * (uint64_t)fit->least_row, size = launch->local_size[1];
    uint64_t rows = lanes / size + (lanes % size > 0);

    while (rows > 1 && groups / launch->group_count[0] / rows < 2 * (uint64_t)threads)
        rows /= 2;
    return rows * launch->group_count[0];
}

// What a thread should take of a launch of `groups`: up to a multiple of so many. 0: of
// one. Whoever takes half a gang, or fewer rows than a pack has, runs it with slower
// code. Rows of groups are whole where several belong together, and where gangs would end
// elsewhere in each.
static inline uint64_t tf_fit_share(const struct tf_fit *fit,
                                    const struct tf_launch *launch, uint64_t groups,
                                    unsigned threads)
{
    const uint64_t row = launch->group_count[0];
    const uint64_t least = TF_FIT_SHARES * (uint64_t)threads;
    uint64_t across, down;

    if (!fit->through_groups || row == 0)
        return 0;
    if (fit->dimension == 1)
        return tf_fit_share_turned(fit, launch, groups, threads);
    across = tf_fit_groups(fit->columns, launch->local_size[0]);
    down = tf_fit_groups(fit->rows, launch->local_size[1]);
    if ((down > 1 || (row < groups && row % across != 0)) && groups / row / down >= least)
        return down * row;
    while (across > 1 && groups / across < least)
        across /= 2;
    return across > 1 ? across : 0;
}

#endif // TF_ABI_LAUNCH_FIT_H
