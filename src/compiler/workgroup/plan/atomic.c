// SPDX-License-Identifier: MIT
#include "compiler/workgroup/plan/atomic.h"

#include "abi/cpu_abi.h"
#include "compiler/workgroup/kernel/wg.h"

enum { NO_OPERATION = -1 };

int tf_atomic_operation(LLVMValueRef change)
{
    switch ((int)LLVMGetAtomicRMWBinOp(change)) {
    case LLVMAtomicRMWBinOpAdd:
    case LLVMAtomicRMWBinOpSub: // what is subtracted is added up
        return TF_SUB_GROUP_ADD;
    case LLVMAtomicRMWBinOpAnd:
        return TF_SUB_GROUP_AND;
    case LLVMAtomicRMWBinOpOr:
        return TF_SUB_GROUP_OR;
    case LLVMAtomicRMWBinOpXor:
        return TF_SUB_GROUP_XOR;
    case LLVMAtomicRMWBinOpMin:
        return TF_SUB_GROUP_MIN;
    case LLVMAtomicRMWBinOpMax:
        return TF_SUB_GROUP_MAX;
    case LLVMAtomicRMWBinOpUMin:
        return TF_SUB_GROUP_MIN + TF_SUB_GROUP_UNSIGNED;
    case LLVMAtomicRMWBinOpUMax:
        return TF_SUB_GROUP_MAX + TF_SUB_GROUP_UNSIGNED;
    default:
        return NO_OPERATION;
    }
}

bool tf_is_one_atomic(const struct tf_shapes *s, const struct tf_value *v)
{
    return v->opcode == LLVMAtomicRMW &&
           tf_atomic_operation(v->instruction) != NO_OPERATION &&
           tf_is_uniform(s, LLVMGetOperand(v->instruction, 0));
}

bool tf_atomic_is_local(LLVMValueRef change)
{
    const LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(change, 0));

    return LLVMGetPointerAddressSpace(type) == TF_AS_LOCAL;
}
