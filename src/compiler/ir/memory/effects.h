// SPDX-License-Identifier: MIT
#ifndef TF_COMPILER_IR_EFFECTS_H
#define TF_COMPILER_IR_EFFECTS_H

#include <stdbool.h>

#include <llvm-c/Types.h>

// Whether no memory is another after the instruction, as far as is known of it, and no
// access of others may be moved past it.
bool tf_writes_nothing(LLVMValueRef instruction);

#endif // TF_COMPILER_IR_EFFECTS_H
