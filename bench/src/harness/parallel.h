// SPDX-License-Identifier: MIT
/* The threads that run the native baselines: what a C programmer would write instead of
 * OpenCL. */
#ifndef CLBENCH_PARALLEL_H
#define CLBENCH_PARALLEL_H

#include <stddef.h>

typedef void range_function(void *data, size_t begin, size_t end);

/* Starts count - 1 helper threads; the caller of parallel_for() is the remaining one. */
void parallel_start(unsigned count);

unsigned parallel_thread_count(void);

/* Calls body on [0, count) cut into pieces of `grain`, and returns when all are done. */
void parallel_for(size_t count, size_t grain, range_function *body, void *data);

#endif
