// SPDX-License-Identifier: MIT
// How private variables that stay in memory lie there. Two layouts:
//
//   lane after lane  each lane has its own object, one behind the other. Any variable can
//                    lie so; what is at one index is far apart in memory.
//   by units         the object is cut into units of one size; unit u of lane l is number
//                    u * W + l. The same unit of all lanes is one vector: `a[k]` with
//                    one k for all lanes is a plain access, with one k each a gather
//                    within the variable.
//
// A variable lies by units if everything that is done with it can be followed: loads and
// stores, each within one unit, at addresses that are sums of whole units and of
// constants. Variables that one pointer may point to (through phis and selects) lie
// alike.
#ifndef TF_COMPILER_WORKGROUP_ANALYSIS_PRIVATE_H
#define TF_COMPILER_WORKGROUP_ANALYSIS_PRIVATE_H

#include <stdbool.h>
#include <stdint.h>

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#include "compiler/job/arena.h"

struct tf_private {
    unsigned unit_bytes; // a power of two; 0: lane after lane, or no private variable
    unsigned at_bytes;   // where in its unit the pointer points
};

struct tf_privates {
    struct tf_arena *arena;
    LLVMTargetDataRef layout;
    struct tf_map pointers; // that point to variables by units -> both numbers
};

// Looks at all variables of the function. Everything lies in the arena.
void tf_privates_init(struct tf_privates *p, struct tf_arena *arena,
                      LLVMTargetDataRef layout, LLVMValueRef fn);

// Of any value.
struct tf_private tf_private_of(const struct tf_privates *p, LLVMValueRef pointer);

// Bytes of one lane's object: whole units, and the variable's alignment.
uint64_t tf_private_bytes(const struct tf_privates *p, LLVMValueRef variable);

// ---- between the files

// A copy (or a fill) of whole units of a variable.
struct tf_private_copy {
    LLVMValueRef call;
    unsigned unit_bytes;
};

struct tf_private_copies {
    struct tf_private_copy *copies;
    unsigned count, capacity;
};

// The same as tf_privates_init, as if llvm.memset, .memcpy and .memmove were loads and
// stores of units; adds these calls to `copies`. A call between two variables is there
// twice.
void tf_privates_init_with_copies(struct tf_privates *p, struct tf_arena *arena,
                                  LLVMTargetDataRef layout, LLVMValueRef fn,
                                  struct tf_private_copies *copies);

// The number of bytes that the call of llvm.memset, .memcpy or .memmove touches, if that
// is constant and it is no volatile access; else 0, also for all other values.
uint64_t tf_private_copied_bytes(LLVMValueRef call);

#endif // TF_COMPILER_WORKGROUP_ANALYSIS_PRIVATE_H
