// SPDX-License-Identifier: MIT
// Comparisons, logic, selection.
#include <stdio.h>

#include <llvm-c/Core.h>

#include "compiler/spirv/ops/spirv_handlers.h"
#include "compiler/spirv/ops/spirv_operands.h"
#include "compiler/spirv/read/spirv_calls.h"

enum { MOST_SELECTED_LEAVES = 4096 };

// Result: booleans of the operand's shape.
static const struct tf_spv_type *compared(struct tf_spv *r)
{
    const struct tf_spv_type *const result = tf_spv_bool_result(r);
    const struct tf_spv_type *const type = tf_spv_type_of_value_at(r, 3);

    tf_spv_need(r, tf_spv_same_shape(result, type),
                "the result has not as many components as the operands");
    return type;
}

static LLVMIntPredicate int_predicate(uint32_t opcode)
{
    switch (opcode) {
    case TF_SPV_OP_IEqual:
        return LLVMIntEQ;
    case TF_SPV_OP_INotEqual:
        return LLVMIntNE;
    case TF_SPV_OP_UGreaterThan:
        return LLVMIntUGT;
    case TF_SPV_OP_SGreaterThan:
        return LLVMIntSGT;
    case TF_SPV_OP_UGreaterThanEqual:
        return LLVMIntUGE;
    case TF_SPV_OP_SGreaterThanEqual:
        return LLVMIntSGE;
    case TF_SPV_OP_ULessThan:
        return LLVMIntULT;
    case TF_SPV_OP_SLessThan:
        return LLVMIntSLT;
    case TF_SPV_OP_ULessThanEqual:
        return LLVMIntULE;
    default:
        return LLVMIntSLE;
    }
}

void tf_spv_op_compare_int(struct tf_spv *r)
{
    const struct tf_spv_type *const type = compared(r);

    tf_spv_need(r, tf_spv_is_int(type), "the operands are no integers");
    tf_spv_set_result(r, LLVMBuildICmp(r->builder, int_predicate(r->op.opcode),
                                       tf_spv_value_at(r, 3),
                                       tf_spv_value_of(r, 4, type->llvm), ""));
}

static LLVMRealPredicate float_predicate(uint32_t opcode)
{
    switch (opcode) {
    case TF_SPV_OP_FOrdEqual:
        return LLVMRealOEQ;
    case TF_SPV_OP_FUnordEqual:
        return LLVMRealUEQ;
    case TF_SPV_OP_FOrdNotEqual:
    case TF_SPV_OP_LessOrGreater:
        return LLVMRealONE;
    case TF_SPV_OP_FUnordNotEqual:
        return LLVMRealUNE;
    case TF_SPV_OP_FOrdLessThan:
        return LLVMRealOLT;
    case TF_SPV_OP_FUnordLessThan:
        return LLVMRealULT;
    case TF_SPV_OP_FOrdGreaterThan:
        return LLVMRealOGT;
    case TF_SPV_OP_FUnordGreaterThan:
        return LLVMRealUGT;
    case TF_SPV_OP_FOrdLessThanEqual:
        return LLVMRealOLE;
    case TF_SPV_OP_FUnordLessThanEqual:
        return LLVMRealULE;
    case TF_SPV_OP_FOrdGreaterThanEqual:
        return LLVMRealOGE;
    case TF_SPV_OP_FUnordGreaterThanEqual:
        return LLVMRealUGE;
    case TF_SPV_OP_Ordered:
        return LLVMRealORD;
    default: // OpUnordered, OpIsNan
        return LLVMRealUNO;
    }
}

void tf_spv_op_compare_float(struct tf_spv *r)
{
    const struct tf_spv_type *const type = compared(r);
    const bool one = r->op.opcode == TF_SPV_OP_IsNan;

    tf_spv_need(r, tf_spv_is_float(type), "the operands are no floating-point numbers");
    const LLVMValueRef a = tf_spv_value_at(r, 3);
    const LLVMValueRef value =
        LLVMBuildFCmp(r->builder, float_predicate(r->op.opcode), a,
                      one ? a : tf_spv_value_of(r, 4, type->llvm), "");
    tf_spv_set_fast_math(r, value);
    tf_spv_set_result(r, value);
}

// By the bits of the exponent: no rounding, no flags.
void tf_spv_op_classify(struct tf_spv *r)
{
    const struct tf_spv_type *const type = compared(r);

    tf_spv_need(r, tf_spv_is_float(type), "the operand is no floating-point number");
    const uint32_t bits = tf_spv_scalar(type)->bits;
    const uint32_t fraction = bits == 16 ? 10 : bits == 32 ? 23 : 52;
    const uint64_t top = ((uint64_t)1 << (bits - 1)) - ((uint64_t)1 << fraction);
    const LLVMValueRef exponents = tf_spv_splat(r, type, top);
    const LLVMTypeRef integers = LLVMTypeOf(exponents);
    const LLVMValueRef number =
        LLVMBuildBitCast(r->builder, tf_spv_value_at(r, 3), integers, "");
    const LLVMValueRef exponent = LLVMBuildAnd(r->builder, number, exponents, "");
    const LLVMValueRef zero = LLVMConstNull(integers);
    LLVMValueRef value;
    switch (r->op.opcode) {
    case TF_SPV_OP_IsInf:
        value = LLVMBuildICmp(
            r->builder, LLVMIntEQ,
            LLVMBuildShl(r->builder, number, tf_spv_splat(r, type, 1), ""),
            tf_spv_splat(r, type,
                         top << 1 &
                             (bits == 64 ? ~(uint64_t)0 : ((uint64_t)1 << bits) - 1)),
            "");
        break;
    case TF_SPV_OP_IsFinite:
        value = LLVMBuildICmp(r->builder, LLVMIntNE, exponent, exponents, "");
        break;
    case TF_SPV_OP_IsNormal:
        value = LLVMBuildAnd(
            r->builder, LLVMBuildICmp(r->builder, LLVMIntNE, exponent, exponents, ""),
            LLVMBuildICmp(r->builder, LLVMIntNE, exponent, zero, ""), "");
        break;
    default: // OpSignBitSet
        value = LLVMBuildICmp(r->builder, LLVMIntSLT, number, zero, "");
        break;
    }
    tf_spv_set_result(r, value);
}

void tf_spv_op_logical(struct tf_spv *r)
{
    const struct tf_spv_type *const type = tf_spv_bool_result(r);
    const LLVMValueRef a = tf_spv_value_of(r, 3, type->llvm);
    LLVMValueRef value;

    if (r->op.opcode == TF_SPV_OP_LogicalNot) {
        tf_spv_set_result(r, LLVMBuildNot(r->builder, a, ""));
        return;
    }
    const LLVMValueRef b = tf_spv_value_of(r, 4, type->llvm);
    switch (r->op.opcode) {
    case TF_SPV_OP_LogicalEqual:
        value = LLVMBuildICmp(r->builder, LLVMIntEQ, a, b, "");
        break;
    case TF_SPV_OP_LogicalNotEqual:
        value = LLVMBuildXor(r->builder, a, b, "");
        break;
    case TF_SPV_OP_LogicalOr:
        value = LLVMBuildOr(r->builder, a, b, "");
        break;
    default:
        value = LLVMBuildAnd(r->builder, a, b, "");
        break;
    }
    tf_spv_set_result(r, value);
}

// Of booleans. LLVM's back end lets integers stand for them, as OpenCL C does: by the
// sign, a single one for a vector of one.
static LLVMValueRef booleans_at(struct tf_spv *r, uint32_t at)
{
    const struct tf_spv_type *const type = tf_spv_type_of_value_at(r, at);
    const LLVMValueRef value = tf_spv_value_at(r, at);

    tf_spv_need(
        r, tf_spv_is_int(type) || (type->kind == TF_SPV_VECTOR && tf_spv_is_bool(type)),
        "the operand is no vector of booleans");
    return tf_spv_is_bool(type) ? value
                                : LLVMBuildICmp(r->builder, LLVMIntSLT, value,
                                                LLVMConstNull(type->llvm), "");
}

void tf_spv_op_any_all(struct tf_spv *r)
{
    const LLVMValueRef vector = booleans_at(r, 3);
    const LLVMTypeRef i32 = LLVMInt32TypeInContext(r->context);
    const struct tf_spv_type *const type = tf_spv_type_of_value_at(r, 3);
    const bool is_vector = type->kind == TF_SPV_VECTOR;
    LLVMValueRef value = is_vector ? NULL : vector;

    tf_spv_need(r, tf_spv_bool_result(r)->kind == TF_SPV_BOOL, "the result is a vector");
    for (uint32_t i = 0; is_vector && i < type->count; i++) {
        const LLVMValueRef part =
            LLVMBuildExtractElement(r->builder, vector, LLVMConstInt(i32, i, false), "");

        if (!value)
            value = part;
        else if (r->op.opcode == TF_SPV_OP_Any)
            value = LLVMBuildOr(r->builder, value, part, "");
        else
            value = LLVMBuildAnd(r->builder, value, part, "");
    }
    tf_spv_set_result(r, value);
}

void tf_spv_op_select(struct tf_spv *r)
{
    const struct tf_spv_type *const type = tf_spv_result_type(r);
    const struct tf_spv_type *const condition = tf_spv_type_of_value_at(r, 3);

    tf_spv_need(r, tf_spv_is_bool(condition), "the condition is no boolean");
    tf_spv_need(r, condition->kind != TF_SPV_VECTOR || tf_spv_same_shape(condition, type),
                "the condition has not as many components as the result");
    tf_spv_need(r, type->sized && type->leaves <= MOST_SELECTED_LEAVES,
                "values of this type cannot be selected");
    const LLVMValueRef value = LLVMBuildSelect(r->builder, tf_spv_value_at(r, 3),
                                               tf_spv_value_of(r, 4, type->llvm),
                                               tf_spv_value_of(r, 5, type->llvm), "");
    tf_spv_set_fast_math(r, value);
    tf_spv_set_result(r, value);
}

void tf_spv_op_expect(struct tf_spv *r)
{
    const struct tf_spv_type *const type = tf_spv_result_type(r);
    LLVMValueRef args[2] = {tf_spv_value_of(r, 3, type->llvm),
                            tf_spv_value_of(r, 4, type->llvm)};
    char name[32];

    tf_spv_need(r, tf_spv_is_int(type) || tf_spv_is_bool(type),
                "the values are no integers or booleans");
    if (type->kind == TF_SPV_VECTOR) {
        tf_spv_set_result(r, args[0]);
        return;
    }
    snprintf(name, sizeof name, "llvm.expect.i%u",
             type->kind == TF_SPV_BOOL ? 1 : type->bits);
    tf_spv_set_result(r, tf_spv_call_symbol(r, name, type->llvm, args, 2));
}

void tf_spv_op_assume(struct tf_spv *r)
{
    const LLVMValueRef condition =
        tf_spv_value_of(r, 1, LLVMInt1TypeInContext(r->context));

    (void)tf_spv_call_symbol(r, "llvm.assume", LLVMVoidTypeInContext(r->context),
                             &condition, 1);
}
