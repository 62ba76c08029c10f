// SPDX-License-Identifier: MIT
/* Time measurement and order statistics. */
#ifndef CLBENCH_CLOCK_H
#define CLBENCH_CLOCK_H

#include <stddef.h>

/* Seconds on the system-wide monotonic clock: comparable between processes. */
double now_seconds(void);

/* CPU seconds used so far by all threads of this process. */
double cpu_seconds(void);

/* Wall and CPU time in milliseconds: the clocks themselves, or what went by since a
 * start. */
struct stopwatch {
    double wall, cpu;
};

struct stopwatch stopwatch_start(void);
struct stopwatch stopwatch_elapsed(struct stopwatch start);

/* These sort the array in place. The spread is the distance between the quartiles over
 * the median: half of the values lie within it. */
double median_of(double *values, size_t count);
double spread_of(double *values, size_t count);
double minimum_of(const double *values, size_t count);

#endif
