// SPDX-License-Identifier: MIT
// One instruction for all lanes.
#include "compiler/workgroup/gang/gang_emit.h"

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

static void make_vector(struct gang *g, struct tf_value *v)
{
    const LLVMValueRef made = arithmetic(g, v);

    if (LLVMIsAInstruction(made) && LLVMCanValueUseFastMathFlags(made) &&
        LLVMCanValueUseFastMathFlags(v->instruction))
        LLVMSetFastMathFlags(made, LLVMGetFastMathFlags(v->instruction));
    gang_define(g, v, NULL, made);
}

static void take_phi(struct gang *g, struct tf_value *v)
{
    const LLVMTypeRef type = LLVMTypeOf(v->instruction);
    const LLVMValueRef input = gang_input(g, v);

    if (v->shape.kind == TF_SHAPE_VARYING)
        gang_define(g, v, NULL, LLVMBuildLoad2(g->b, gang_type(g, type), input, ""));
    else
        gang_define(g, v, LLVMBuildLoad2(g->b, type, input, ""), NULL);
}

// One scalar instruction: what the lanes share, or lane 0's value.
static void make_one(struct gang *g, struct tf_value *v)
{
    const LLVMValueRef made = gang_clone(g, v->instruction);

    if (LLVMGetTypeKind(LLVMTypeOf(v->instruction)) != LLVMVoidTypeKind)
        gang_define(g, v, made, NULL);
}

static void make_shuffle(struct gang *g, struct tf_value *v)
{
    if (v->opcode == LLVMShuffleVector)
        gang_shuffle(g, v);
    else
        gang_element(g, v);
}

static void emit(struct gang *g, struct tf_value *v)
{
    switch ((int)gang_form(g, v)) {
    case TF_FORM_NONE:
    case TF_FORM_FREE:
        return;
    case TF_FORM_SCOPE:
        LLVMInsertIntoBuilder(g->b, LLVMInstructionClone(v->instruction));
        return;
    case TF_FORM_ONE:
        make_one(g, v);
        return;
    case TF_FORM_PHI:
        take_phi(g, v);
        return;
    case TF_FORM_VECTOR:
    case TF_FORM_REAL_DIVISION:
    case TF_FORM_LONG_DIVISION:
        make_vector(g, v);
        return;
    case TF_FORM_INTRINSIC:
        gang_elementwise(g, v);
        return;
    case TF_FORM_SHUFFLE:
        make_shuffle(g, v);
        return;
    case TF_FORM_UNROLLED:
        gang_unrolled(g, v);
        return;
    case TF_FORM_LANE_LOOP:
        gang_lane_loop(g, v);
        return;
    case TF_FORM_ONE_ATOMIC:
        gang_one_atomic(g, v);
        return;
    case TF_FORM_SUB_GROUP:
        gang_sub_group(g, v);
        return;
    case TF_FORM_BARRIER:
        gang_barrier(g, v);
        return;
    case TF_FORM_APART:
        gang_run_apart(g);
        return;
    default:
        if (v->opcode == LLVMStore)
            gang_store(g, v);
        else
            gang_load(g, v);
        return;
    }
}

void gang_instruction(struct gang *g, struct tf_value *v)
{
    emit(g, v);
    gang_define_exact(g, v);
    gang_check_assumed(g, v);
}
