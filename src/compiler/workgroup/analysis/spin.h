// SPDX-License-Identifier: MIT
// Retries: loops round a compare-and-swap which expects what was found.
#ifndef TF_COMPILER_WORKGROUP_ANALYSIS_SPIN_H
#define TF_COMPILER_WORKGROUP_ANALYSIS_SPIN_H

#include <stdbool.h>

#include "compiler/workgroup/analysis/cfg.h"

// Whether `value` says that a retry of the loop has succeeded: of all that try it, one
// does in each round.
bool tf_spin_succeeds(const struct tf_cfg *cfg, unsigned loop, LLVMValueRef value);

#endif // TF_COMPILER_WORKGROUP_ANALYSIS_SPIN_H
