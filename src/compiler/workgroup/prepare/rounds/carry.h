// SPDX-License-Identifier: MIT
// Loops along rows, before several of their rounds become one.
#ifndef TF_COMPILER_WORKGROUP_PREPARE_ROUNDS_CARRY_H
#define TF_COMPILER_WORKGROUP_PREPARE_ROUNDS_CARRY_H

#include <stdbool.h>

#include "compiler/workgroup/analysis/facts.h"

struct tf_wg;

// Whether work-items by themselves wait in some loop for what its last round has made: a
// sum, or a number stored and loaded again. Vectors of rounds do not help there; lanes
// do.
bool tf_rounds_wait(const struct tf_cfg *cfg, LLVMTargetDataRef layout);

// Keeps what one round of the loop that is `block` alone leaves for the next in
// registers; with `addresses` counts bytes from those of the first round. The facts are
// those of before.
void tf_prepare_carry(struct tf_wg *wg, const struct tf_facts *facts, unsigned block,
                      bool addresses);

#endif // TF_COMPILER_WORKGROUP_PREPARE_ROUNDS_CARRY_H
