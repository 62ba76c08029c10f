// SPDX-License-Identifier: MIT
// OpSpecConstantOp: an instruction on constants. Its own handler runs with the builder in
// a function that is thrown away: LLVM folds constants as it builds.
#include <llvm-c/Core.h>

#include "compiler/spirv/ops/spirv_handlers.h"
#include "compiler/spirv/ops/spirv_operands.h"
#include "compiler/spirv/ops/spirv_table.h"

static const uint16_t allowed[] = {TF_SPV_OP_SConvert,
                                   TF_SPV_OP_FConvert,
                                   TF_SPV_OP_UConvert,
                                   TF_SPV_OP_ConvertPtrToU,
                                   TF_SPV_OP_ConvertUToPtr,
                                   TF_SPV_OP_GenericCastToPtr,
                                   TF_SPV_OP_PtrCastToGeneric,
                                   TF_SPV_OP_Bitcast,
                                   TF_SPV_OP_ConvertFToS,
                                   TF_SPV_OP_ConvertFToU,
                                   TF_SPV_OP_ConvertSToF,
                                   TF_SPV_OP_ConvertUToF,
                                   TF_SPV_OP_SNegate,
                                   TF_SPV_OP_FNegate,
                                   TF_SPV_OP_Not,
                                   TF_SPV_OP_IAdd,
                                   TF_SPV_OP_ISub,
                                   TF_SPV_OP_IMul,
                                   TF_SPV_OP_UDiv,
                                   TF_SPV_OP_SDiv,
                                   TF_SPV_OP_UMod,
                                   TF_SPV_OP_SRem,
                                   TF_SPV_OP_SMod,
                                   TF_SPV_OP_ShiftRightLogical,
                                   TF_SPV_OP_ShiftRightArithmetic,
                                   TF_SPV_OP_ShiftLeftLogical,
                                   TF_SPV_OP_BitwiseOr,
                                   TF_SPV_OP_BitwiseXor,
                                   TF_SPV_OP_BitwiseAnd,
                                   TF_SPV_OP_FAdd,
                                   TF_SPV_OP_FSub,
                                   TF_SPV_OP_FMul,
                                   TF_SPV_OP_FDiv,
                                   TF_SPV_OP_FRem,
                                   TF_SPV_OP_FMod,
                                   TF_SPV_OP_VectorShuffle,
                                   TF_SPV_OP_CompositeExtract,
                                   TF_SPV_OP_CompositeInsert,
                                   TF_SPV_OP_LogicalOr,
                                   TF_SPV_OP_LogicalAnd,
                                   TF_SPV_OP_LogicalNot,
                                   TF_SPV_OP_LogicalEqual,
                                   TF_SPV_OP_LogicalNotEqual,
                                   TF_SPV_OP_Select,
                                   TF_SPV_OP_IEqual,
                                   TF_SPV_OP_INotEqual,
                                   TF_SPV_OP_ULessThan,
                                   TF_SPV_OP_SLessThan,
                                   TF_SPV_OP_UGreaterThan,
                                   TF_SPV_OP_SGreaterThan,
                                   TF_SPV_OP_ULessThanEqual,
                                   TF_SPV_OP_SLessThanEqual,
                                   TF_SPV_OP_UGreaterThanEqual,
                                   TF_SPV_OP_SGreaterThanEqual,
                                   TF_SPV_OP_AccessChain,
                                   TF_SPV_OP_InBoundsAccessChain,
                                   TF_SPV_OP_PtrAccessChain,
                                   TF_SPV_OP_InBoundsPtrAccessChain,
                                   TF_SPV_OP_UntypedAccessChainKHR,
                                   TF_SPV_OP_UntypedInBoundsAccessChainKHR,
                                   TF_SPV_OP_UntypedPtrAccessChainKHR,
                                   TF_SPV_OP_UntypedInBoundsPtrAccessChainKHR};

// ---- Addresses in bytes ----

// The type of the member or element that a constant names; NULL: there is none.
static const struct tf_spv_type *member_of(const struct tf_spv_type *type, uint64_t index)
{
    if (!type || type->kind == TF_SPV_STRUCT)
        return type && index < type->member_count ? type->members[index] : NULL;
    return type->kind == TF_SPV_ARRAY || type->kind == TF_SPV_VECTOR ? type->element
                                                                     : NULL;
}

// Clang 22 writes the address of a part of a variable as zeros and a number of bytes,
// with a pointer to a byte as the result, whatever the variable is. Right is a chain of
// indices that reaches a byte: what does that is read so.
static bool is_in_bytes(struct tf_spv *r)
{
    const struct tf_spv_type *const result = tf_spv_result_type(r);
    const uint32_t op = r->op.opcode, last = r->op.count - 1;
    const bool element =
        op == TF_SPV_OP_PtrAccessChain || op == TF_SPV_OP_InBoundsPtrAccessChain;
    const struct tf_spv_type *type;

    if (!element && op != TF_SPV_OP_AccessChain && op != TF_SPV_OP_InBoundsAccessChain)
        return false;
    type = tf_spv_type_of_value_at(r, 3);
    if (last < 4 || result->kind != TF_SPV_POINTER || !result->element ||
        result->element->kind != TF_SPV_INT || result->element->bits != 8 ||
        type->kind != TF_SPV_POINTER)
        return false;
    type = type->element;
    for (uint32_t at = 4; at <= last; at++) {
        const uint64_t index = tf_spv_constant_at(r, at);

        if (at < last && index != 0)
            return false;
        if (at > 4 || !element)
            type = member_of(type, index);
    }
    return !type || type->llvm != result->element->llvm;
}

static void add_bytes(struct tf_spv *r)
{
    LLVMValueRef bytes = tf_spv_value_at(r, r->op.count - 1);

    tf_spv_set_result(r, LLVMBuildGEP2(r->builder, LLVMInt8TypeInContext(r->context),
                                       tf_spv_value_at(r, 3), &bytes, 1, ""));
}

// ---- The instruction ----

static bool is_allowed(uint32_t opcode)
{
    for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++)
        if (allowed[i] == opcode)
            return true;
    return false;
}

// The instruction with its operands where they would be outside of OpSpecConstantOp.
static const struct tf_spv_info *unwrap(struct tf_spv *r)
{
    const uint32_t opcode = tf_spv_word(r, 3);
    const struct tf_spv_info *const info =
        is_allowed(opcode) ? tf_spv_info(opcode) : NULL;
    uint32_t *const words = TF_SPV_NEW(r, uint32_t, r->op.count - 1);

    tf_spv_need(r, info, "instruction %u is not for constants", opcode);
    tf_spv_need(r, r->op.count - 1 >= info->least_words, "Op%s has too few operands",
                info->name);
    words[0] = (r->op.count - 1) << 16 | opcode;
    words[1] = r->op.words[1];
    words[2] = r->op.words[2];
    for (uint32_t i = 4; i < r->op.count; i++)
        words[i - 1] = r->op.words[i];
    r->op.words = words;
    r->op.count--;
    r->op.opcode = opcode;
    return info;
}

void tf_spv_op_spec_constant_op(struct tf_spv *r)
{
    const struct tf_spv_op whole = r->op;
    const struct tf_spv_info *const info = unwrap(r);
    const LLVMTypeRef type =
        LLVMFunctionType(LLVMVoidTypeInContext(r->context), NULL, 0, false);
    const LLVMValueRef scratch = LLVMAddFunction(r->module, "", type);
    const struct tf_spv_id *const id = tf_spv_id(r, r->op.result);

    LLVMPositionBuilderAtEnd(r->builder,
                             LLVMAppendBasicBlockInContext(r->context, scratch, ""));
    if (is_in_bytes(r))
        add_bytes(r);
    else
        info->handler(r);
    tf_spv_need(r, id->kind == TF_SPV_ID_VALUE && LLVMIsConstant(id->is.value),
                "Op%s of these operands is no constant", info->name);
    r->op = whole;
    LLVMClearInsertionPosition(r->builder);
    LLVMDeleteFunction(scratch);
}
