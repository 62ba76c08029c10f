// SPDX-License-Identifier: MIT
// The functions of a cycle as one loop.
#ifndef TF_COMPILER_LOWER_RECURSION_FRAME_LOOP_H
#define TF_COMPILER_LOWER_RECURSION_FRAME_LOOP_H

#include <stdbool.h>

#include <llvm-c/Types.h>

#include "base/str.h"
#include "compiler/lower/recursion/cycles.h"

// Takes the bodies of the functions, which tf_recursion_cut() was through with. What
// is left of each is a function of its name that runs the loop from its start on; those
// that only the cycle called are gone. False with the reason in the log.
bool tf_recursion_loop(LLVMModuleRef module, const struct tf_cycle *cycle,
                       struct tf_str *log);

#endif // TF_COMPILER_LOWER_RECURSION_FRAME_LOOP_H
