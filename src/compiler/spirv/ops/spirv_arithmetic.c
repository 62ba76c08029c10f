// SPDX-License-Identifier: MIT
// Arithmetic on numbers and vectors of them.
#include <string.h>

#include <llvm-c/Core.h>

#include "compiler/spirv/ops/spirv_handlers.h"
#include "compiler/spirv/ops/spirv_operands.h"
#include "compiler/spirv/read/spirv_calls.h"
#include "compiler/spirv/read/spirv_enums.h"

// A remainder that has the other operand's sign.
static LLVMValueRef signed_modulo(struct tf_spv *r, LLVMValueRef a, LLVMValueRef b)
{
    const LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(a));
    const LLVMValueRef rest = LLVMBuildSRem(r->builder, a, b, "");
    const LLVMValueRef differ = LLVMBuildICmp(
        r->builder, LLVMIntSLT, LLVMBuildXor(r->builder, rest, b, ""), zero, "");
    const LLVMValueRef wrong = LLVMBuildAnd(
        r->builder, differ, LLVMBuildICmp(r->builder, LLVMIntNE, rest, zero, ""), "");

    return LLVMBuildSelect(r->builder, wrong, LLVMBuildAdd(r->builder, rest, b, ""), rest,
                           "");
}

static LLVMOpcode opcode_of(uint32_t opcode)
{
    switch (opcode) {
    case TF_SPV_OP_IAdd:
        return LLVMAdd;
    case TF_SPV_OP_ISub:
        return LLVMSub;
    case TF_SPV_OP_IMul:
        return LLVMMul;
    case TF_SPV_OP_UDiv:
        return LLVMUDiv;
    case TF_SPV_OP_SDiv:
        return LLVMSDiv;
    case TF_SPV_OP_UMod:
        return LLVMURem;
    case TF_SPV_OP_SRem:
        return LLVMSRem;
    case TF_SPV_OP_ShiftRightLogical:
        return LLVMLShr;
    case TF_SPV_OP_ShiftRightArithmetic:
        return LLVMAShr;
    case TF_SPV_OP_ShiftLeftLogical:
        return LLVMShl;
    case TF_SPV_OP_BitwiseOr:
        return LLVMOr;
    case TF_SPV_OP_BitwiseXor:
        return LLVMXor;
    case TF_SPV_OP_FAdd:
        return LLVMFAdd;
    case TF_SPV_OP_FSub:
        return LLVMFSub;
    case TF_SPV_OP_FMul:
        return LLVMFMul;
    case TF_SPV_OP_FDiv:
        return LLVMFDiv;
    default:
        return LLVMAnd;
    }
}

// How far to shift, of the type of what is shifted. OpenCL C takes the number modulo the
// width; SPIR-V leaves that open.
static LLVMValueRef shift_at(struct tf_spv *r, uint32_t at,
                             const struct tf_spv_type *type)
{
    const struct tf_spv_type *const given = tf_spv_type_of_value_at(r, at);
    LLVMValueRef shift = tf_spv_value_at(r, at);

    tf_spv_need(r, tf_spv_is_int(given) && tf_spv_same_shape(given, type),
                "the shift is no integer of the same shape");
    if (tf_spv_scalar(given)->bits > tf_spv_scalar(type)->bits)
        shift = LLVMBuildTrunc(r->builder, shift, type->llvm, "");
    else if (tf_spv_scalar(given)->bits < tf_spv_scalar(type)->bits)
        shift = LLVMBuildZExt(r->builder, shift, type->llvm, "");
    if (!tf_spv_is_plain(type))
        return shift;
    return LLVMBuildAnd(r->builder, shift,
                        tf_spv_splat(r, type, tf_spv_scalar(type)->bits - 1), "");
}

// LLVM's back end (22) leaves out that an operand of OpBitwiseAnd is narrowed.
static LLVMValueRef low_bits_at(struct tf_spv *r, uint32_t at,
                                const struct tf_spv_type *type)
{
    const struct tf_spv_type *const given = tf_spv_type_of_value_at(r, at);

    if (r->op.opcode == TF_SPV_OP_BitwiseAnd && tf_spv_is_int(given) &&
        tf_spv_same_shape(given, type) &&
        tf_spv_scalar(given)->bits > tf_spv_scalar(type)->bits)
        return LLVMBuildTrunc(r->builder, tf_spv_value_at(r, at), type->llvm, "");
    return tf_spv_value_of(r, at, type->llvm);
}

void tf_spv_op_binary_int(struct tf_spv *r)
{
    const struct tf_spv_type *const type = tf_spv_int_result(r);
    const LLVMValueRef a = low_bits_at(r, 3, type);
    const bool shift = r->op.opcode == TF_SPV_OP_ShiftRightLogical ||
                       r->op.opcode == TF_SPV_OP_ShiftRightArithmetic ||
                       r->op.opcode == TF_SPV_OP_ShiftLeftLogical;
    const LLVMValueRef b = shift ? shift_at(r, 4, type) : low_bits_at(r, 4, type);

    if (r->op.opcode == TF_SPV_OP_SMod) {
        tf_spv_set_result(r, signed_modulo(r, a, b));
        return;
    }
    const LLVMValueRef value =
        LLVMBuildBinOp(r->builder, opcode_of(r->op.opcode), a, b, "");
    tf_spv_set_wrapping(r, value);
    tf_spv_set_result(r, value);
}

// Of constants it is one: OpSpecConstantOp.
static LLVMValueRef call_fmod(struct tf_spv *r, const struct tf_spv_type *type,
                              LLVMValueRef a, LLVMValueRef b)
{
    const struct tf_spv_arg args[2] = {{.value = a, .type = type},
                                       {.value = b, .type = type}};

    if (LLVMIsConstant(a) && LLVMIsConstant(b))
        return LLVMBuildFRem(r->builder, a, b, "");
    return tf_spv_call(r, "fmod", type->llvm, args, 2);
}

static LLVMValueRef float_modulo(struct tf_spv *r, const struct tf_spv_type *type,
                                 LLVMValueRef a, LLVMValueRef b)
{
    const LLVMValueRef zero = LLVMConstNull(type->llvm);
    const LLVMValueRef rest = call_fmod(r, type, a, b);
    const LLVMValueRef below = LLVMBuildFCmp(r->builder, LLVMRealOLT, rest, zero, "");
    const LLVMValueRef above = LLVMBuildFCmp(r->builder, LLVMRealOGT, rest, zero, "");
    const LLVMValueRef wrong =
        LLVMBuildOr(r->builder,
                    LLVMBuildAnd(r->builder, below,
                                 LLVMBuildFCmp(r->builder, LLVMRealOGT, b, zero, ""), ""),
                    LLVMBuildAnd(r->builder, above,
                                 LLVMBuildFCmp(r->builder, LLVMRealOLT, b, zero, ""), ""),
                    "");

    return LLVMBuildSelect(r->builder, wrong, LLVMBuildFAdd(r->builder, rest, b, ""),
                           rest, "");
}

void tf_spv_op_binary_float(struct tf_spv *r)
{
    const struct tf_spv_type *const type = tf_spv_float_result(r);
    const LLVMValueRef a = tf_spv_value_of(r, 3, type->llvm);
    const LLVMValueRef b = tf_spv_value_of(r, 4, type->llvm);
    LLVMValueRef value;

    if (r->op.opcode == TF_SPV_OP_FRem)
        value = call_fmod(r, type, a, b);
    else if (r->op.opcode == TF_SPV_OP_FMod)
        value = float_modulo(r, type, a, b);
    else
        value = LLVMBuildBinOp(r->builder, opcode_of(r->op.opcode), a, b, "");
    tf_spv_set_fast_math(r, value);
    tf_spv_set_result(r, value);
}

void tf_spv_op_unary(struct tf_spv *r)
{
    const bool is_float = r->op.opcode == TF_SPV_OP_FNegate;
    const struct tf_spv_type *const type =
        is_float ? tf_spv_float_result(r) : tf_spv_int_result(r);
    const LLVMValueRef a = tf_spv_value_of(r, 3, type->llvm);
    LLVMValueRef value;

    if (is_float) {
        value = LLVMBuildFNeg(r->builder, a, "");
        tf_spv_set_fast_math(r, value);
    } else if (r->op.opcode == TF_SPV_OP_SNegate) {
        value = LLVMBuildSub(r->builder, LLVMConstNull(type->llvm), a, "");
        tf_spv_set_wrapping(r, value);
    } else {
        value = LLVMBuildNot(r->builder, a, "");
    }
    tf_spv_set_result(r, value);
}

void tf_spv_op_vector_times_scalar(struct tf_spv *r)
{
    const struct tf_spv_type *const type = tf_spv_float_result(r);
    const LLVMTypeRef i32 = LLVMInt32TypeInContext(r->context);
    LLVMValueRef splat = LLVMGetPoison(type->llvm);

    tf_spv_need(r, type->kind == TF_SPV_VECTOR, "the result is no vector");
    const LLVMValueRef vector = tf_spv_value_of(r, 3, type->llvm);
    const LLVMValueRef scalar = tf_spv_value_of(r, 4, type->element->llvm);
    for (uint32_t i = 0; i < type->count; i++)
        splat = LLVMBuildInsertElement(r->builder, splat, scalar,
                                       LLVMConstInt(i32, i, false), "");
    const LLVMValueRef value = LLVMBuildFMul(r->builder, vector, splat, "");
    tf_spv_set_fast_math(r, value);
    tf_spv_set_result(r, value);
}

// As OpenCL C's dot, which has up to four components; more are added up in order.
void tf_spv_op_dot(struct tf_spv *r)
{
    const struct tf_spv_type *const type = tf_spv_type_of_value_at(r, 3);
    const LLVMTypeRef i32 = LLVMInt32TypeInContext(r->context);
    const LLVMValueRef a = tf_spv_value_at(r, 3);
    LLVMValueRef sum = NULL;

    tf_spv_need(r, type->kind == TF_SPV_VECTOR && tf_spv_is_float(type),
                "the operands are vectors of floating-point numbers");
    tf_spv_need(r, type->element->llvm == tf_spv_result_type(r)->llvm,
                "the result is no component of them");
    const LLVMValueRef b = tf_spv_value_of(r, 4, type->llvm);
    const struct tf_spv_arg args[2] = {{.value = a, .type = type},
                                       {.value = b, .type = type}};
    if (type->count <= 4) {
        tf_spv_set_result(r, tf_spv_call(r, "dot", type->element->llvm, args, 2));
        return;
    }
    const LLVMValueRef product = LLVMBuildFMul(r->builder, a, b, "");
    tf_spv_set_fast_math(r, product);
    for (uint32_t i = 0; i < type->count; i++) {
        const LLVMValueRef part =
            LLVMBuildExtractElement(r->builder, product, LLVMConstInt(i32, i, false), "");

        sum = sum ? LLVMBuildFAdd(r->builder, sum, part, "") : part;
        tf_spv_set_fast_math(r, sum);
    }
    tf_spv_set_result(r, sum);
}

// A struct of two: the number, and what does not fit into it.
void tf_spv_op_carry(struct tf_spv *r)
{
    const struct tf_spv_type *const result = tf_spv_result_type(r);

    tf_spv_need(r,
                result->kind == TF_SPV_STRUCT && result->member_count == 2 &&
                    tf_spv_is_int(result->members[0]) &&
                    result->members[0]->llvm == result->members[1]->llvm,
                "the result is no struct of two equal integers");
    const struct tf_spv_type *const type = result->members[0];
    const LLVMValueRef a = tf_spv_value_of(r, 3, type->llvm);
    const LLVMValueRef b = tf_spv_value_of(r, 4, type->llvm);
    const bool is_unsigned = r->op.opcode == TF_SPV_OP_UMulExtended;
    const struct tf_spv_arg args[2] = {
        {.value = a, .type = type, .is_unsigned = is_unsigned},
        {.value = b, .type = type, .is_unsigned = is_unsigned}};
    LLVMValueRef low, high;
    if (r->op.opcode == TF_SPV_OP_IAddCarry) {
        low = LLVMBuildAdd(r->builder, a, b, "");
        high =
            LLVMBuildZExt(r->builder, LLVMBuildICmp(r->builder, LLVMIntULT, low, a, ""),
                          type->llvm, "");
    } else if (r->op.opcode == TF_SPV_OP_ISubBorrow) {
        low = LLVMBuildSub(r->builder, a, b, "");
        high = LLVMBuildZExt(r->builder, LLVMBuildICmp(r->builder, LLVMIntULT, a, b, ""),
                             type->llvm, "");
    } else {
        low = LLVMBuildMul(r->builder, a, b, "");
        high = tf_spv_call(r, "mul_hi", type->llvm, args, 2);
    }
    const LLVMValueRef half =
        LLVMBuildInsertValue(r->builder, LLVMGetPoison(result->llvm), low, 0, "");
    tf_spv_set_result(r, LLVMBuildInsertValue(r->builder, half, high, 1, ""));
}
