// SPDX-License-Identifier: MIT
#ifndef TF_COMPILER_CODEGEN_MEMORY_FORWARD_H
#define TF_COMPILER_CODEGEN_MEMORY_FORWARD_H

#include <llvm-c/Types.h>

// Loads of lanes that stores of the same block have just written, at another place of the
// vector: shuffles of what was stored.
void tf_forward_settle(LLVMModuleRef module);

#endif // TF_COMPILER_CODEGEN_MEMORY_FORWARD_H
