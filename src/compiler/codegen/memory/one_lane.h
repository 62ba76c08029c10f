// SPDX-License-Identifier: MIT
// Stores of vectors of which one lane alone is stored, by a mask that is a constant.
#ifndef TF_COMPILER_CODEGEN_MEMORY_ONE_LANE_H
#define TF_COMPILER_CODEGEN_MEMORY_ONE_LANE_H

#include <llvm-c/Types.h>

// Makes them stores of an element. LLVM (19 to 22) does the same with AVX-512, but where
// the vector is a truncation it stores the element before that: four bytes in place of
// two.
void tf_one_lane_settle(LLVMModuleRef module);

#endif // TF_COMPILER_CODEGEN_MEMORY_ONE_LANE_H
