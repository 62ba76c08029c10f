// SPDX-License-Identifier: MIT
#ifndef TF_COMPILER_CODEGEN_ARITHMETIC_DIVISIONS_H
#define TF_COMPILER_CODEGEN_ARITHMETIC_DIVISIONS_H

#include <llvm-c/Types.h>

// Divisions of integers that give the same in each round of a loop, and stand behind a
// condition in it, are made before the loop. LLVM's loop vectorizer (19 to 22) takes them
// for one number that the first of the rounds it makes at once has: where an address is
// made of it, and the first round does not divide, all load from anywhere.
void tf_divisions_settle(LLVMValueRef function);

#endif // TF_COMPILER_CODEGEN_ARITHMETIC_DIVISIONS_H
