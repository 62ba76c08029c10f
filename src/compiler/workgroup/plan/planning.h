// SPDX-License-Identifier: MIT
// A plan while it is made: between the files of this room.
#ifndef TF_COMPILER_WORKGROUP_PLAN_PLANNING_H
#define TF_COMPILER_WORKGROUP_PLAN_PLANNING_H

#include "compiler/workgroup/plan/plan.h"

struct tf_planning {
    struct tf_plan *p;
    struct tf_plan_value *values;
    struct tf_plan_block *blocks;
};

void tf_plan_bundles(struct tf_planning *m);        // bundle.c
void tf_plan_forms(struct tf_planning *m);          // form.c
void tf_plan_strips(struct tf_planning *m);         // strip.c
void tf_plan_bound_branches(struct tf_planning *m); // form.c
void tf_plan_exact(struct tf_planning *m);          // exact.c
void tf_plan_flow(struct tf_planning *m);           // flow.c
void tf_plan_twins(struct tf_planning *m);          // twin.c
void tf_plan_costs(struct tf_planning *m);          // cost.c
// Remembers why there are no lanes, the first reason.
void tf_plan_refuse(struct tf_plan *p, const char *fmt, ...) TF_PRINTF(2, 3);
// Of tables: operations on registers.
unsigned tf_plan_table_operations(const struct tf_plan *p, const struct tf_value *load);

#endif // TF_COMPILER_WORKGROUP_PLAN_PLANNING_H
