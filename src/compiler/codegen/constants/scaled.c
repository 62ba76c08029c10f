// SPDX-License-Identifier: MIT
// (float)(w & 0xff00) * c: below 2^23 a number is the lowest bits of the float 2^23 +
// number. So the conversion, which few units of a processor can do, and the product
// become one fused operation, (2^23 + n) * c - 2^23 * c: exactly n * c before it is
// rounded, as n * c is. AVX-512 takes some bytes of w and the others of 2^23 in one
// operation of two operands; on Zen 5 the three-operand logic that would take single bits
// is slower beside fused products.
#include "compiler/codegen/constants/scaled.h"

#include <stdbool.h>
#include <stdint.h>

#include <llvm-c/Core.h>

#include "compiler/ir/ir_util.h"

enum {
    WORD_BITS = 32,
    WORD_BYTES = 4,
    HALF_BITS = 16,
    MAX_LANES = 64,
};
#define IMPLIED 0x1p23
#define IMPLIED_BITS 0x4b000000u // as a float
// Products and factors are far from where floats lose bits.
#define LEAST 0x1p-60
#define GREATEST 0x1p60

// A number of one or two whole bytes in a word: (word >> shift & mask) * unit. Those of
// the upper half are moved by half a word, so that they share a shift.
struct field {
    LLVMValueRef word;
    unsigned shift; // 0 or HALF_BITS
    uint32_t mask;  // 0xff, 0xff00, 0xffff
    double unit;
};

static LLVMValueRef splat(LLVMTypeRef type, LLVMValueRef scalar)
{
    const unsigned count = LLVMGetVectorSize(type);
    LLVMValueRef elements[MAX_LANES];

    for (unsigned i = 0; i < count; i++)
        elements[i] = scalar;
    return LLVMConstVector(elements, count);
}

static LLVMValueRef splat_word(LLVMTypeRef words, uint32_t value)
{
    return splat(words, LLVMConstInt(LLVMGetElementType(words), value, 0));
}

static LLVMValueRef splat_real(LLVMTypeRef reals, double value)
{
    return splat(reals, LLVMConstReal(LLVMGetElementType(reals), value));
}

// The element that all of a constant are, or NULL.
static LLVMValueRef same_element(LLVMValueRef vector)
{
    const unsigned count = LLVMGetVectorSize(LLVMTypeOf(vector));
    LLVMValueRef first;

    if (!LLVMIsAConstant(vector))
        return NULL;
    first = LLVMGetAggregateElement(vector, 0);
    for (unsigned i = 1; first && i < count; i++) {
        if (LLVMGetAggregateElement(vector, i) != first)
            return NULL;
    }
    return first;
}

static bool is_word(LLVMValueRef vector, uint32_t *value)
{
    const LLVMValueRef element = same_element(vector);

    if (!element || !LLVMIsAConstantInt(element))
        return false;
    *value = (uint32_t)LLVMConstIntGetZExtValue(element);
    return true;
}

static bool is_real(LLVMValueRef vector, double *value)
{
    const LLVMValueRef element = same_element(vector);
    LLVMBool inexact;

    if (!element || !LLVMIsAConstantFP(element))
        return false;
    *value = LLVMConstRealGetDouble(element, &inexact);
    return true;
}

static bool is_vector_of(LLVMTypeRef type, LLVMTypeKind kind, unsigned bits)
{
    LLVMTypeRef element;

    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind ||
        LLVMGetVectorSize(type) > MAX_LANES)
        return false;
    element = LLVMGetElementType(type);
    return LLVMGetTypeKind(element) == kind &&
           (kind != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(element) == bits);
}

// Of all bits that are set in `mask`, in the place where they are in the word.
static bool is_whole_bytes(LLVMValueRef word, uint32_t mask, struct field *out)
{
    const unsigned shift = mask >> HALF_BITS ? HALF_BITS : 0;
    const uint32_t half = mask >> shift;

    *out =
        (struct field){.word = word, .shift = shift, .mask = half, .unit = 1u << shift};
    return half << shift == mask && (half == 0xff || half == 0xff00 || half == 0xffff);
}

// (word >> count), of which `*bits` are asked for.
static LLVMValueRef without_shift(LLVMValueRef number, uint32_t *bits, unsigned *count)
{
    uint32_t constant;

    *count = 0;
    if (!LLVMIsAInstruction(number) || LLVMGetInstructionOpcode(number) != LLVMLShr ||
        !is_word(LLVMGetOperand(number, 1), &constant) || constant >= WORD_BITS)
        return number;
    *count = constant;
    *bits <<= constant;
    return LLVMGetOperand(number, 0);
}

static bool is_field(LLVMValueRef number, struct field *out)
{
    uint32_t bits = UINT32_MAX;
    unsigned count;

    if (!is_vector_of(LLVMTypeOf(number), LLVMIntegerTypeKind, WORD_BITS))
        return false;
    if (LLVMIsAInstruction(number) && LLVMGetInstructionOpcode(number) == LLVMAnd) {
        if (!is_word(LLVMGetOperand(number, 1), &bits))
            return false;
        number = LLVMGetOperand(number, 0);
    }
    number = without_shift(number, &bits, &count);
    if (!is_whole_bytes(number, bits, out))
        return false;
    out->unit /= (double)(1u << count);
    return true;
}

static bool has_one_use(LLVMValueRef value)
{
    const LLVMUseRef first = LLVMGetFirstUse(value);

    return first && !LLVMGetNextUse(first);
}

static bool is_conversion(LLVMValueRef value, struct field *out)
{
    LLVMOpcode opcode;

    if (!LLVMIsAInstruction(value) || !has_one_use(value))
        return false;
    opcode = LLVMGetInstructionOpcode(value);
    if (opcode != LLVMUIToFP && opcode != LLVMSIToFP)
        return false;
    // As a signed number the highest bit would be something else.
    return is_field(LLVMGetOperand(value, 0), out) &&
           (opcode == LLVMUIToFP ||
            !((uint64_t)out->mask << out->shift >> (WORD_BITS - 1)));
}

// Of a product that may be part of a fused sum nothing is to be gained.
static bool is_product(LLVMValueRef instruction, struct field *field, double *factor)
{
    int real = 1;

    if (LLVMGetInstructionOpcode(instruction) != LLVMFMul ||
        !is_vector_of(LLVMTypeOf(instruction), LLVMFloatTypeKind, 0) ||
        LLVMGetFastMathFlags(instruction) != LLVMFastMathNone)
        return false;
    if (!is_real(LLVMGetOperand(instruction, 1), factor)) {
        real = 0;
        if (!is_real(LLVMGetOperand(instruction, 0), factor))
            return false;
    }
    return is_conversion(LLVMGetOperand(instruction, (unsigned)!real), field) &&
           *factor >= LEAST && *factor <= GREATEST; // 0 times less than 0 is -0
}

// Lanes of four bytes: those of `mask` from `word`, the others from 2^23.
static LLVMValueRef build_float_bits(LLVMBuilderRef b, LLVMValueRef word, uint32_t mask)
{
    const LLVMTypeRef words = LLVMTypeOf(word);
    const LLVMContextRef context = LLVMGetTypeContext(words);
    const unsigned count = LLVMGetVectorSize(words) * WORD_BYTES;
    const LLVMTypeRef bytes = LLVMVectorType(LLVMInt8TypeInContext(context), count);
    const LLVMTypeRef bit = LLVMInt1TypeInContext(context);
    LLVMValueRef taken[MAX_LANES * WORD_BYTES];

    for (unsigned i = 0; i < count; i++)
        taken[i] = LLVMConstInt(bit, mask >> i % WORD_BYTES * 8 & 1, 0);
    return LLVMBuildSelect(b, LLVMConstVector(taken, count),
                           LLVMBuildBitCast(b, word, bytes, ""),
                           LLVMConstBitCast(splat_word(words, IMPLIED_BITS), bytes), "");
}

// One for all fields of a word.
static LLVMValueRef shifted(LLVMBuilderRef b, const struct field *f)
{
    const LLVMValueRef count = splat_word(LLVMTypeOf(f->word), f->shift);
    LLVMValueRef next;

    if (f->shift == 0)
        return f->word;
    if (!LLVMIsAInstruction(f->word) || LLVMIsAPHINode(f->word))
        return LLVMBuildLShr(b, f->word, count, "");
    next = LLVMGetNextInstruction(f->word);
    if (LLVMGetInstructionOpcode(next) == LLVMLShr &&
        LLVMGetOperand(next, 0) == f->word && LLVMGetOperand(next, 1) == count)
        return next;
    LLVMPositionBuilderBefore(b, next);
    return LLVMBuildLShr(b, f->word, count, "");
}

static LLVMValueRef fused(LLVMBuilderRef b, LLVMValueRef product, const struct field *f,
                          double factor)
{
    const LLVMTypeRef reals = LLVMTypeOf(product);
    const LLVMModuleRef module = LLVMGetGlobalParent(tf_ir_function_of(product));
    const unsigned id = LLVMLookupIntrinsicID("llvm.fma", 8);
    LLVMTypeRef overload = reals;
    const LLVMValueRef fma = LLVMGetIntrinsicDeclaration(module, id, &overload, 1);
    LLVMValueRef word, args[3], bits;

    LLVMPositionBuilderBefore(b, product);
    word = shifted(b, f);
    LLVMPositionBuilderBefore(b, product);
    bits = build_float_bits(b, word, f->mask);
    args[0] = LLVMBuildBitCast(b, bits, reals, "");
    args[1] = splat_real(reals, factor * f->unit);
    args[2] = splat_real(reals, -IMPLIED * factor * f->unit);
    return LLVMBuildCall2(b, LLVMGlobalGetValueType(fma), fma, args, 3, "");
}

static void settle(LLVMBuilderRef b, LLVMValueRef instruction, void *data)
{
    struct field field;
    double factor;

    (void)data;
    if (is_product(instruction, &field, &factor)) // the rest is dead, and not emitted
        tf_ir_replace(instruction, fused(b, instruction, &field, factor));
}

void tf_scaled_settle(LLVMModuleRef module)
{
    tf_ir_settle_each(module, settle, NULL);
}
