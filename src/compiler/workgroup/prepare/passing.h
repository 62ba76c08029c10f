// SPDX-License-Identifier: MIT
#ifndef TF_COMPILER_WORKGROUP_PREPARE_PASSING_H
#define TF_COMPILER_WORKGROUP_PREPARE_PASSING_H

#include <stdbool.h>

#include <llvm-c/Types.h>

// Writes vectors of the program that scalars are only put into and taken out of again as
// these scalars. False: there are none, nothing has changed.
bool tf_prepare_passing(LLVMValueRef fn);

#endif // TF_COMPILER_WORKGROUP_PREPARE_PASSING_H
