// SPDX-License-Identifier: MIT
#ifndef TF_COMPILER_WORKGROUP_PREPARE_ROUNDS_AHEAD_H
#define TF_COMPILER_WORKGROUP_PREPARE_ROUNDS_AHEAD_H

#include <stdbool.h>

#include <llvm-c/Types.h>

struct tf_wg;

// Behind loads of global memory that fill tiles in loops round barriers, or that are
// indices in other loops, calls of llvm.prefetch for what the next round loads. True if
// the function has changed: addresses are made anew, and not all of them are wanted.
bool tf_prepare_ahead(struct tf_wg *wg, LLVMValueRef fn);

#endif // TF_COMPILER_WORKGROUP_PREPARE_ROUNDS_AHEAD_H
