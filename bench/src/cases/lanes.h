// SPDX-License-Identifier: MIT
/*
 * One vector of the machine's widest kind per type, in the vector notation that clang and
 * gcc share: for the tuned native baselines, where the C compiler must not be left to
 * find the vectors by itself. Masks are vectors of -1 and 0, as comparisons make them.
 */
#ifndef CLBENCH_LANES_H
#define CLBENCH_LANES_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "cases/kernel_case.h"

typedef float float_lanes __attribute__((vector_size(LANES * sizeof(float))));
typedef int32_t int_lanes __attribute__((vector_size(LANES * sizeof(int32_t))));
typedef uint32_t uint_lanes __attribute__((vector_size(LANES * sizeof(uint32_t))));
typedef uint64_t ulong_lanes __attribute__((vector_size(LANES * sizeof(uint64_t))));

#if defined(__clang__) && __has_builtin(__builtin_masked_store)
/* Clang's masks, for its masked loads and stores. */
#define HAS_MASKED_ACCESS 1
typedef _Bool mask_lanes __attribute__((ext_vector_type(LANES)));
typedef float masked_floats __attribute__((ext_vector_type(LANES)));
#define TO_MASK(mask) __builtin_convertvector((mask), mask_lanes)
#endif

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

/* 0 where mask is zero; those lanes are not read. */
static inline float_lanes load_lanes_where(int_lanes mask, const float *from)
{
#ifdef HAS_MASKED_ACCESS
    masked_floats zero = 0.0f;
    return (float_lanes)__builtin_masked_load(TO_MASK(mask), from, zero);
#else
    float_lanes lanes = {0};
    for (int i = 0; i < LANES; i++)
        if (mask[i])
            lanes[i] = from[i];
    return lanes;
#endif
}

static inline void store_lanes_where(int_lanes mask, float *to, float_lanes lanes)
{
#ifdef HAS_MASKED_ACCESS
    __builtin_masked_store(TO_MASK(mask), (masked_floats)lanes, to);
#else
    for (int i = 0; i < LANES; i++)
        if (mask[i])
            to[i] = lanes[i];
#endif
}

/* 0, 1, 2 and so on. */
static inline int_lanes lane_numbers(void)
{
    int_lanes numbers;
    for (int i = 0; i < LANES; i++)
        numbers[i] = i;
    return numbers;
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

static inline bool any_lane(int_lanes mask)
{
#ifdef HAS_MASKED_ACCESS
    return __builtin_reduce_or(TO_MASK(mask));
#else
    int any = 0;
    for (int i = 0; i < LANES; i++)
        any |= mask[i];
    return any != 0;
#endif
}

static inline bool all_lanes(int_lanes mask)
{
    return !any_lane(~mask);
}

#endif
