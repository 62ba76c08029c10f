// SPDX-License-Identifier: MIT
// Replaces a global, whose address is a constant, by a value that is none. Constant
// expressions over it are built anew as instructions, each before its user (at the end of
// the predecessor for a phi).
#ifndef TF_COMPILER_IR_REPLACE_GLOBAL_H
#define TF_COMPILER_IR_REPLACE_GLOBAL_H

#include <stdbool.h>

#include <llvm-c/Types.h>

// Puts `value`, which must dominate all of `fn`, in the place of `global` there. Moves
// the builder. False where a kind of constant is not known.
bool tf_ir_replace_global(LLVMBuilderRef builder, LLVMValueRef global, LLVMValueRef value,
                          LLVMValueRef fn);

#endif // TF_COMPILER_IR_REPLACE_GLOBAL_H
