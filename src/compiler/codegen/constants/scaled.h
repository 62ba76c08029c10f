// SPDX-License-Identifier: MIT
#ifndef TF_COMPILER_CODEGEN_CONSTANTS_SCALED_H
#define TF_COMPILER_CODEGEN_CONSTANTS_SCALED_H

#include <llvm-c/Types.h>

// Bytes and pairs of bytes of words, as floats and times a constant, in vectors: an
// operation less for each with AVX-512, and the same bits.
void tf_scaled_settle(LLVMModuleRef module);

#endif // TF_COMPILER_CODEGEN_CONSTANTS_SCALED_H
