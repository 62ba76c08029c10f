// SPDX-License-Identifier: MIT
#include "base/time.h"

#include <time.h>

uint64_t tf_time_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}
