// SPDX-License-Identifier: MIT
#ifndef TF_COMPILER_CODEGEN_CONSTANTS_SPLATS_H
#define TF_COMPILER_CODEGEN_CONSTANTS_SPLATS_H

#include <llvm-c/Types.h>

// For processors whose operations take whole vectors from memory, but no single element
// for all lanes (AVX2): constants of floating-point arithmetic become vectors in memory.
// To be called of optimized code.
void tf_splats_settle(LLVMModuleRef module);

#endif // TF_COMPILER_CODEGEN_CONSTANTS_SPLATS_H
