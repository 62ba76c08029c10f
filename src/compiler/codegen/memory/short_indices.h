// SPDX-License-Identifier: MIT
// Addresses that end in a sum of 8 or 16 bits, which may wrap: p[(char)(k + 3)].
#ifndef TF_COMPILER_CODEGEN_MEMORY_SHORT_INDICES_H
#define TF_COMPILER_CODEGEN_MEMORY_SHORT_INDICES_H

#include <llvm-c/Types.h>

// Makes such sums in 32 bits, and cuts them there: LLVM's instruction selection (22)
// takes sext(k + 3) for sext(k) + 3 where it asks how far two bytes are apart, and makes
// one access of p[(char)(k + 3)] and p[(char)(k + 4)], also where k is 124.
void tf_short_indices_settle(LLVMModuleRef module);

#endif // TF_COMPILER_CODEGEN_MEMORY_SHORT_INDICES_H
