// SPDX-License-Identifier: MIT
// Lanes are neighbours in dimension 0, where neighbours in memory mostly are. A kernel
// that takes its row from dimension 0 and its column from dimension 1 would gather all it
// reads; such a kernel is turned: the calls of ids in wg->wide change their dimensions,
// the gang pass works as always, and the rows pass, which knows of it, runs boxes of
// items whose sides have changed places.
#ifndef TF_COMPILER_WORKGROUP_PLAN_DIMENSION_H
#define TF_COMPILER_WORKGROUP_PLAN_DIMENSION_H

#include <stdbool.h>

struct tf_wg;

// Turns wg->wide, for which the rows may reach through groups (wg->long_rows), where
// lanes along dimension 1 cost clearly less. Sets wg->turned and wg->tall_boxes then.
void tf_wg_choose_dimension(struct tf_wg *wg);

#endif // TF_COMPILER_WORKGROUP_PLAN_DIMENSION_H
