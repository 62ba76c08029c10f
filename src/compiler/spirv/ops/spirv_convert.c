// SPDX-License-Identifier: MIT
// Conversions. Plain ones are LLVM's instructions, as with Clang; those that round in a
// given way or saturate are OpenCL C's convert_ functions.
#include <stdio.h>
#include <string.h>

#include <llvm-c/Core.h>

#include "compiler/spirv/ops/spirv_handlers.h"
#include "compiler/spirv/ops/spirv_operands.h"
#include "compiler/spirv/read/spirv_calls.h"
#include "compiler/spirv/read/spirv_enums.h"

struct conversion {
    const struct tf_spv_type *from, *to;
    bool from_int, to_int;
    bool from_unsigned, to_unsigned; // integers
    LLVMOpcode plain;
};

static struct conversion conversion_of(struct tf_spv *r)
{
    struct conversion c = {.from = tf_spv_type_of_value_at(r, 3),
                           .to = tf_spv_result_type(r),
                           .plain = LLVMTrunc};
    const bool wider = tf_spv_scalar(c.to)->bits > tf_spv_scalar(c.from)->bits;

    switch (r->op.opcode) {
    case TF_SPV_OP_ConvertFToU:
        c.to_int = c.to_unsigned = true;
        c.plain = LLVMFPToUI;
        break;
    case TF_SPV_OP_ConvertFToS:
        c.to_int = true;
        c.plain = LLVMFPToSI;
        break;
    case TF_SPV_OP_ConvertSToF:
        c.from_int = true;
        c.plain = LLVMSIToFP;
        break;
    case TF_SPV_OP_ConvertUToF:
        c.from_int = c.from_unsigned = true;
        c.plain = LLVMUIToFP;
        break;
    case TF_SPV_OP_FConvert:
        c.plain = wider ? LLVMFPExt : LLVMFPTrunc;
        break;
    default:
        c.from_int = c.to_int = true;
        c.from_unsigned = r->op.opcode == TF_SPV_OP_UConvert ||
                          r->op.opcode == TF_SPV_OP_SatConvertUToS;
        c.to_unsigned = r->op.opcode == TF_SPV_OP_UConvert ||
                        r->op.opcode == TF_SPV_OP_SatConvertSToU;
        c.plain = !wider ? LLVMTrunc : c.from_unsigned ? LLVMZExt : LLVMSExt;
        break;
    }
    tf_spv_need(r, c.from_int ? tf_spv_is_int(c.from) : tf_spv_is_float(c.from),
                "the operand is not of such numbers");
    tf_spv_need(r, c.to_int ? tf_spv_is_int(c.to) : tf_spv_is_float(c.to),
                "the result is not of such numbers");
    tf_spv_need(r, tf_spv_same_shape(c.from, c.to),
                "the result has not as many components as the operand");
    return c;
}

static void add_type(char *name, size_t bytes, const struct conversion *c)
{
    static const char *const ints[2][4] = {{"char", "short", "int", "long"},
                                           {"uchar", "ushort", "uint", "ulong"}};
    const struct tf_spv_type *const scalar = tf_spv_scalar(c->to);
    const unsigned size = scalar->bits == 8    ? 0
                          : scalar->bits == 16 ? 1
                          : scalar->bits == 32 ? 2
                                               : 3;
    const char *const text = c->to_int            ? ints[c->to_unsigned][size]
                             : scalar->bits == 16 ? "half"
                             : scalar->bits == 32 ? "float"
                                                  : "double";

    if (c->to->kind == TF_SPV_VECTOR)
        snprintf(name, bytes, "convert_%s%u", text, tf_spv_components(c->to));
    else
        snprintf(name, bytes, "convert_%s", text);
}

// With a rounding, saturation, or both.
static LLVMValueRef call_convert(struct tf_spv *r, const struct conversion *c,
                                 bool saturate, const struct tf_spv_decoration *rounding)
{
    static const char *const modes[] = {[TF_SPV_ROUND_RTE] = "_rte",
                                        [TF_SPV_ROUND_RTZ] = "_rtz",
                                        [TF_SPV_ROUND_RTP] = "_rtp",
                                        [TF_SPV_ROUND_RTN] = "_rtn"};
    const struct tf_spv_arg arg = {
        .value = tf_spv_value_at(r, 3), .type = c->from, .is_unsigned = c->from_unsigned};
    char name[64];

    tf_spv_need(r, !rounding || rounding->words[0] <= TF_SPV_ROUND_RTN,
                "rounding mode %u is unknown", rounding ? rounding->words[0] : 0);
    add_type(name, sizeof name, c);
    if (saturate && c->to_int)
        strcat(name, "_sat");
    if (rounding)
        strcat(name, modes[rounding->words[0]]);
    return tf_spv_call(r, name, c->to->llvm, &arg, 1);
}

void tf_spv_op_convert(struct tf_spv *r)
{
    const struct conversion c = conversion_of(r);
    const bool saturate =
        r->op.opcode == TF_SPV_OP_SatConvertSToU ||
        r->op.opcode == TF_SPV_OP_SatConvertUToS ||
        tf_spv_decoration(r, r->op.result, TF_SPV_DECORATION_SATURATED_CONVERSION);
    const struct tf_spv_decoration *const rounding =
        tf_spv_decoration(r, r->op.result, TF_SPV_DECORATION_FP_ROUNDING_MODE);
    const LLVMValueRef value = tf_spv_value_at(r, 3);

    if ((saturate && c.to_int) || (rounding && !(c.from_int && c.to_int)))
        tf_spv_set_result(r, call_convert(r, &c, saturate, rounding));
    else if (c.from->llvm == c.to->llvm)
        tf_spv_set_result(r, value);
    else
        tf_spv_set_result(r, LLVMBuildCast(r->builder, c.plain, value, c.to->llvm, ""));
}

// 0: has no bits of its own. LLVM's optimizer makes integers of vectors of truth values,
// with a bit for each, and llvm-spirv writes them so.
static uint64_t bits_of(const struct tf_spv_type *type)
{
    if (type->kind == TF_SPV_POINTER)
        return 64;
    if (tf_spv_is_bool(type) && type->kind == TF_SPV_VECTOR)
        return tf_spv_components(type);
    return tf_spv_is_int(type) || tf_spv_is_float(type)
               ? (uint64_t)tf_spv_scalar(type)->bits * tf_spv_components(type)
               : 0;
}

void tf_spv_op_bitcast(struct tf_spv *r)
{
    const struct tf_spv_type *const to = tf_spv_result_type(r);
    const struct tf_spv_type *const from = tf_spv_type_of_value_at(r, 3);
    const LLVMTypeRef i64 = LLVMInt64TypeInContext(r->context);
    LLVMValueRef value = tf_spv_value_at(r, 3);

    tf_spv_need(r, bits_of(from) && bits_of(from) == bits_of(to),
                "the types are no numbers or pointers of equal size");
    if (from->kind == TF_SPV_POINTER && to->kind == TF_SPV_POINTER) {
        tf_spv_need(r, from->llvm == to->llvm, "the pointers are to different memory");
        tf_spv_set_result(r, value);
        return;
    }
    if (from->kind == TF_SPV_POINTER)
        value = LLVMBuildPtrToInt(r->builder, value, i64, "");
    if (to->kind == TF_SPV_POINTER)
        value = LLVMBuildIntToPtr(
            r->builder, LLVMBuildBitCast(r->builder, value, i64, ""), to->llvm, "");
    else
        value = LLVMBuildBitCast(r->builder, value, to->llvm, "");
    tf_spv_set_result(r, value);
}
