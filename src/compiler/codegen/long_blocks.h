// SPDX-License-Identifier: MIT
#ifndef TF_COMPILER_CODEGEN_LONG_BLOCKS_H
#define TF_COMPILER_CODEGEN_LONG_BLOCKS_H

#include <llvm-c/Types.h>

// Cuts blocks of thousands of instructions into pieces: what the code generator does
// within one block takes time that grows faster than the block.
void tf_long_blocks_cut(LLVMModuleRef module);

#endif // TF_COMPILER_CODEGEN_LONG_BLOCKS_H
