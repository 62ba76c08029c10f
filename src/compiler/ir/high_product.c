// SPDX-License-Identifier: MIT
#include "compiler/ir/high_product.h"

#include <stddef.h>

enum { LONG_BITS = 64, WIDE_BITS = 128 };

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
