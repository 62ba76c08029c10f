// SPDX-License-Identifier: MIT
// What OpenCL C leaves unspecified and LLVM undefined: the result of an integer division
// by zero or of INT_MIN / -1 (OpenCL C 3.0, 6.4.1: no exception) and of a real number
// converted to an integer that cannot hold it (6.3.3). LLVM may drop all code that leads
// to what is undefined, so both are given some value before any optimization.
#ifndef TF_COMPILER_LOWER_UNSPECIFIED_H
#define TF_COMPILER_LOWER_UNSPECIFIED_H

#include <stdbool.h>

#include <llvm-c/Types.h>

// Gives the divisions, conversions and folded constants of all functions of `module` a
// value.
void tf_unspecified_lower(LLVMModuleRef module);

// True for an integer division or remainder that might raise a signal: neither is its
// divisor a constant other than 0 and -1, nor has tf_division_guard() seen to it.
bool tf_division_may_trap(LLVMValueRef instruction);

// Makes the divisor 1 where the division would raise a signal. Moves `builder`.
void tf_division_guard(LLVMBuilderRef builder, LLVMValueRef division);

#endif // TF_COMPILER_LOWER_UNSPECIFIED_H
