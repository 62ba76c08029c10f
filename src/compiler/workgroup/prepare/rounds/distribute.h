// SPDX-License-Identifier: MIT
#ifndef TF_COMPILER_WORKGROUP_PREPARE_ROUNDS_DISTRIBUTE_H
#define TF_COMPILER_WORKGROUP_PREPARE_ROUNDS_DISTRIBUTE_H

#include <stdbool.h>

#include "compiler/workgroup/analysis/facts.h"
#include "compiler/workgroup/target/target.h"

// Loop distribution: loops that store nothing and hand on more from round to round than
// the registers hold become several loops, one after the other, each with a share of it.
// True if the function of the facts, which are stale then, was changed: it is to be
// rid of what nobody uses.
bool tf_prepare_distribute(const struct tf_facts *facts, const struct tf_target *target);

#endif // TF_COMPILER_WORKGROUP_PREPARE_ROUNDS_DISTRIBUTE_H
