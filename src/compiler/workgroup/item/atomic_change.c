// SPDX-License-Identifier: MIT
#include "compiler/workgroup/item/atomic_change.h"

#include <stddef.h>

static LLVMValueRef choose(LLVMBuilderRef b, LLVMIntPredicate first_if, LLVMValueRef x,
                           LLVMValueRef y)
{
    return LLVMBuildSelect(b, LLVMBuildICmp(b, first_if, x, y, ""), x, y, "");
}

LLVMValueRef tf_atomic_changed(LLVMBuilderRef b, LLVMAtomicRMWBinOp op, LLVMValueRef old,
                               LLVMValueRef by)
{
    switch ((int)op) {
    case LLVMAtomicRMWBinOpXchg:
        return by;
    case LLVMAtomicRMWBinOpAdd:
        return LLVMBuildAdd(b, old, by, "");
    case LLVMAtomicRMWBinOpSub:
        return LLVMBuildSub(b, old, by, "");
    case LLVMAtomicRMWBinOpAnd:
        return LLVMBuildAnd(b, old, by, "");
    case LLVMAtomicRMWBinOpOr:
        return LLVMBuildOr(b, old, by, "");
    case LLVMAtomicRMWBinOpXor:
        return LLVMBuildXor(b, old, by, "");
    case LLVMAtomicRMWBinOpMax:
        return choose(b, LLVMIntSGT, old, by);
    case LLVMAtomicRMWBinOpMin:
        return choose(b, LLVMIntSLT, old, by);
    case LLVMAtomicRMWBinOpUMax:
        return choose(b, LLVMIntUGT, old, by);
    case LLVMAtomicRMWBinOpUMin:
        return choose(b, LLVMIntULT, old, by);
    case LLVMAtomicRMWBinOpFAdd:
        return LLVMBuildFAdd(b, old, by, "");
    case LLVMAtomicRMWBinOpFSub:
        return LLVMBuildFSub(b, old, by, "");
    default:
        return NULL;
    }
}
