// SPDX-License-Identifier: MIT
#ifndef TF_COMPILER_WORKGROUP_PREPARE_STRIPS_H
#define TF_COMPILER_WORKGROUP_PREPARE_STRIPS_H

#include <stdbool.h>

#include "compiler/workgroup/analysis/facts.h"

struct tf_wg;

// Makes several rounds one where lanes walk along rows of their own, so that there are
// neighbours to load at once (plan/bundle.h). True if the function of the facts,
// which are stale then, was changed. *ok is false after tf_wg_fail.
bool tf_prepare_strips(struct tf_wg *wg, const struct tf_facts *facts, bool *ok);

#endif // TF_COMPILER_WORKGROUP_PREPARE_STRIPS_H
