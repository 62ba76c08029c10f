// SPDX-License-Identifier: MIT
// What an activation of a function keeps while the functions that it calls run: its
// variables that are read behind a call within the cycle, and those whose address goes
// elsewhere.
#ifndef TF_COMPILER_LOWER_RECURSION_ACTIVATION_H
#define TF_COMPILER_LOWER_RECURSION_ACTIVATION_H

#include <stdbool.h>
#include <stdint.h>

#include <llvm-c/Types.h>

#include "compiler/job/arena.h"
#include "compiler/lower/recursion/cycles.h"

struct tf_frame_variable {
    LLVMValueRef variable; // an alloca
    uint64_t offset_bytes;
};

#define TF_FRAME_MOST_BYTES ((uint64_t)1 << 30)

// It begins with the number of where its caller goes on, 4 bytes.
struct tf_frame {
    struct tf_frame_variable *kept;
    LLVMValueRef *shared; // variables that one place serves for all activations
    unsigned kept_count, shared_count;
    uint64_t bytes;
    uint64_t align_bytes; // a power of two
    bool too_large;       // nothing else is of use then
};

// Of a function that tf_recursion_cut() was through with. All lies in the arena.
void tf_frame_plan(LLVMValueRef function, const struct tf_cycle *cycle,
                   struct tf_arena *arena, struct tf_frame *out);

#endif // TF_COMPILER_LOWER_RECURSION_ACTIVATION_H
