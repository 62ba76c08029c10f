// SPDX-License-Identifier: MIT
#ifndef TF_BASE_TIME_H
#define TF_BASE_TIME_H

#include <stdint.h>

// Monotonic clock, in ns.
uint64_t tf_time_ns(void);
// What this thread has used of processors, in ns.
uint64_t tf_time_cpu_ns(void);

#endif // TF_BASE_TIME_H
