// SPDX-License-Identifier: MIT
// Pass "extremes": a relaxed atomic minimum or maximum that leaves the word as it is
// comes to a load of it, which other processors may keep the word's cache line for. A
// change of a stronger order stays: others might order themselves behind what it writes
// (C11 5.1.2.4, release sequences).
#include <stdio.h>

#include <llvm-c/Core.h>

#include "compiler/ir/ir_util.h"
#include "compiler/workgroup/item/atomic_change.h"
#include "compiler/workgroup/kernel/wg.h"

static bool is_extreme(LLVMValueRef i)
{
    if (LLVMGetInstructionOpcode(i) != LLVMAtomicRMW ||
        LLVMGetOrdering(i) != LLVMAtomicOrderingMonotonic)
        return false;
    switch ((int)LLVMGetAtomicRMWBinOp(i)) {
    case LLVMAtomicRMWBinOpMax:
    case LLVMAtomicRMWBinOpMin:
    case LLVMAtomicRMWBinOpUMax:
    case LLVMAtomicRMWBinOpUMin:
        return true;
    default:
        return false;
    }
}

// The function (address, operand) that does what `atomic` does. The builder is moved.
static LLVMValueRef function_for(struct tf_wg *wg, LLVMValueRef atomic, LLVMTypeRef *type)
{
    const LLVMAtomicRMWBinOp op = LLVMGetAtomicRMWBinOp(atomic);
    const LLVMTypeRef word = LLVMTypeOf(atomic);
    LLVMTypeRef types[] = {LLVMTypeOf(LLVMGetOperand(atomic, 0)), word};
    LLVMBasicBlockRef start, change, keep;
    LLVMValueRef fn, old, changes;
    char name[64];

    *type = LLVMFunctionType(word, types, 2, false);
    snprintf(name, sizeof(name), "tf_extreme.%d.%u.%u", (int)op,
             LLVMGetIntTypeWidth(word), LLVMGetPointerAddressSpace(types[0]));
    fn = LLVMGetNamedFunction(wg->module, name);
    if (fn)
        return fn;
    fn = LLVMAddFunction(wg->module, name, *type);
    tf_ir_add_attribute(fn, "nounwind");
    tf_ir_add_attribute(fn, "alwaysinline");
    LLVMSetLinkage(fn, LLVMInternalLinkage);
    start = LLVMAppendBasicBlockInContext(wg->context, fn, "start");
    change = LLVMAppendBasicBlockInContext(wg->context, fn, "change");
    keep = LLVMAppendBasicBlockInContext(wg->context, fn, "keep");
    LLVMPositionBuilderAtEnd(wg->builder, start);
    old = LLVMBuildLoad2(wg->builder, word, LLVMGetParam(fn, 0), "");
    LLVMSetAlignment(old, LLVMGetAlignment(atomic));
    LLVMSetOrdering(old, LLVMAtomicOrderingMonotonic);
    changes = tf_atomic_changed(wg->builder, op, old, LLVMGetParam(fn, 1));
    changes = LLVMBuildICmp(wg->builder, LLVMIntNE, changes, old, "");
    LLVMBuildCondBr(wg->builder, changes, change, keep);
    LLVMPositionBuilderAtEnd(wg->builder, keep);
    LLVMBuildRet(wg->builder, old);
    LLVMPositionBuilderAtEnd(wg->builder, change);
    old = LLVMBuildAtomicRMW(wg->builder, op, LLVMGetParam(fn, 0), LLVMGetParam(fn, 1),
                             LLVMAtomicOrderingMonotonic, false);
    LLVMBuildRet(wg->builder, old);
    return fn;
}

static void replace(struct tf_wg *wg, LLVMValueRef atomic)
{
    LLVMValueRef args[] = {LLVMGetOperand(atomic, 0), LLVMGetOperand(atomic, 1)};
    LLVMTypeRef type;
    const LLVMValueRef fn = function_for(wg, atomic, &type);

    LLVMPositionBuilderBefore(wg->builder, atomic);
    LLVMReplaceAllUsesWith(atomic, LLVMBuildCall2(wg->builder, type, fn, args, 2, ""));
    LLVMInstructionEraseFromParent(atomic);
}

bool tf_wg_extremes(struct tf_wg *wg)
{
    LLVMValueRef last = LLVMGetLastFunction(wg->module), f, next;
    bool any = false, ended = !wg->item->has_atomics;

    for (f = LLVMGetFirstFunction(wg->module); !ended; f = LLVMGetNextFunction(f)) {
        ended = f == last; // behind it are those that are made here
        for (LLVMValueRef i = tf_ir_first(f); i; i = next) {
            next = tf_ir_next(i);
            if (is_extreme(i)) {
                replace(wg, i);
                any = true;
            }
        }
    }
    return !any || tf_wg_run_llvm(wg, "always-inline,globaldce");
}
