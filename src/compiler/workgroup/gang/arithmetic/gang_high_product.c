// SPDX-License-Identifier: MIT
// The high half of a product of 64 bits, by the products of the factors' halves: a = ah *
// 2^32 + al, and the same of b. None of the sums below leaves 64 bits:
//
//     middle = ah * bl + al * bl / 2^32
//     high   = ah * bh + middle / 2^32 + (al * bh + middle % 2^32) / 2^32
//
// A factor with a sign that is negative counts 2^64 too much above: the other one is to
// be taken off the high half.
#include "compiler/ir/high_product.h"
#include "compiler/workgroup/gang/arithmetic/gang_arithmetic.h"

enum { HALF_BITS = 32, SIGN_BIT = 63 };

struct halves {
    LLVMValueRef whole, low, high;
};

static LLVMValueRef constant(struct gang *g, uint64_t value)
{
    return gang_splat(g, LLVMConstInt(g->i64, value, false));
}

static LLVMValueRef upper(struct gang *g, LLVMValueRef value)
{
    return LLVMBuildLShr(g->b, value, constant(g, HALF_BITS), "");
}

static LLVMValueRef lower(struct gang *g, LLVMValueRef value)
{
    return LLVMBuildAnd(g->b, value, constant(g, UINT32_MAX), "");
}

static struct halves take_factor(struct gang *g, const struct tf_factor *factor)
{
    const LLVMValueRef whole =
        LLVMBuildTrunc(g->b, gang_vector(g, factor->wide), gang_type(g, g->i64), "");

    return (struct halves){whole, lower(g, whole), upper(g, whole)};
}

static LLVMValueRef high_without_signs(struct gang *g, const struct halves *a,
                                       const struct halves *b)
{
    LLVMValueRef sum = upper(g, LLVMBuildMul(g->b, a->low, b->low, ""));
    LLVMValueRef high = LLVMBuildMul(g->b, a->high, b->high, "");
    const LLVMValueRef middle =
        LLVMBuildAdd(g->b, LLVMBuildMul(g->b, a->high, b->low, ""), sum, "");

    sum =
        LLVMBuildAdd(g->b, LLVMBuildMul(g->b, a->low, b->high, ""), lower(g, middle), "");
    high = LLVMBuildAdd(g->b, high, upper(g, middle), "");
    return LLVMBuildAdd(g->b, high, upper(g, sum), "");
}

static LLVMValueRef take_off(struct gang *g, LLVMValueRef high, LLVMValueRef factor,
                             LLVMValueRef other)
{
    const LLVMValueRef sign = LLVMBuildAShr(g->b, factor, constant(g, SIGN_BIT), "");

    return LLVMBuildSub(g->b, high, LLVMBuildAnd(g->b, sign, other, ""), "");
}

void gang_high_product(struct gang *g, struct tf_value *v)
{
    const LLVMTypeRef type = gang_type(g, LLVMTypeOf(v->instruction));
    struct tf_high_product product;
    struct halves a, b;
    LLVMValueRef high;

    (void)tf_high_product_of(v->instruction, &product);
    a = take_factor(g, &product.factors[0]);
    b = take_factor(g, &product.factors[1]);
    high = high_without_signs(g, &a, &b);
    if (product.factors[0].has_sign)
        high = take_off(g, high, a.whole, b.whole);
    if (product.factors[1].has_sign)
        high = take_off(g, high, b.whole, a.whole);
    if (product.shift)
        high = LLVMBuildBinOp(g->b, product.keeps_sign ? LLVMAShr : LLVMLShr, high,
                              constant(g, product.shift), "");
    if (LLVMTypeOf(high) != type)
        high = LLVMBuildTrunc(g->b, high, type, "");
    gang_define(g, v, NULL, high);
}
