// SPDX-License-Identifier: MIT
#ifndef TF_COMPILER_CODEGEN_HALF_ROUNDING_H
#define TF_COMPILER_CODEGEN_HALF_ROUNDING_H

#include <llvm-c/Types.h>

// Rounds vectors of halves to whole numbers as vectors of floats, which hold them
// exactly. To be called when nothing optimizes the module any more: LLVM makes halves of
// it again, and then takes them one by one.
void tf_half_rounding_settle(LLVMModuleRef module);

#endif // TF_COMPILER_CODEGEN_HALF_ROUNDING_H
