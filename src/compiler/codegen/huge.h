// SPDX-License-Identifier: MIT
// What LLVM's code generator would take too long for.
#ifndef TF_COMPILER_CODEGEN_HUGE_H
#define TF_COMPILER_CODEGEN_HUGE_H

#include <stdbool.h>

#include <llvm-c/Types.h>

// Whether it would take longer than some seconds.
bool tf_codegen_is_huge(LLVMModuleRef module, unsigned vector_bits);

#endif // TF_COMPILER_CODEGEN_HUGE_H
