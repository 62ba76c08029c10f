// SPDX-License-Identifier: MIT
// Loads from small tables as permutations of registers: how many of them it takes.
#ifndef TF_COMPILER_WORKGROUP_PLAN_PERMUTE_H
#define TF_COMPILER_WORKGROUP_PLAN_PERMUTE_H

#include "compiler/workgroup/analysis/table.h"
#include "compiler/workgroup/plan/plan.h"

// Lanes of one permutation.
unsigned tf_permute_lanes(const struct tf_plan *p, const struct tf_table *table);
// Permutations that it takes to find an element anywhere in the table.
unsigned tf_permute_parts(const struct tf_plan *p, const struct tf_table *table);

#endif // TF_COMPILER_WORKGROUP_PLAN_PERMUTE_H
