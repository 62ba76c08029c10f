// SPDX-License-Identifier: MIT
#include "compiler/workgroup/plan/atomic.h"

#include "abi/cpu_abi.h"
#include "compiler/workgroup/kernel/wg.h"

enum { NO_OPERATION = -1, MOST_BITS = 64 };

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

bool tf_atomic_is_exchange(LLVMValueRef change)
{
    return LLVMGetAtomicRMWBinOp(change) == LLVMAtomicRMWBinOpXchg &&
           LLVMGetTypeKind(LLVMTypeOf(change)) != LLVMPointerTypeKind;
}

static bool can_be_one(const struct tf_value *v)
{
    return v->opcode == LLVMAtomicRMW &&
           (tf_atomic_operation(v->instruction) != NO_OPERATION ||
            tf_atomic_is_exchange(v->instruction));
}

bool tf_is_one_atomic(const struct tf_shapes *s, const struct tf_value *v)
{
    return can_be_one(v) && tf_is_uniform(s, LLVMGetOperand(v->instruction, 0));
}

bool tf_may_be_one_atomic(const struct tf_shapes *s, const struct tf_value *v)
{
    return can_be_one(v) && !tf_atomic_is_local(v->instruction) &&
           tf_shape_of(s, LLVMGetOperand(v->instruction, 0)).kind == TF_SHAPE_VARYING;
}

bool tf_atomic_is_local(LLVMValueRef change)
{
    const LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(change, 0));

    return LLVMGetPointerAddressSpace(type) == TF_AS_LOCAL;
}

// By what `value` divides a number that the lanes count up, and that number's stride; 0:
// it does no such thing.
static uint64_t divisor_of(const struct tf_shapes *s, LLVMValueRef value,
                           uint64_t *stride)
{
    struct tf_shape shape;
    LLVMValueRef by;
    LLVMOpcode opcode;

    while (LLVMIsAZExtInst(value) || LLVMIsASExtInst(value) || LLVMIsATruncInst(value))
        value = LLVMGetOperand(value, 0);
    if (!LLVMIsABinaryOperator(value) ||
        !LLVMIsAConstantInt(by = LLVMGetOperand(value, 1)) ||
        LLVMGetIntTypeWidth(LLVMTypeOf(by)) > MOST_BITS)
        return 0;
    opcode = LLVMGetInstructionOpcode(value);
    shape = tf_shape_of(s, LLVMGetOperand(value, 0));
    if (shape.kind != TF_SHAPE_AFFINE || shape.stride <= 0)
        return 0;
    *stride = (uint64_t)shape.stride;
    if (opcode == LLVMUDiv || opcode == LLVMSDiv)
        return LLVMConstIntGetZExtValue(by);
    if ((opcode == LLVMLShr || opcode == LLVMAShr) &&
        LLVMConstIntGetZExtValue(by) < MOST_BITS)
        return (uint64_t)1 << LLVMConstIntGetZExtValue(by);
    return 0;
}

bool tf_is_mostly_one_atomic(const struct tf_shapes *s, const struct tf_value *v,
                             unsigned width)
{
    LLVMValueRef address, index;
    uint64_t divisor, stride;

    if (!tf_may_be_one_atomic(s, v))
        return false;
    address = LLVMGetOperand(v->instruction, 0);
    if (!LLVMIsAGetElementPtrInst(address) || LLVMGetNumOperands(address) != 2)
        return false;
    index = LLVMGetOperand(address, 1);
    divisor = divisor_of(s, index, &stride);
    return divisor && stride <= divisor / width;
}
