// SPDX-License-Identifier: MIT
// The rows of a pack that disagree.
#ifndef TF_COMPILER_WORKGROUP_GANG_GANG_APART_H
#define TF_COMPILER_WORKGROUP_GANG_GANG_APART_H

#include "compiler/workgroup/plan/plan.h"

struct tf_wg;

// What the function of a pack calls where its rows disagree, if it does: runs each row as
// gangs of wg->lanes->gang_masked.
void tf_gang_define_apart(struct tf_wg *wg, const struct tf_plan *pack);

#endif // TF_COMPILER_WORKGROUP_GANG_GANG_APART_H
