// SPDX-License-Identifier: MIT
// One instruction for all lanes.
#include "compiler/workgroup/gang/arithmetic/gang_arithmetic.h"

static LLVMValueRef operand(struct gang *g, const struct tf_value *v, unsigned at)
{
    return gang_vector(g, LLVMGetOperand(v->instruction, at));
}

static LLVMValueRef address(struct gang *g, const struct tf_value *v)
{
    const LLVMValueRef gep = v->instruction;
    const unsigned count = (unsigned)LLVMGetNumOperands(gep);
    LLVMValueRef *made;

    if (tf_private_of(&g->shapes->privates, gep).unit_bytes)
        return gang_private_addresses(g, gep);
    made = TF_ARENA_NEW(&g->arena, LLVMValueRef, count);
    for (unsigned i = 0; i < count; i++) {
        const LLVMValueRef value = LLVMGetOperand(gep, i);

        made[i] = tf_is_uniform(g->shapes, value) ? gang_scalar(g, value)
                                                  : gang_vector(g, value);
    }
    return LLVMBuildGEP2(g->b, LLVMGetGEPSourceElementType(gep), made[0], made + 1,
                         count - 1, "");
}

static LLVMValueRef choose(struct gang *g, const struct tf_value *v)
{
    const LLVMValueRef condition = LLVMGetOperand(v->instruction, 0);
    const LLVMValueRef yes = operand(g, v, 1), no = operand(g, v, 2);

    if (LLVMGetTypeKind(LLVMTypeOf(condition)) == LLVMVectorTypeKind)
        return LLVMBuildSelect(g->b, gang_vector(g, condition), yes, no, "");
    if (tf_is_uniform(g->shapes, condition))
        return LLVMBuildSelect(g->b, gang_scalar(g, condition), yes, no, "");
    return gang_blend(g, gang_vector(g, condition), yes, no, LLVMTypeOf(v->instruction));
}

static LLVMValueRef take_member(struct gang *g, const struct tf_value *v)
{
    LLVMValueRef value = operand(g, v, 0);

    for (unsigned i = 0; i < LLVMGetNumIndices(v->instruction); i++)
        value = LLVMBuildExtractValue(g->b, value, LLVMGetIndices(v->instruction)[i], "");
    return value;
}

static LLVMValueRef put_member(struct gang *g, LLVMValueRef all, LLVMValueRef member,
                               const unsigned *indices, unsigned count)
{
    LLVMValueRef part;

    if (count == 0)
        return member;
    part = put_member(g, LLVMBuildExtractValue(g->b, all, indices[0], ""), member,
                      indices + 1, count - 1);
    return LLVMBuildInsertValue(g->b, all, part, indices[0], "");
}

static LLVMValueRef cast(struct gang *g, const struct tf_value *v)
{
    return LLVMBuildCast(g->b, v->opcode, operand(g, v, 0),
                         gang_type(g, LLVMTypeOf(v->instruction)), "");
}

static LLVMValueRef arithmetic(struct gang *g, const struct tf_value *v)
{
    const LLVMValueRef i = v->instruction;

    switch ((int)v->opcode) {
    case LLVMGetElementPtr:
        return address(g, v);
    case LLVMICmp:
        return LLVMBuildICmp(g->b, LLVMGetICmpPredicate(i), operand(g, v, 0),
                             operand(g, v, 1), "");
    case LLVMFCmp:
        return LLVMBuildFCmp(g->b, LLVMGetFCmpPredicate(i), operand(g, v, 0),
                             operand(g, v, 1), "");
    case LLVMSelect:
        return choose(g, v);
    case LLVMFNeg:
        return LLVMBuildFNeg(g->b, operand(g, v, 0), "");
    case LLVMFreeze:
        return LLVMBuildFreeze(g->b, operand(g, v, 0), "");
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
        return gang_divide(g, v);
    case LLVMExtractValue:
        return take_member(g, v);
    case LLVMInsertValue:
        return put_member(g, operand(g, v, 0), operand(g, v, 1), LLVMGetIndices(i),
                          LLVMGetNumIndices(i));
    default:
        break;
    }
    if (LLVMIsABinaryOperator(i))
        return LLVMBuildBinOp(g->b, v->opcode, operand(g, v, 0), operand(g, v, 1), "");
    return cast(g, v);
}

void gang_vector_op(struct gang *g, struct tf_value *v)
{
    const LLVMValueRef made = arithmetic(g, v);

    if (LLVMIsAInstruction(made) && LLVMCanValueUseFastMathFlags(made) &&
        LLVMCanValueUseFastMathFlags(v->instruction))
        LLVMSetFastMathFlags(made, LLVMGetFastMathFlags(v->instruction));
    gang_define(g, v, NULL, made);
}
