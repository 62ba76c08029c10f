// SPDX-License-Identifier: MIT
// Estimates of inverse square roots, on which the library's rsqrt and its like stand
// where the machine has them (builtins/lib/math.h). In the IR they are llvm.amdgcn.rsq,
// which LLVM knows for another processor only and leaves as it is. A processor gives the
// same bits for one number as for vectors of any length, others may give others.
#ifndef TF_COMPILER_CODEGEN_ARITHMETIC_ESTIMATES_H
#define TF_COMPILER_CODEGEN_ARITHMETIC_ESTIMATES_H

#include <llvm-c/Types.h>

// Takes away those that the machine has not: the library has other ways, and nobody comes
// there (ways.h). `bits`: 14 of all reals (AVX-512), 12 of floats (SSE) or 0.
void tf_estimates_drop(LLVMModuleRef module, unsigned bits);
// Tells LLVM's vectorizers of those of vectors. To be called right before them: what
// names the functions is dropped as long as nobody calls them.
void tf_estimates_offer(LLVMValueRef function);
// Makes instructions of them. To be called when nothing optimizes the module any more.
void tf_estimates_settle(LLVMModuleRef module, unsigned bits);

#endif // TF_COMPILER_CODEGEN_ARITHMETIC_ESTIMATES_H
