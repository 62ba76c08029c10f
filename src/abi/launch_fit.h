// SPDX-License-Identifier: MIT
// Which launches the code of a kernel can run. Code with lanes counts ids in 32 bits and
// may be slower than work-items one by one for rows of few; the other code of the kernel
// (TF_WG_LOOPS) can run every launch, and is made when a launch first needs it.
#ifndef TF_ABI_LAUNCH_FIT_H
#define TF_ABI_LAUNCH_FIT_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/cpu_abi.h"

// A launch is small if global_offset + global_size <= TF_SMALL_LIMIT, without overflow,
// in each dimension.
#define TF_SMALL_LIMIT 0x7fffff80u

// All zero: every launch.
struct tf_fit {
    uint32_t small; // 1: only small launches
    // Rows of fewer work-items along `dimension` run faster one by one; 0: none. Rows
    // end with the group, or (`through_groups`) with the launch.
    uint32_t least_row, dimension, through_groups;
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

// The better choice, where it is right.
static inline bool tf_fit_pays(const struct tf_fit *fit, const struct tf_launch *launch)
{
    const unsigned d = fit->dimension < 3 ? fit->dimension : 0;

    return (fit->through_groups ? launch->global_size[d] : launch->local_size[d]) >=
           fit->least_row;
}

#endif // TF_ABI_LAUNCH_FIT_H
