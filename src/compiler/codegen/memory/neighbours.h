// SPDX-License-Identifier: MIT
#ifndef TF_COMPILER_CODEGEN_MEMORY_NEIGHBOURS_H
#define TF_COMPILER_CODEGEN_MEMORY_NEIGHBOURS_H

#include <llvm-c/Types.h>

// Loads of whole registers of 512 bits that overlap, `in[x - 1]`, `in[x]` and `in[x +
// 1]`: one load for each line, and shuffles. Nothing for functions whose registers are
// others.
void tf_neighbours_settle(LLVMValueRef function);

#endif // TF_COMPILER_CODEGEN_MEMORY_NEIGHBOURS_H
