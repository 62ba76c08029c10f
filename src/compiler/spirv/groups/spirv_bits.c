// SPDX-License-Identifier: MIT
// Bit fields (SPV_KHR_bit_instructions), dot products of integers
// (SPV_KHR_integer_dot_product), bfloat16, sigmoid, clocks (SPV_KHR_shader_clock).
#include <stdio.h>

#include <llvm-c/Core.h>

#include "compiler/spirv/groups/spirv_group_handlers.h"
#include "compiler/spirv/groups/spirv_group_util.h"
#include "compiler/spirv/read/spirv_enums.h"

enum { FORMAT_4X8 = 0, PACKED_BITS = 32, PACKED_COUNT = 4, NAME_BYTES = 48 };

// ---- Bit fields ----

// The value at `at`, of the result's type.
static struct tf_spv_arg base_at(struct tf_spv *r, uint32_t at, bool is_unsigned)
{
    const struct tf_spv_type *const type = tf_spv_result_type(r);

    tf_spv_need(r, tf_spv_is_int(type), "the result is no integer");
    return (struct tf_spv_arg){.value = tf_spv_value_of(r, at, type->llvm),
                               .type = type,
                               .is_unsigned = is_unsigned};
}

void tf_spv_op_bit_insert(struct tf_spv *r)
{
    const struct tf_spv_arg args[] = {base_at(r, 3, true), base_at(r, 4, true),
                                      tf_spv_group_uint(r, 5), tf_spv_group_uint(r, 6)};

    tf_spv_set_result(
        r, tf_spv_call(r, "bitfield_insert", tf_spv_result_type(r)->llvm, args, 4));
}

void tf_spv_op_bit_extract(struct tf_spv *r)
{
    const bool is_signed = r->op.opcode == TF_SPV_OP_BitFieldSExtract;
    const struct tf_spv_arg args[] = {base_at(r, 3, !is_signed), tf_spv_group_uint(r, 4),
                                      tf_spv_group_uint(r, 5)};

    tf_spv_set_result(r, tf_spv_call(r,
                                     is_signed ? "bitfield_extract_signed"
                                               : "bitfield_extract_unsigned",
                                     tf_spv_result_type(r)->llvm, args, 3));
}

void tf_spv_op_bit_reverse(struct tf_spv *r)
{
    const struct tf_spv_arg arg = base_at(r, 3, true);

    tf_spv_set_result(
        r, tf_spv_call(r, "bit_reverse", tf_spv_result_type(r)->llvm, &arg, 1));
}

// An integer of a width that OpenCL C does not have, as the next wider one of its own;
// `type` becomes that one's. Others stay.
static struct tf_spv_arg widened(struct tf_spv *r, struct tf_spv_arg arg,
                                 struct tf_spv_type *type)
{
    const uint32_t bits = arg.type->bits;

    *type = *arg.type;
    type->bits = bits <= 8 ? 8 : bits <= 16 ? 16 : bits <= 32 ? 32 : 64;
    if (arg.type->kind != TF_SPV_INT || bits >= type->bits)
        return arg;
    type->llvm = LLVMIntTypeInContext(r->context, type->bits);
    arg.value = LLVMBuildZExt(r->builder, arg.value, type->llvm, "");
    arg.type = type;
    return arg;
}

// The result may be of another width.
void tf_spv_op_bit_count(struct tf_spv *r)
{
    const struct tf_spv_type *const type = tf_spv_result_type(r);
    const struct tf_spv_arg arg = tf_spv_group_arg(r, 3, true);

    tf_spv_need(r,
                tf_spv_is_int(arg.type) && tf_spv_is_int(type) &&
                    tf_spv_same_shape(arg.type, type),
                "the operand has another type");
    struct tf_spv_type type_of_wide;
    const struct tf_spv_arg wide = widened(r, arg, &type_of_wide);
    const LLVMValueRef count = tf_spv_call(r, "popcount", wide.type->llvm, &wide, 1);
    tf_spv_set_result(r, LLVMBuildIntCast2(r->builder, count, type->llvm, false, ""));
}

// ---- Dot products ----

// The vector at `at`: as it is, or four bytes of an integer; `*n` its components.
static LLVMValueRef vector_at(struct tf_spv *r, uint32_t at, uint32_t format_at,
                              uint32_t *n, uint32_t *bits)
{
    const struct tf_spv_type *const type = tf_spv_type_of_value_at(r, at);
    const LLVMValueRef value = tf_spv_value_at(r, at);

    tf_spv_need(r, tf_spv_is_int(type), "operands are vectors of integers");
    if (type->kind == TF_SPV_VECTOR) {
        *n = tf_spv_components(type);
        *bits = tf_spv_scalar(type)->bits;
        return value;
    }
    tf_spv_need(r,
                type->bits == PACKED_BITS && tf_spv_has_word(r, format_at) &&
                    tf_spv_word(r, format_at) == FORMAT_4X8,
                "an integer needs the packed format of four bytes");
    *n = PACKED_COUNT;
    *bits = PACKED_BITS / PACKED_COUNT;
    return LLVMBuildBitCast(
        r->builder, value,
        LLVMVectorType(LLVMInt8TypeInContext(r->context), PACKED_COUNT), "");
}

static LLVMValueRef dot(struct tf_spv *r, uint32_t format_at, bool signed_1,
                        bool signed_2)
{
    const struct tf_spv_type *const type = tf_spv_result_type(r);
    uint32_t n, n2, bits, bits2;
    const LLVMValueRef a = vector_at(r, 3, format_at, &n, &bits);
    const LLVMValueRef b = vector_at(r, 4, format_at, &n2, &bits2);

    tf_spv_need(r, n == n2 && bits == bits2, "the vectors have different types");
    tf_spv_need(r, type->kind == TF_SPV_INT && type->bits >= bits,
                "the result is an integer at least as wide as the components");
    const LLVMTypeRef wide = LLVMVectorType(type->llvm, n);
    const LLVMValueRef products =
        LLVMBuildMul(r->builder, LLVMBuildIntCast2(r->builder, a, wide, signed_1, ""),
                     LLVMBuildIntCast2(r->builder, b, wide, signed_2, ""), "");
    LLVMValueRef sum = NULL;
    for (uint32_t i = 0; i < n; i++) {
        const LLVMValueRef one = LLVMBuildExtractElement(
            r->builder, products,
            LLVMConstInt(LLVMInt32TypeInContext(r->context), i, false), "");

        sum = sum ? LLVMBuildAdd(r->builder, sum, one, "") : one;
    }
    return sum;
}

void tf_spv_op_integer_dot(struct tf_spv *r)
{
    const uint32_t op = r->op.opcode;

    tf_spv_set_result(r, dot(r, 5, op != TF_SPV_OP_UDot, op == TF_SPV_OP_SDot));
}

void tf_spv_op_integer_dot_saturating(struct tf_spv *r)
{
    const uint32_t op = r->op.opcode;
    const bool is_unsigned = op == TF_SPV_OP_UDotAccSat;
    const struct tf_spv_type *const type = tf_spv_result_type(r);
    LLVMValueRef args[] = {
        dot(r, 6, !is_unsigned, op == TF_SPV_OP_SDotAccSat),
        tf_spv_value_of(r, 5, type->llvm),
    };
    char name[NAME_BYTES];

    snprintf(name, sizeof name, "llvm.%cadd.sat.i%u", is_unsigned ? 'u' : 's',
             type->bits);
    tf_spv_set_result(r, tf_spv_call_symbol(r, name, type->llvm, args, 2));
}

// ---- bfloat16 (SPV_INTEL_bfloat16_conversion), as integers of 16 bits ----

static void check_bfloat(struct tf_spv *r, const struct tf_spv_type *real,
                         const struct tf_spv_type *bits)
{
    tf_spv_need(r,
                tf_spv_is_float(real) && tf_spv_scalar(real)->bits == 32 &&
                    tf_spv_is_int(bits) && tf_spv_scalar(bits)->bits == 16 &&
                    tf_spv_components(real) == tf_spv_components(bits),
                "the types are not float and 16 bits");
}

// A constant of i32, or of a vector like `type` of them.
static LLVMValueRef word_like(LLVMTypeRef type, uint32_t value)
{
    LLVMValueRef parts[16];

    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind)
        return LLVMConstInt(type, value, false);
    for (unsigned i = 0; i < LLVMGetVectorSize(type); i++)
        parts[i] = LLVMConstInt(LLVMGetElementType(type), value, false);
    return LLVMConstVector(parts, LLVMGetVectorSize(type));
}

// i32, as many as the type has components.
static LLVMTypeRef words_of(struct tf_spv *r, const struct tf_spv_type *type)
{
    const LLVMTypeRef i32 = LLVMInt32TypeInContext(r->context);

    return type->kind == TF_SPV_VECTOR ? LLVMVectorType(i32, tf_spv_components(type))
                                       : i32;
}

// To the nearest, ties to even; a NaN becomes a quiet one.
void tf_spv_op_to_bfloat(struct tf_spv *r)
{
    const struct tf_spv_type *const type = tf_spv_result_type(r);
    const LLVMValueRef value = tf_spv_value_at(r, 3);
    const LLVMBuilderRef b = r->builder;

    check_bfloat(r, tf_spv_type_of_value_at(r, 3), type);
    const LLVMTypeRef words = words_of(r, type);
    const LLVMValueRef bits = LLVMBuildBitCast(b, value, words, "");
    const LLVMValueRef high = LLVMBuildLShr(b, bits, word_like(words, 16), "");
    const LLVMValueRef odd = LLVMBuildAnd(b, high, word_like(words, 1), "");
    const LLVMValueRef half = LLVMBuildAdd(b, odd, word_like(words, 0x7fff), "");
    const LLVMValueRef rounded =
        LLVMBuildLShr(b, LLVMBuildAdd(b, bits, half, ""), word_like(words, 16), "");
    const LLVMValueRef quiet = LLVMBuildOr(b, high, word_like(words, 0x40), "");
    const LLVMValueRef is_nan = LLVMBuildFCmp(b, LLVMRealUNO, value, value, "");
    tf_spv_set_result(r, LLVMBuildTrunc(b, LLVMBuildSelect(b, is_nan, quiet, rounded, ""),
                                        type->llvm, ""));
}

void tf_spv_op_from_bfloat(struct tf_spv *r)
{
    const struct tf_spv_type *const type = tf_spv_result_type(r);
    const LLVMTypeRef words = words_of(r, type);

    check_bfloat(r, type, tf_spv_type_of_value_at(r, 3));
    const LLVMValueRef wide = LLVMBuildZExt(r->builder, tf_spv_value_at(r, 3), words, "");
    const LLVMValueRef bits = LLVMBuildShl(r->builder, wide, word_like(words, 16), "");
    tf_spv_set_result(r, LLVMBuildBitCast(r->builder, bits, type->llvm, ""));
}

// ---- The sigmoid function (SPV_INTEL_sigmoid) ----

static LLVMValueRef ones_like(LLVMTypeRef type)
{
    LLVMValueRef parts[16];

    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind)
        return LLVMConstReal(type, 1);
    for (unsigned i = 0; i < LLVMGetVectorSize(type); i++)
        parts[i] = LLVMConstReal(LLVMGetElementType(type), 1);
    return LLVMConstVector(parts, LLVMGetVectorSize(type));
}

// 1 / (1 + e^-x). Of e^-|x|, which does not overflow: for negative x both parts of the
// fraction times e^x.
void tf_spv_op_sigmoid(struct tf_spv *r)
{
    const struct tf_spv_type *const type = tf_spv_result_type(r);
    const LLVMValueRef x = tf_spv_value_of(r, 3, type->llvm);
    const LLVMBuilderRef b = r->builder;

    tf_spv_need(r, tf_spv_is_float(type) && tf_spv_scalar(type)->bits <= 32,
                "the result is neither of half nor of float");
    const LLVMValueRef zero = LLVMConstNull(type->llvm);
    const LLVMValueRef one = ones_like(type->llvm);
    const LLVMValueRef is_negative = LLVMBuildFCmp(b, LLVMRealOLT, x, zero, "");
    const struct tf_spv_arg away = {
        .value = LLVMBuildSelect(b, is_negative, x, LLVMBuildFNeg(b, x, ""), ""),
        .type = type};
    const LLVMValueRef power = tf_spv_call(r, "exp", type->llvm, &away, 1);
    const LLVMValueRef above = LLVMBuildSelect(b, is_negative, power, one, "");
    tf_spv_set_result(r, LLVMBuildFDiv(b, above, LLVMBuildFAdd(b, one, power, ""), ""));
}

// ---- Clocks ----

void tf_spv_op_read_clock(struct tf_spv *r)
{
    const struct tf_spv_type *const type = tf_spv_result_type(r);
    const uint64_t scope = tf_spv_constant_at(r, 3);
    char name[NAME_BYTES];

    tf_spv_need(r,
                scope == TF_SPV_SCOPE_DEVICE || scope == TF_SPV_SCOPE_WORKGROUP ||
                    scope == TF_SPV_SCOPE_SUBGROUP,
                "scope %llu is not Device, Workgroup or Subgroup",
                (unsigned long long)scope);
    tf_spv_need(r,
                tf_spv_is_int(type) &&
                    tf_spv_scalar(type)->bits * tf_spv_components(type) == 64 &&
                    tf_spv_components(type) <= 2,
                "the result has 64 bits or two times 32");
    snprintf(name, sizeof name, "clock_read_%s%s",
             type->kind == TF_SPV_VECTOR ? "hilo_" : "",
             scope == TF_SPV_SCOPE_DEVICE      ? "device"
             : scope == TF_SPV_SCOPE_WORKGROUP ? "work_group"
                                               : "sub_group");
    tf_spv_set_result(r, tf_spv_call(r, name, type->llvm, NULL, 0));
}
