// SPDX-License-Identifier: MIT
// How long a work-item runs, as far as its loops say it.
#ifndef TF_COMPILER_MODULE_ROUNDS_H
#define TF_COMPILER_MODULE_ROUNDS_H

#include <stdbool.h>

#include <llvm-c/Types.h>

// Whether the kernel, cleaned up, has no loop but such with constant numbers of rounds,
// and runs no more than some thousand instructions in all. A guess that may be wrong in
// both ways: nothing but time depends on it.
bool tf_rounds_are_few(LLVMValueRef kernel);

#endif // TF_COMPILER_MODULE_ROUNDS_H
