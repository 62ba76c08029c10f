// SPDX-License-Identifier: MIT
/*
 * One 512-bit vector per type, in the vector notation that clang and gcc share: for the
 * tuned native baselines, where the C compiler must not be left to find the vectors by
 * itself.
 */
#ifndef CLBENCH_LANES_H
#define CLBENCH_LANES_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "kernel_case.h"

typedef float float_lanes __attribute__((vector_size(LANES * sizeof(float))));
typedef int32_t int_lanes __attribute__((vector_size(LANES * sizeof(int32_t))));
typedef uint32_t uint_lanes __attribute__((vector_size(LANES * sizeof(uint32_t))));

static inline float_lanes load_lanes(const float *from)
{
    float_lanes lanes;
    memcpy(&lanes, from, sizeof lanes);
    return lanes;
}

static inline void store_lanes(float *to, float_lanes lanes)
{
    memcpy(to, &lanes, sizeof lanes);
}

static inline float_lanes square_root_lanes(float_lanes x)
{
#if __has_builtin(__builtin_elementwise_sqrt)
    return __builtin_elementwise_sqrt(x);
#else
    for (int i = 0; i < LANES; i++)
        x[i] = sqrtf(x[i]);
    return x;
#endif
}

/* Where mask is all ones take a, where it is zero take b. */
static inline float_lanes select_lanes(int_lanes mask, float_lanes a, float_lanes b)
{
    return (float_lanes)((mask & (int_lanes)a) | (~mask & (int_lanes)b));
}

static inline int any_lane(int_lanes mask)
{
    int any = 0;
    for (int i = 0; i < LANES; i++)
        any |= mask[i];
    return any;
}

#endif
