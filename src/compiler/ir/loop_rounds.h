// SPDX-License-Identifier: MIT
// How many rounds a loop has, where constants say it.
#ifndef TF_COMPILER_IR_LOOP_ROUNDS_H
#define TF_COMPILER_IR_LOOP_ROUNDS_H

#include <stdbool.h>

#include <llvm-c/Types.h>

enum { TF_LOOP_MOST_ROUNDS = 1000 };

// By `branch`, which ends the head or the only latch of the loop, and stays in it where
// its condition is `stays_if`: other ways out may end it earlier. 0: unknown, or up to
// the integer parameter of the function that *argument, if not NULL, is set to then. More
// than TF_LOOP_MOST_ROUNDS: that or more.
unsigned tf_loop_rounds(LLVMValueRef branch, bool stays_if, LLVMBasicBlockRef head,
                        LLVMBasicBlockRef latch, LLVMValueRef *argument);
// The same of loops that begin with a number nobody knows, as an estimate: of those that
// rise to a constant, as for the largest number below a step that they may begin with
// (`for (i = get_local_id(0); i < 20; i += 16)`: one).
unsigned tf_loop_rounds_about(LLVMValueRef branch, bool stays_if, LLVMBasicBlockRef head,
                              LLVMBasicBlockRef latch);

#endif // TF_COMPILER_IR_LOOP_ROUNDS_H
