// SPDX-License-Identifier: MIT
#ifndef TF_COMPILER_WORKGROUP_PREPARE_COLUMNS_H
#define TF_COMPILER_WORKGROUP_PREPARE_COLUMNS_H

#include <stdbool.h>

#include <llvm-c/Types.h>

struct tf_wg;

// Puts a barrier at the end of each round of loops in which neighbours walk down columns
// side by side, in a function of one work-item that has barriers. True if there are any
// now.
bool tf_prepare_columns(struct tf_wg *wg, LLVMValueRef fn);

#endif // TF_COMPILER_WORKGROUP_PREPARE_COLUMNS_H
