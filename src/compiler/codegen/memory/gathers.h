// SPDX-License-Identifier: MIT
#ifndef TF_COMPILER_CODEGEN_MEMORY_GATHERS_H
#define TF_COMPILER_CODEGEN_MEMORY_GATHERS_H

#include <stdbool.h>

#include <llvm-c/Types.h>

// For processors whose gathers LLVM takes apart, or that are slower than loads: those of
// all lanes become loads whose addresses are a base and an index. To be called of
// optimized code. Where there is an instruction it takes those that are too many of a
// module, for whose code LLVM would take too long.
void tf_gathers_settle(LLVMModuleRef module, bool has_instruction);

#endif // TF_COMPILER_CODEGEN_MEMORY_GATHERS_H
