// SPDX-License-Identifier: MIT
// Function pointers (Clang's extension __cl_clang_function_pointers). A pointer to a
// function can only come from the program itself, so it is a number, and a call through
// it a choice among the functions of that type whose address the program takes (Reynolds,
// Definitional Interpreters for Higher-Order Programming Languages, 1972: the functions
// are made first order). All passes behind see plain control flow: lanes that call
// different functions part and meet again, and a callee may hold a barrier.
#ifndef TF_COMPILER_LOWER_FUNCTION_POINTERS_H
#define TF_COMPILER_LOWER_FUNCTION_POINTERS_H

#include <llvm-c/Types.h>

#include "abi/compiler.h"
#include "base/str.h"

// Changes a complete program before it is inlined. The numbers are those of the whole
// program: kernels may pass pointers on in memory. A call through anything else than a
// function's address (NULL, say) does nothing and returns zero. BAD_SOURCE with a message
// when a call has no form that could be a choice.
enum tf_compiler_status tf_function_pointers_lower(LLVMModuleRef module,
                                                   struct tf_str *log);

#endif // TF_COMPILER_LOWER_FUNCTION_POINTERS_H
