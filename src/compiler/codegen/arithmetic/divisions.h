// SPDX-License-Identifier: MIT
#ifndef TF_COMPILER_CODEGEN_ARITHMETIC_DIVISIONS_H
#define TF_COMPILER_CODEGEN_ARITHMETIC_DIVISIONS_H

#include <llvm-c/Types.h>

// Freezes what divisions of integers by variables give. Where a block divides under a
// condition, LLVM's loop vectorizer (22) divides for those of its rounds that do. If
// their quotients are known to be the same (in[a % n], in[(i >> 5) % n]), it takes an
// address that is made of one for that of its first round, which may not have divided:
// all load from anywhere. Of frozen values nothing is known. The vectorizer comes next:
// LLVM's instcombine would freeze what is divided in place of the quotient.
void tf_divisions_settle(LLVMValueRef function);

#endif // TF_COMPILER_CODEGEN_ARITHMETIC_DIVISIONS_H
