// SPDX-License-Identifier: MIT
#ifndef TF_COMPILER_CODEGEN_ELEMENTS_H
#define TF_COMPILER_CODEGEN_ELEMENTS_H

#include <llvm-c/Types.h>

// Vectors of elements taken at indices of the run (compiler/ir/vector/permutation.h) for
// x86 with AVX2 or AVX-512, by permutations of registers: LLVM makes these itself where
// the vector fills exactly one register, and stores and loads elements one by one where
// it is shorter or longer. To be called when nothing optimizes the module any more.
void tf_elements_settle(LLVMModuleRef module, unsigned register_bits);

#endif // TF_COMPILER_CODEGEN_ELEMENTS_H
