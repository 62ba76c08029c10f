// SPDX-License-Identifier: MIT
#ifndef TF_COMPILER_WORKGROUP_PREPARE_SCOPES_H
#define TF_COMPILER_WORKGROUP_PREPARE_SCOPES_H

#include <llvm-c/Types.h>

// Forgets what `restrict` promises for one round of a loop only, or for one work-item
// where others come between.
void tf_prepare_scopes(LLVMValueRef fn);

#endif // TF_COMPILER_WORKGROUP_PREPARE_SCOPES_H
