// SPDX-License-Identifier: MIT
#ifndef TF_COMPILER_WORKGROUP_PREPARE_ARRAYS_H
#define TF_COMPILER_WORKGROUP_PREPARE_ARRAYS_H

#include <stdbool.h>

#include <llvm-c/Types.h>

struct tf_wg;

// Whether the function has private variables at indices that are no constants.
bool tf_prepare_has_arrays(LLVMValueRef fn);
// Makes values of the elements of private arrays of the function, where loops of a known
// number of rounds must be unrolled in full for that, and few instructions come of it.
// Expects loops in the form that LLVM's passes give them. True if something changed. *ok
// is false after tf_wg_fail.
bool tf_prepare_arrays(struct tf_wg *wg, LLVMValueRef fn, bool *ok);

#endif // TF_COMPILER_WORKGROUP_PREPARE_ARRAYS_H
