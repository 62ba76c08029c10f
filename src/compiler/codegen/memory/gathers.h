// SPDX-License-Identifier: MIT
#ifndef TF_COMPILER_CODEGEN_MEMORY_GATHERS_H
#define TF_COMPILER_CODEGEN_MEMORY_GATHERS_H

#include <llvm-c/Types.h>

// For processors whose gathers LLVM takes apart, or that are slower than loads: those of
// all lanes become loads whose addresses are a base and an index. To be called of
// optimized code.
void tf_gathers_settle(LLVMModuleRef module);

#endif // TF_COMPILER_CODEGEN_MEMORY_GATHERS_H
