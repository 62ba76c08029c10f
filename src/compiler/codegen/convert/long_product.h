// SPDX-License-Identifier: MIT
#ifndef TF_COMPILER_CODEGEN_CONVERT_LONG_PRODUCT_H
#define TF_COMPILER_CODEGEN_CONVERT_LONG_PRODUCT_H

#include <llvm-c/Types.h>

// High halves of products of vectors of longs (mul_hi) by products of 32 bits: LLVM
// writes them with numbers of 128 bits, even where the program does not, and then
// multiplies element by element.
void tf_long_product_settle(LLVMModuleRef module);

#endif // TF_COMPILER_CODEGEN_CONVERT_LONG_PRODUCT_H
