// SPDX-License-Identifier: MIT
#ifndef TF_COMPILER_WORKGROUP_PREPARE_ROUNDS_STEPS_H
#define TF_COMPILER_WORKGROUP_PREPARE_ROUNDS_STEPS_H

#include <stdbool.h>

#include <llvm-c/Types.h>

struct tf_wg;

// Loops with a barrier that double or halve a number: their rounds one after the other,
// where it is known how many they are.
// True if there are any now: they are to be simplified. *ok: false after tf_wg_fail.
bool tf_prepare_steps(struct tf_wg *wg, LLVMValueRef fn, bool *ok);

#endif // TF_COMPILER_WORKGROUP_PREPARE_ROUNDS_STEPS_H
