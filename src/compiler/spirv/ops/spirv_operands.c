// SPDX-License-Identifier: MIT
#include "compiler/spirv/ops/spirv_operands.h"

#include <llvm-c/Core.h>

#include "compiler/spirv/read/spirv_enums.h"

enum { MOST_VALUE_LEAVES = 4096 };

const struct tf_spv_type *tf_spv_int_result(struct tf_spv *r)
{
    const struct tf_spv_type *const type = tf_spv_result_type(r);

    tf_spv_need(r, tf_spv_is_int(type), "the result is not of integers");
    return type;
}

const struct tf_spv_type *tf_spv_float_result(struct tf_spv *r)
{
    const struct tf_spv_type *const type = tf_spv_result_type(r);

    tf_spv_need(r, tf_spv_is_float(type), "the result is not of floating-point numbers");
    return type;
}

const struct tf_spv_type *tf_spv_bool_result(struct tf_spv *r)
{
    const struct tf_spv_type *const type = tf_spv_result_type(r);

    tf_spv_need(r, tf_spv_is_bool(type), "the result is not of booleans");
    return type;
}

LLVMValueRef tf_spv_splat(struct tf_spv *r, const struct tf_spv_type *type,
                          uint64_t number)
{
    const struct tf_spv_type *const scalar = tf_spv_scalar(type);
    LLVMValueRef parts[16] = {NULL};

    for (uint32_t i = 0; i < tf_spv_components(type); i++)
        parts[i] =
            LLVMConstInt(LLVMIntTypeInContext(r->context, scalar->bits), number, false);
    return type->kind == TF_SPV_VECTOR ? LLVMConstVector(parts, (unsigned)type->count)
                                       : parts[0];
}

void tf_spv_check_value(struct tf_spv *r, const struct tf_spv_type *type)
{
    // LLVM takes an aggregate that is a value apart into its scalars.
    tf_spv_need(r, type->sized && type->leaves <= MOST_VALUE_LEAVES,
                "a value of %llu scalars is too large", (unsigned long long)type->leaves);
}

void tf_spv_set_wrapping(struct tf_spv *r, LLVMValueRef value)
{
    const bool no_signed =
        tf_spv_decoration(r, r->op.result, TF_SPV_DECORATION_NO_SIGNED_WRAP);
    const bool no_unsigned =
        tf_spv_decoration(r, r->op.result, TF_SPV_DECORATION_NO_UNSIGNED_WRAP);

    if ((!no_signed && !no_unsigned) || !LLVMIsAInstruction(value))
        return;
    const LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
    if (opcode == LLVMAdd || opcode == LLVMSub || opcode == LLVMMul ||
        opcode == LLVMShl) {
        LLVMSetNSW(value, no_signed);
        LLVMSetNUW(value, no_unsigned);
    }
}

void tf_spv_set_fast_math(struct tf_spv *r, LLVMValueRef value)
{
    static const struct {
        uint32_t spirv;
        unsigned llvm;
    } flags[] = {
        {TF_SPV_FAST_NOT_NAN, LLVMFastMathNoNaNs},
        {TF_SPV_FAST_NOT_INF, LLVMFastMathNoInfs},
        {TF_SPV_FAST_NSZ, LLVMFastMathNoSignedZeros},
        {TF_SPV_FAST_ALLOW_RECIP, LLVMFastMathAllowReciprocal},
        {TF_SPV_FAST_FAST, LLVMFastMathAll},
        {TF_SPV_FAST_ALLOW_CONTRACT, LLVMFastMathAllowContract},
        {TF_SPV_FAST_ALLOW_REASSOC, LLVMFastMathAllowReassoc},
        {TF_SPV_FAST_ALLOW_TRANSFORM,
         LLVMFastMathAllowReassoc | LLVMFastMathAllowContract},
    };
    const struct tf_spv_decoration *const decoration =
        tf_spv_decoration(r, r->op.result, TF_SPV_DECORATION_FP_FAST_MATH_MODE);
    unsigned mask = 0;

    if (!decoration || !LLVMIsAInstruction(value) || !LLVMCanValueUseFastMathFlags(value))
        return;
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (decoration->words[0] & flags[i].spirv)
            mask |= flags[i].llvm;
    LLVMSetFastMathFlags(value, mask);
}
