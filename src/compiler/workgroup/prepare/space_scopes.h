// SPDX-License-Identifier: MIT
#ifndef TF_COMPILER_WORKGROUP_PREPARE_SPACE_SCOPES_H
#define TF_COMPILER_WORKGROUP_PREPARE_SPACE_SCOPES_H

#include <llvm-c/Types.h>

// Says of each load and store of global and constant memory that it stays out of local
// memory: to LLVM address spaces are numbers, and it would wait for a store to one with
// all loads of the other. The scope is one for all functions and holds everywhere.
void tf_prepare_space_scopes(LLVMValueRef fn);

#endif // TF_COMPILER_WORKGROUP_PREPARE_SPACE_SCOPES_H
