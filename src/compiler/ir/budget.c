// SPDX-License-Identifier: MIT
#include "compiler/ir/budget.h"

#include "base/time.h"

static _Thread_local uint64_t limit_ns; // 0: none

void tf_budget_begin(uint64_t ns)
{
    limit_ns = ns ? tf_time_cpu_ns() + ns : 0;
}

void tf_budget_end(void)
{
    limit_ns = 0;
}

uint64_t tf_budget_end_ns(void)
{
    return limit_ns ? limit_ns : UINT64_MAX;
}

bool tf_budget_is_spent(void)
{
    return limit_ns && tf_time_cpu_ns() > limit_ns;
}
