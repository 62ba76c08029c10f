// SPDX-License-Identifier: MIT
// How much time of the processor the optimization of one kernel may take. It belongs to
// the thread of a compile job; what runs long asks now and then whether it is spent.
#ifndef TF_COMPILER_IR_BUDGET_H
#define TF_COMPILER_IR_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

// From now on; 0: no limit.
void tf_budget_begin(uint64_t ns);
void tf_budget_end(void);
// By tf_time_cpu_ns(); UINT64_MAX: never.
uint64_t tf_budget_end_ns(void);
// Looks at the clock: for what takes a microsecond and more.
bool tf_budget_is_spent(void);

#endif // TF_COMPILER_IR_BUDGET_H
