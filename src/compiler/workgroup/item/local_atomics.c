// SPDX-License-Identifier: MIT
// Pass "atomics": one thread runs all work-items of a group, and nobody else sees the
// group's local memory. An atomic change of it is a load, an operation and a store then;
// processors take several times as long over one that locks.
#include <string.h>

#include <llvm-c/Core.h>

#include "compiler/ir/ir_util.h"
#include "compiler/workgroup/item/atomic_change.h"
#include "compiler/workgroup/kernel/wg.h"

static bool is_local(LLVMValueRef address)
{
    return LLVMGetPointerAddressSpace(LLVMTypeOf(address)) == TF_AS_LOCAL;
}

// Volatile accesses stay as they are counted; nothing then changes for a kernel that
// waits in a loop.
static LLVMValueRef load_old(LLVMBuilderRef b, LLVMValueRef atomic, LLVMTypeRef type,
                             LLVMValueRef address)
{
    const LLVMValueRef old = LLVMBuildLoad2(b, type, address, "");

    LLVMSetAlignment(old, LLVMGetAlignment(atomic));
    LLVMSetVolatile(old, LLVMGetVolatile(atomic));
    return old;
}

static void store_new(LLVMBuilderRef b, LLVMValueRef atomic, LLVMValueRef value,
                      LLVMValueRef address)
{
    const LLVMValueRef store = LLVMBuildStore(b, value, address);

    LLVMSetAlignment(store, LLVMGetAlignment(atomic));
    LLVMSetVolatile(store, LLVMGetVolatile(atomic));
}

static void replace(LLVMValueRef atomic, LLVMValueRef by)
{
    LLVMReplaceAllUsesWith(atomic, by);
    LLVMInstructionEraseFromParent(atomic);
}

static void change(LLVMBuilderRef b, LLVMValueRef atomic)
{
    const LLVMValueRef address = LLVMGetOperand(atomic, 0);
    LLVMValueRef old, new;

    LLVMPositionBuilderBefore(b, atomic);
    old = load_old(b, atomic, LLVMTypeOf(atomic), address);
    new = tf_atomic_changed(b, LLVMGetAtomicRMWBinOp(atomic), old,
                            LLVMGetOperand(atomic, 1));
    if (!new) {
        LLVMInstructionEraseFromParent(old);
        return;
    }
    store_new(b, atomic, new, address);
    replace(atomic, old);
}

static void exchange(LLVMBuilderRef b, LLVMValueRef atomic)
{
    const LLVMValueRef address = LLVMGetOperand(atomic, 0);
    const LLVMValueRef expected = LLVMGetOperand(atomic, 1);
    LLVMValueRef old, equal, both;

    LLVMPositionBuilderBefore(b, atomic);
    old = load_old(b, atomic, LLVMTypeOf(expected), address);
    equal = LLVMBuildICmp(b, LLVMIntEQ, old, expected, "");
    store_new(b, atomic, LLVMBuildSelect(b, equal, LLVMGetOperand(atomic, 2), old, ""),
              address);
    both = LLVMBuildInsertValue(b, LLVMGetPoison(LLVMTypeOf(atomic)), old, 0, "");
    replace(atomic, LLVMBuildInsertValue(b, both, equal, 1, ""));
}

static void relax(struct tf_wg *wg, LLVMValueRef instruction)
{
    switch ((int)LLVMGetInstructionOpcode(instruction)) {
    case LLVMAtomicRMW:
        if (is_local(LLVMGetOperand(instruction, 0)))
            change(wg->builder, instruction);
        break;
    case LLVMAtomicCmpXchg:
        if (is_local(LLVMGetOperand(instruction, 0)))
            exchange(wg->builder, instruction);
        break;
    case LLVMStore:
        if (LLVMGetOrdering(instruction) == LLVMAtomicOrderingSequentiallyConsistent &&
            is_local(LLVMGetOperand(instruction, 1)))
            LLVMSetOrdering(instruction, LLVMAtomicOrderingRelease);
        break;
    default:
        break;
    }
}

bool tf_wg_local_atomics(struct tf_wg *wg)
{
    LLVMValueRef next;

    if (!wg->item->has_atomics)
        return true;
    TF_FOR_EACH_FUNCTION(f, wg->module)
    {
        for (LLVMValueRef i = tf_ir_first(f); i; i = next) {
            next = tf_ir_next(i);
            relax(wg, i);
        }
    }
    return true;
}
