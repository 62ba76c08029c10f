// SPDX-License-Identifier: MIT
#include "harness/clock.h"

#include <stdlib.h>
#include <time.h>

static double seconds_of(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

double now_seconds(void)
{
    return seconds_of(CLOCK_MONOTONIC);
}

double cpu_seconds(void)
{
    return seconds_of(CLOCK_PROCESS_CPUTIME_ID);
}

struct stopwatch stopwatch_start(void)
{
    return (struct stopwatch){.cpu = 1e3 * cpu_seconds(), .wall = 1e3 * now_seconds()};
}

struct stopwatch stopwatch_elapsed(struct stopwatch start)
{
    struct stopwatch now = stopwatch_start();
    return (struct stopwatch){.cpu = now.cpu - start.cpu, .wall = now.wall - start.wall};
}

static int compare_doubles(const void *left, const void *right)
{
    double a = *(const double *)left;
    double b = *(const double *)right;
    return (a > b) - (a < b);
}

double median_of(double *values, size_t count)
{
    if (count == 0)
        return 0.0;
    qsort(values, count, sizeof *values, compare_doubles);
    if (count % 2)
        return values[count / 2];
    return 0.5 * (values[count / 2 - 1] + values[count / 2]);
}

double spread_of(double *values, size_t count)
{
    double median = median_of(values, count);
    if (median == 0.0)
        return 0.0;
    return (values[count - 1 - count / 4] - values[count / 4]) / median;
}

double minimum_of(const double *values, size_t count)
{
    double minimum = count ? values[0] : 0.0;
    for (size_t i = 1; i < count; i++)
        if (values[i] < minimum)
            minimum = values[i];
    return minimum;
}
