// SPDX-License-Identifier: MIT
// Blocks that only ask which way they were reached by.
#ifndef TF_COMPILER_IR_FLOW_KNOWN_WAYS_H
#define TF_COMPILER_IR_FLOW_KNOWN_WAYS_H

#include <stdbool.h>

#include <llvm-c/Types.h>

// Where `break`, `continue` or `return` leaves a scope that has variables of its own,
// Clang writes down where to, ends the scope, and switches by what it wrote. Once the
// variables are values, a block of phis and a switch by constants is left, and LLVM's
// simple passes keep it: a loop seems to have one end more, and each round asks again.
// Each way then leads to where its constant says. Not the heads of loops: there a
// constant is the state of a machine. True if anything was changed: values that these
// blocks chose lie in variables then, until SROA takes those apart.
bool tf_ir_take_known_ways(LLVMValueRef fn);

#endif // TF_COMPILER_IR_FLOW_KNOWN_WAYS_H
