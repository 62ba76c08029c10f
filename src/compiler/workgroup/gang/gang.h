// SPDX-License-Identifier: MIT
// Code of a plan: W work-items, consecutive in one dimension, as the lanes of one
// function. Nothing is decided here, and nothing refused.
#ifndef TF_COMPILER_WORKGROUP_GANG_GANG_H
#define TF_COMPILER_WORKGROUP_GANG_GANG_H

#include "compiler/workgroup/gang/value/gang_kept.h"
#include "compiler/workgroup/plan/plan.h"

struct tf_wg;

// A new function of the module that runs the plan's scalar function for its lanes. Its
// parameters are those of the item function, lid0 that of lane 0. That of a masked plan
// has a last one, i64 `lanes`: only the lanes 0..lanes-1 run, at least one. Only for
// small launches (workgroup/item/small.h).
//
// Of a linear plan: the same, of wg->item->function, which sees the group as one row of
// items with linear ids; for all launches, and always masked. Lid0 is lane 0's linear id.
//
// What crosses a block of the function lies in an alloca of its entry block (mem2reg
// comes later). A call of __tf_barrier stays one, alone in the order of the function's
// control: either the gang executes it or it does not, and nothing but these allocas is
// live across it.
//
// `kept`: what functions of the same module have in common; zero before the first one.
LLVMValueRef tf_gang_emit(struct tf_wg *wg, const struct tf_plan *plan,
                          struct tf_gang_kept *kept);

// Of a plan: struct tf_fit's streamed_bytes.
uint32_t tf_gang_streamed_bytes(const struct tf_plan *plan);

#endif // TF_COMPILER_WORKGROUP_GANG_GANG_H
