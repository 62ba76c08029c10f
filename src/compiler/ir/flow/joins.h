// SPDX-License-Identifier: MIT
// Values that are the same on all ways to a block.
#ifndef TF_COMPILER_IR_FLOW_JOINS_H
#define TF_COMPILER_IR_FLOW_JOINS_H

#include <stdbool.h>

#include <llvm-c/Types.h>

// LLVM computes `x + 1` once on each way to a block that needs it, where one of them
// needs it, too, and lets the block choose. Where lanes come by different ways, the
// choice is a vector, and an address of it a gather. Such values are computed in the
// block instead. True if there were any; what nobody uses any more is left behind.
bool tf_ir_compute_at_joins(LLVMValueRef fn);

// One value on each way to a block.
enum { TF_MOST_WAYS = 8 };
struct tf_ways {
    LLVMValueRef values[TF_MOST_WAYS];
    unsigned count;
};

// Whether all ways make the same of the same values by cheap operations.
bool tf_ir_ways_are_alike(const struct tf_ways *ways);
// That value, made where the builder stands, if need be: behind where all ways meet.
LLVMValueRef tf_ir_make_alike(LLVMBuilderRef b, const struct tf_ways *ways);

#endif // TF_COMPILER_IR_FLOW_JOINS_H
