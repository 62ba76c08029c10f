// SPDX-License-Identifier: MIT
// Division of 64-bit integers. Most are small: sizes, and indices made of them. Where
// all lanes' dividends and divisors are below 2^48, which is looked at once, they are
// divided in double precision; otherwise one by one, as processors do.
//
// The quotient of two numbers a, b < 2^52, rounded to the nearest, is below the next
// integer q + 1: that is away by 1 / b or more, and (q + 1) * b <= a + b < 2^53, so that
// 1 / b is more than half a unit in the last place. By a reciprocal that is made larger
// by 2^-51 three roundings leave between 0 and 4 * 2^-52 too much, which is less than the
// distance as long as a + b < 2^50. All that follows is exact.
#include "compiler/workgroup/gang/arithmetic/gang_divide.h"

#include "compiler/workgroup/analysis/operation/divisor.h"
#include "compiler/workgroup/gang/arithmetic/gang_arithmetic.h"

enum { LONG_BITS = 64 };

static const uint64_t two_to_52 = 0x4330000000000000; // as a double

struct long_division {
    struct gang *g;
    const struct tf_value *v;
    LLVMTypeRef type, real; // vectors
    bool is_signed, is_remainder;
    LLVMValueRef dividend, divisor; // of the lanes that are not active, anything
    LLVMValueRef reciprocal;        // a real scalar; NULL: the lanes have their own
};

static LLVMValueRef constant(const struct long_division *d, uint64_t value)
{
    const unsigned count = LLVMGetVectorSize(d->type);
    const LLVMValueRef one = LLVMConstInt(d->g->i64, value, false);
    LLVMValueRef *all = TF_ARENA_NEW(&d->g->arena, LLVMValueRef, count);

    for (unsigned i = 0; i < count; i++)
        all[i] = one;
    return LLVMConstVector(all, count);
}

// All bits of it set where the number is negative.
static LLVMValueRef sign_of(const struct long_division *d, LLVMValueRef value)
{
    return LLVMBuildAShr(d->g->b, value, constant(d, LONG_BITS - 1), "");
}

// -value where the sign is set.
static LLVMValueRef negate_if(const struct long_division *d, LLVMValueRef value,
                              LLVMValueRef sign)
{
    return LLVMBuildSub(d->g->b, LLVMBuildXor(d->g->b, value, sign, ""), sign, "");
}

static LLVMValueRef magnitude(const struct long_division *d, LLVMValueRef value)
{
    return d->is_signed ? negate_if(d, value, sign_of(d, value)) : value;
}

// Of a number below 2^52: the bits of 2^52 and the number are those of their sum.
static LLVMValueRef to_real(const struct long_division *d, LLVMValueRef value)
{
    const LLVMBuilderRef b = d->g->b;
    const LLVMValueRef bits = LLVMBuildOr(b, value, constant(d, two_to_52), "");

    return LLVMBuildFSub(b, LLVMBuildBitCast(b, bits, d->real, ""),
                         gang_divide_real(d->real, 0x1p52), "");
}

// Of an integer below 2^52.
static LLVMValueRef to_integer(const struct long_division *d, LLVMValueRef real)
{
    const LLVMBuilderRef b = d->g->b;
    const LLVMValueRef sum =
        LLVMBuildFAdd(b, real, gang_divide_real(d->real, 0x1p52), "");

    return LLVMBuildXor(b, LLVMBuildBitCast(b, sum, d->type, ""), constant(d, two_to_52),
                        "");
}

// The integer part of a positive number below 2^51, by rounding: processors of before
// SSE4.1 have no instruction for it.
static LLVMValueRef whole_part(const struct long_division *d, LLVMValueRef real)
{
    const LLVMBuilderRef b = d->g->b;
    const LLVMValueRef large = gang_divide_real(d->real, 0x1p52);
    const LLVMValueRef near =
        LLVMBuildFSub(b, LLVMBuildFAdd(b, real, large, ""), large, "");
    const LLVMValueRef over = LLVMBuildFCmp(b, LLVMRealOGT, near, real, "");

    return LLVMBuildFSub(b, near,
                         LLVMBuildSelect(b, over, gang_divide_real(d->real, 1),
                                         LLVMConstNull(d->real), ""),
                         "");
}

static LLVMValueRef divide_small(const struct long_division *d)
{
    const LLVMBuilderRef b = d->g->b;
    const LLVMValueRef dividend = to_real(d, magnitude(d, d->dividend));
    const LLVMValueRef divisor = to_real(d, magnitude(d, d->divisor));
    const struct tf_divisor by = tf_divisor_of(d->g->shapes, d->v);
    LLVMValueRef quotient, result, sign;

    if (d->reciprocal) {
        quotient = LLVMBuildFMul(b, dividend, gang_splat(d->g, d->reciprocal), "");
        if (by.unless)
            quotient = gang_blend(d->g, gang_vector(d->g, by.unless), dividend, quotient,
                                  LLVMTypeOf(d->v->instruction));
    } else {
        quotient = LLVMBuildFDiv(b, dividend, divisor, "");
    }
    quotient = whole_part(d, quotient);
    if (d->is_remainder)
        quotient =
            LLVMBuildFSub(b, dividend, LLVMBuildFMul(b, quotient, divisor, ""), "");
    result = to_integer(d, quotient);
    if (!d->is_signed)
        return result;
    sign = sign_of(d, d->dividend);
    if (!d->is_remainder)
        sign = LLVMBuildXor(b, sign, sign_of(d, d->divisor), "");
    return negate_if(d, result, sign);
}

// Lanes that are not active do not count.
static LLVMValueRef any_is_large(const struct long_division *d)
{
    struct gang *g = d->g;
    const LLVMValueRef bits =
        LLVMBuildOr(g->b, magnitude(d, d->dividend), magnitude(d, d->divisor), "");
    const LLVMValueRef large = LLVMBuildICmp(
        g->b, LLVMIntUGE, bits, constant(d, (uint64_t)1 << TF_DIVISOR_SMALL_BITS), "");
    LLVMTypeRef type = LLVMTypeOf(large);
    LLVMValueRef counted = large;

    if (g->mask)
        counted = LLVMBuildSelect(
            g->b, gang_widen_mask(g, g->mask, LLVMTypeOf(d->v->instruction)), large,
            LLVMConstNull(type), "");
    return gang_intrinsic(g, "llvm.vector.reduce.or", &type, 1, &counted, 1);
}

// Of the divisor that all lanes have, however large: of that the lanes ask.
static LLVMValueRef make_reciprocal(const struct long_division *d, LLVMValueRef by)
{
    struct gang *g = d->g;
    const LLVMTypeRef type =
        gang_divide_type(LLVMTypeOf(by), LLVMDoubleTypeInContext(g->wg->context));
    const LLVMValueRef value = gang_scalar(g, by);
    LLVMValueRef real = d->is_signed ? LLVMBuildSIToFP(g->b, value, type, "")
                                     : LLVMBuildUIToFP(g->b, value, type, "");

    if (d->is_signed) {
        LLVMTypeRef types[] = {type};

        real = gang_intrinsic(g, "llvm.fabs", types, 1, &real, 1);
    }
    return LLVMBuildFMul(g->b, LLVMBuildFDiv(g->b, gang_divide_real(type, 1), real, ""),
                         gang_divide_real(type, 1 + 0x1p-51), "");
}

LLVMValueRef gang_divide_long(struct gang *g, const struct tf_value *v, LLVMValueRef safe)
{
    const LLVMValueRef dividend = gang_vector(g, LLVMGetOperand(v->instruction, 0));
    const LLVMValueRef divisor = gang_vector(g, LLVMGetOperand(v->instruction, 1));
    const LLVMContextRef c = g->wg->context;
    const LLVMBasicBlockRef small = LLVMAppendBasicBlockInContext(c, g->to, "small");
    const LLVMBasicBlockRef large = LLVMAppendBasicBlockInContext(c, g->to, "large");
    const LLVMBasicBlockRef merge = LLVMAppendBasicBlockInContext(c, g->to, "divided");
    const LLVMValueRef slot = gang_slot(g, LLVMTypeOf(dividend), "quotient");
    const struct tf_divisor by = tf_divisor_of(g->shapes, v);
    struct long_division d = {
        .g = g,
        .v = v,
        .type = LLVMTypeOf(dividend),
        .real = gang_divide_type(LLVMTypeOf(dividend), LLVMDoubleTypeInContext(c)),
        .is_signed = tf_division_has_sign(v),
        .is_remainder = v->opcode == LLVMURem || v->opcode == LLVMSRem,
    };

    // Frozen: the test and the division must see one value.
    d.dividend = LLVMBuildFreeze(g->b, dividend, "");
    d.divisor = LLVMBuildFreeze(g->b, divisor, "");
    safe = LLVMBuildFreeze(g->b, safe, "");
    if (by.value)
        d.reciprocal = make_reciprocal(&d, by.value);
    if (by.unless)
        (void)gang_vector(g, by.unless); // made before the ways part
    LLVMBuildCondBr(g->b, any_is_large(&d), large, small);
    LLVMPositionBuilderAtEnd(g->b, small);
    LLVMBuildStore(g->b, divide_small(&d), slot);
    LLVMBuildBr(g->b, merge);
    LLVMPositionBuilderAtEnd(g->b, large);
    LLVMBuildStore(g->b, LLVMBuildBinOp(g->b, v->opcode, d.dividend, safe, ""), slot);
    LLVMBuildBr(g->b, merge);
    LLVMPositionBuilderAtEnd(g->b, merge);
    return LLVMBuildLoad2(g->b, LLVMTypeOf(dividend), slot, "");
}
