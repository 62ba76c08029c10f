// SPDX-License-Identifier: MIT
// Which functions call each other in circles: the strongly connected components of the
// call graph that have a cycle (Tarjan, Depth-first search and linear graph algorithms,
// 1972).
#ifndef TF_COMPILER_LOWER_RECURSION_CYCLES_H
#define TF_COMPILER_LOWER_RECURSION_CYCLES_H

#include <stdbool.h>
#include <stddef.h>

#include <llvm-c/Types.h>

#include "compiler/job/arena.h"

struct tf_cycle {
    LLVMValueRef *functions; // in the module's order
    unsigned count;
    struct tf_map number; // function -> its number in the cycle
};

struct tf_cycles {
    struct tf_cycle *cycles;
    unsigned count;
};

// Everything lies in the arena. False: memory ran out.
bool tf_cycles_find(LLVMModuleRef module, struct tf_arena *arena, struct tf_cycles *out);

// The number of the function that `call` calls, if it is one of the cycle; else -1.
int tf_cycle_callee(const struct tf_cycle *cycle, LLVMValueRef call);

#endif // TF_COMPILER_LOWER_RECURSION_CYCLES_H
