// SPDX-License-Identifier: MIT
#ifndef TF_COMPILER_CODEGEN_ARITHMETIC_MINIMA_H
#define TF_COMPILER_CODEGEN_ARITHMETIC_MINIMA_H

#include <llvm-c/Types.h>

// For x86: fmin and fmax (built-ins math_round: the other number where one is a NaN) as
// the processor's minimum and maximum and one choice. To be called of optimized code:
// LLVM joins the two questions, and then has four operations in a chain, not three.
void tf_minima_settle(LLVMModuleRef module);

#endif // TF_COMPILER_CODEGEN_ARITHMETIC_MINIMA_H
