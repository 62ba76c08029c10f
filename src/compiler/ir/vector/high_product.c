// SPDX-License-Identifier: MIT
#include "compiler/ir/vector/high_product.h"

#include <stddef.h>

#include "compiler/ir/vector/vector_parts.h"

enum { HALF_BITS = 32, LONG_BITS = 64, WIDE_BITS = 128 };

static bool is_made_by(LLVMValueRef value, LLVMOpcode opcode)
{
    return LLVMIsAInstruction(value) && LLVMGetInstructionOpcode(value) == opcode;
}

static bool has_bits(LLVMValueRef value, unsigned bits)
{
    const LLVMTypeRef type = LLVMTypeOf(value);

    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind &&
           LLVMGetIntTypeWidth(type) == bits;
}

// A constant of 128 bits that is one of 64, widened one way or the other.
static bool take_constant(struct tf_factor *out)
{
    const LLVMTypeRef type = LLVMTypeOf(out->wide);
    const LLVMTypeRef word = LLVMInt64TypeInContext(LLVMGetTypeContext(type));
    uint64_t words[2] = {LLVMConstIntGetZExtValue(LLVMConstTrunc(out->wide, word))};

    if (out->wide == LLVMConstIntOfArbitraryPrecision(type, 2, words))
        return true;
    out->has_sign = true;
    words[1] = words[0] >> (LONG_BITS - 1) ? UINT64_MAX : 0;
    return out->wide == LLVMConstIntOfArbitraryPrecision(type, 2, words);
}

// Of a constant of 128 bits that is one of 64 without a sign: whether it is one with it.
static bool fits_with_sign(LLVMValueRef wide)
{
    const LLVMTypeRef word = LLVMInt64TypeInContext(LLVMGetTypeContext(LLVMTypeOf(wide)));

    return LLVMConstIntGetZExtValue(LLVMConstTrunc(wide, word)) >> (LONG_BITS - 1) == 0;
}

static bool is_widened(LLVMValueRef value)
{
    return LLVMIsAZExtInst(value) || LLVMIsASExtInst(value);
}

static bool take_factor(LLVMValueRef wide, struct tf_factor *out)
{
    *out = (struct tf_factor){.wide = wide, .has_sign = LLVMIsASExtInst(wide) != NULL};
    if (LLVMIsAConstantInt(wide))
        return take_constant(out);
    return is_widened(wide) &&
           LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(wide, 0))) <= LONG_BITS;
}

static bool are_in_one_block(LLVMValueRef a, LLVMValueRef b)
{
    return LLVMGetInstructionParent(a) == LLVMGetInstructionParent(b);
}

bool tf_high_product_of(LLVMValueRef value, struct tf_high_product *out)
{
    LLVMValueRef down, by, product;

    if (!LLVMIsATruncInst(value))
        return false;
    down = LLVMGetOperand(value, 0);
    if ((!is_made_by(down, LLVMLShr) && !is_made_by(down, LLVMAShr)) ||
        !has_bits(down, WIDE_BITS))
        return false;
    by = LLVMGetOperand(down, 1);
    product = LLVMGetOperand(down, 0);
    if (!LLVMIsAConstantInt(by) || LLVMConstIntGetZExtValue(by) < LONG_BITS ||
        LLVMConstIntGetZExtValue(by) >= WIDE_BITS || !is_made_by(product, LLVMMul) ||
        !are_in_one_block(value, down) || !are_in_one_block(down, product) ||
        LLVMGetIntTypeWidth(LLVMTypeOf(value)) > LONG_BITS)
        return false;
    out->shift = (unsigned)LLVMConstIntGetZExtValue(by) - LONG_BITS;
    out->keeps_sign = is_made_by(down, LLVMAShr);
    return take_factor(LLVMGetOperand(product, 0), &out->factors[0]) &&
           take_factor(LLVMGetOperand(product, 1), &out->factors[1]);
}

// ---- of vectors

static LLVMTypeRef element_of(LLVMValueRef vector)
{
    return LLVMGetElementType(LLVMTypeOf(vector));
}

// The number that all elements of a constant are; or none.
static bool take_same(LLVMValueRef vector, unsigned *out)
{
    const LLVMValueRef first =
        LLVMIsConstant(vector) ? LLVMGetAggregateElement(vector, 0) : NULL;

    if (!first || !LLVMIsAConstantInt(first))
        return false;
    for (unsigned i = 1; i < LLVMGetVectorSize(LLVMTypeOf(vector)); i++) {
        if (LLVMGetAggregateElement(vector, i) != first)
            return false;
    }
    *out = (unsigned)LLVMConstIntGetZExtValue(first);
    return true;
}

// A constant whose elements are ones of 64 bits, widened one way or the other.
static bool take_constants(struct tf_factor *out)
{
    const unsigned count = LLVMGetVectorSize(LLVMTypeOf(out->wide));
    bool has_sign = false, has_none = false;

    for (unsigned i = 0; i < count; i++) {
        struct tf_factor one = {.wide = LLVMGetAggregateElement(out->wide, i)};
        const bool is_number = one.wide && LLVMIsAConstantInt(one.wide);

        if (!is_number || !take_constant(&one))
            return false;
        has_sign |= one.has_sign;
        has_none |= !one.has_sign && !fits_with_sign(one.wide);
    }
    out->has_sign = has_sign;
    return !has_sign || !has_none;
}

static bool take_factors(LLVMValueRef wide, struct tf_factor *out)
{
    *out = (struct tf_factor){.wide = wide, .has_sign = LLVMIsASExtInst(wide) != NULL};
    if (LLVMIsConstant(wide))
        return take_constants(out);
    return is_widened(wide) &&
           LLVMGetIntTypeWidth(element_of(LLVMGetOperand(wide, 0))) <= LONG_BITS;
}

bool tf_high_products_of(LLVMValueRef value, struct tf_high_product *out)
{
    LLVMValueRef down, product;
    unsigned by;

    if (!LLVMIsATruncInst(value) ||
        LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMVectorTypeKind ||
        LLVMGetIntTypeWidth(element_of(value)) > LONG_BITS)
        return false;
    down = LLVMGetOperand(value, 0);
    if ((!is_made_by(down, LLVMLShr) && !is_made_by(down, LLVMAShr)) ||
        LLVMGetIntTypeWidth(element_of(down)) != WIDE_BITS ||
        !take_same(LLVMGetOperand(down, 1), &by))
        return false;
    product = LLVMGetOperand(down, 0);
    if (by < LONG_BITS || by >= WIDE_BITS || !is_made_by(product, LLVMMul))
        return false;
    out->shift = by - LONG_BITS;
    out->keeps_sign = is_made_by(down, LLVMAShr);
    return take_factors(LLVMGetOperand(product, 0), &out->factors[0]) &&
           take_factors(LLVMGetOperand(product, 1), &out->factors[1]);
}

// ---- without 128 bits

// By the products of the factors' halves: a = ah * 2^32 + al, and the same of b. None of
// the sums leaves 64 bits:
//
//     middle = ah * bl + al * bl / 2^32
//     high   = ah * bh + middle / 2^32 + (al * bh + middle % 2^32) / 2^32
//
// A factor with a sign that is negative counts 2^64 too much above: the other one is to
// be taken off the high half.
struct halves {
    LLVMValueRef low, high;
};

static LLVMValueRef upper(LLVMBuilderRef b, LLVMValueRef value)
{
    return LLVMBuildLShr(b, value, tf_vector_of(LLVMTypeOf(value), HALF_BITS), "");
}

static LLVMValueRef lower(LLVMBuilderRef b, LLVMValueRef value)
{
    return LLVMBuildAnd(b, value, tf_vector_of(LLVMTypeOf(value), UINT32_MAX), "");
}

static LLVMValueRef high_without_signs(LLVMBuilderRef b, LLVMValueRef first,
                                       LLVMValueRef second)
{
    const struct halves x = {lower(b, first), upper(b, first)};
    const struct halves y = {lower(b, second), upper(b, second)};
    LLVMValueRef sum = upper(b, LLVMBuildMul(b, x.low, y.low, ""));
    LLVMValueRef high = LLVMBuildMul(b, x.high, y.high, "");
    const LLVMValueRef middle =
        LLVMBuildAdd(b, LLVMBuildMul(b, x.high, y.low, ""), sum, "");

    sum = LLVMBuildAdd(b, LLVMBuildMul(b, x.low, y.high, ""), lower(b, middle), "");
    high = LLVMBuildAdd(b, high, upper(b, middle), "");
    return LLVMBuildAdd(b, high, upper(b, sum), "");
}

static LLVMValueRef take_off(LLVMBuilderRef b, LLVMValueRef high, LLVMValueRef factor,
                             LLVMValueRef other)
{
    const LLVMValueRef last = tf_vector_of(LLVMTypeOf(factor), LONG_BITS - 1);
    const LLVMValueRef sign = LLVMBuildAShr(b, factor, last, "");

    return LLVMBuildSub(b, high, LLVMBuildAnd(b, sign, other, ""), "");
}

LLVMValueRef tf_high_product_build(LLVMBuilderRef b, const LLVMValueRef factors[2],
                                   const struct tf_high_product *product,
                                   LLVMTypeRef type)
{
    LLVMValueRef high = high_without_signs(b, factors[0], factors[1]);

    if (product->factors[0].has_sign)
        high = take_off(b, high, factors[0], factors[1]);
    if (product->factors[1].has_sign)
        high = take_off(b, high, factors[1], factors[0]);
    if (product->shift)
        high = LLVMBuildBinOp(b, product->keeps_sign ? LLVMAShr : LLVMLShr, high,
                              tf_vector_of(LLVMTypeOf(high), product->shift), "");
    return LLVMTypeOf(high) != type ? LLVMBuildTrunc(b, high, type, "") : high;
}

bool tf_is_within_high_products(LLVMValueRef value)
{
    LLVMUseRef use = LLVMGetFirstUse(value);
    struct tf_high_product product;

    if (!has_bits(value, WIDE_BITS) || LLVMIsAPHINode(value))
        return false;
    for (; use; use = LLVMGetNextUse(use)) {
        const LLVMValueRef user = LLVMGetUser(use);

        if (!tf_high_product_of(user, &product) && !tf_is_within_high_products(user))
            return false;
    }
    return true;
}
