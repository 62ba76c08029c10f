// SPDX-License-Identifier: MIT
// How long a work-item runs, as far as its loops say it.
#ifndef TF_COMPILER_MODULE_ROUNDS_H
#define TF_COMPILER_MODULE_ROUNDS_H

#include <stdbool.h>
#include <stdint.h>

#include <llvm-c/Types.h>

#include "abi/kernel_info.h"

struct tf_rounds {
    // That code is generated for: loops which ask to be unrolled count so often.
    uint32_t instructions;
    // That a work-item runs: those of loops with constant numbers of rounds so often, of
    // other loops once, of all branches.
    uint32_t item_instructions;
    // There is a loop, and nobody knows its rounds, or these come to thousands of
    // instructions.
    bool may_be_many;
    // As in struct tf_kernel_info.
    uint32_t loop_args[TF_KERNEL_LOOP_ARGS];
};

// Of a kernel that is cleaned up. Guesses that may be wrong in both ways: nothing but
// time depends on them.
struct tf_rounds tf_rounds_guess(LLVMValueRef kernel);

#endif // TF_COMPILER_MODULE_ROUNDS_H
