// SPDX-License-Identifier: MIT
// Brings a function of a cycle into a form that can be cut at its calls: nothing but its
// variables outlives a block.
#ifndef TF_COMPILER_LOWER_RECURSION_CUT_H
#define TF_COMPILER_LOWER_RECURSION_CUT_H

#include <stdbool.h>

#include <llvm-c/Types.h>

#include "base/str.h"
#include "compiler/lower/recursion/cycles.h"

// Makes the functions small, and loops of those that call themselves last. Not for
// programs that shall keep their shape.
bool tf_recursion_simplify(const struct tf_cycle *cycle, struct tf_str *log);

// From then on: every variable stands at the start of the entry; no value crosses from
// one block to another, and none is chosen by a phi; calls within the cycle are the first
// instructions of their blocks that do more than load their arguments; a parameter has
// one use, in the entry: a freeze, or the copy of what it points to by value.
bool tf_recursion_cut(LLVMValueRef function, const struct tf_cycle *cycle,
                      struct tf_str *log);

#endif // TF_COMPILER_LOWER_RECURSION_CUT_H
