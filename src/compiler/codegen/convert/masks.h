// SPDX-License-Identifier: MIT
#ifndef TF_COMPILER_CODEGEN_CONVERT_MASKS_H
#define TF_COMPILER_CODEGEN_CONVERT_MASKS_H

#include <llvm-c/Types.h>

// For processors whose blends and masked accesses go by signs, and whose vectors have so
// many bits: masks that go from block to block become vectors of integers. To be called
// when nothing optimizes the module any more: LLVM makes masks of them again.
void tf_masks_settle(LLVMModuleRef module, unsigned vector_bits);

#endif // TF_COMPILER_CODEGEN_CONVERT_MASKS_H
