// SPDX-License-Identifier: MIT
#ifndef TF_COMPILER_WORKGROUP_PREPARE_PEEL_H
#define TF_COMPILER_WORKGROUP_PREPARE_PEEL_H

#include <stdbool.h>

#include <llvm-c/Types.h>

struct tf_wg;

// The last rounds of a loop with a barrier whose limit is halved each time, from the
// number of lanes down, once more without a loop. True if there are any now: they are to
// be simplified.
bool tf_prepare_peel(struct tf_wg *wg, LLVMValueRef fn);

#endif // TF_COMPILER_WORKGROUP_PREPARE_PEEL_H
