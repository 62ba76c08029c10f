// SPDX-License-Identifier: MIT
// A double from 2^52 on has whole numbers in its lowest bits: to add 2^52 to a number
// below 2^32, and to look at the bits, is to convert it. 64 bits are two such numbers.
#include "compiler/codegen/convert/long_conversion.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <llvm-c/Core.h>

#include "compiler/ir/ir_util.h"

enum {
    LONG_BITS = 64,
    WORD_BITS = 32,
    MIN_LANES = 4,
    MAX_LANES = 64,
    LOST_BITS = 11, // of 64, in a double
    DOUBLE_DIGITS = 53,
};
#define LOST ((UINT64_C(1) << LOST_BITS) - 1)

// 2^52, to which a word is added; 1.5 times as much, for words with a sign.
#define WORD 0x1p52
#define WORD_BITS_OF 0x4330000000000000u
#define SIGNED_WORD 0x1.8p52
// 2^84, of which the lowest bits are words of 2^32; and with a word's sign 2^31 of them.
#define HIGH 0x1p84
#define HIGH_BITS_OF 0x4530000000000000u
#define HIGH_SIGN 0x80000000u

struct conversion {
    LLVMModuleRef module;
    LLVMContextRef context;
    LLVMBuilderRef b;
    unsigned lanes;
    LLVMTypeRef longs, doubles;
};

static LLVMValueRef splat(const struct conversion *c, LLVMValueRef element)
{
    LLVMValueRef elements[MAX_LANES];

    for (unsigned i = 0; i < c->lanes; i++)
        elements[i] = element;
    return LLVMConstVector(elements, c->lanes);
}

static LLVMValueRef whole(const struct conversion *c, uint64_t value)
{
    return splat(c, LLVMConstInt(LLVMInt64TypeInContext(c->context), value, 0));
}

static LLVMValueRef real(const struct conversion *c, double value)
{
    return splat(c, LLVMConstReal(LLVMDoubleTypeInContext(c->context), value));
}

static LLVMValueRef call(const struct conversion *c, const char *name, LLVMValueRef x)
{
    const unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    LLVMTypeRef type = c->doubles;

    return LLVMBuildCall2(c->b, LLVMIntrinsicGetType(c->context, id, &type, 1),
                          LLVMGetIntrinsicDeclaration(c->module, id, &type, 1), &x, 1,
                          "");
}

// The lower words of a, and those of b above them.
static LLVMValueRef lower_words(const struct conversion *c, LLVMValueRef a,
                                LLVMValueRef b)
{
    const LLVMTypeRef i32 = LLVMInt32TypeInContext(c->context);
    const LLVMTypeRef words = LLVMVectorType(i32, 2 * c->lanes);
    LLVMValueRef from[2 * MAX_LANES];

    for (unsigned i = 0; i < c->lanes; i++) {
        from[2 * i] = LLVMConstInt(i32, 2 * i, 0);
        from[2 * i + 1] = LLVMConstInt(i32, 2 * c->lanes + 2 * i, 0);
    }
    return LLVMBuildBitCast(
        c->b,
        LLVMBuildShuffleVector(c->b, LLVMBuildBitCast(c->b, a, words, ""),
                               LLVMBuildBitCast(c->b, b, words, ""),
                               LLVMConstVector(from, 2 * c->lanes), ""),
        c->longs, "");
}

// What the processor makes of a number that does not fit is the highest bit. LLVM
// converts to unsigned numbers by way of signed ones, so that negative ones fit, too.
static LLVMValueRef fits(const struct conversion *c, LLVMValueRef x, bool is_signed)
{
    if (is_signed)
        return LLVMBuildFCmp(c->b, LLVMRealOLT, call(c, "llvm.fabs", x), real(c, 0x1p63),
                             "");
    return LLVMBuildAnd(c->b, LLVMBuildFCmp(c->b, LLVMRealOGE, x, real(c, -0x1p63), ""),
                        LLVMBuildFCmp(c->b, LLVMRealOLT, x, real(c, 0x1p64), ""), "");
}

static LLVMValueRef to_long(const struct conversion *c, LLVMValueRef x, bool is_signed)
{
    LLVMValueRef number, high, low, bits;

    if (LLVMTypeOf(x) != c->doubles)
        x = LLVMBuildFPExt(c->b, x, c->doubles, "");
    number = call(c, "llvm.trunc", x);
    high = LLVMBuildFMul(c->b, number, real(c, 0x1p-32), "");
    high = call(c, "llvm.floor", high);
    low = LLVMBuildFMul(c->b, high, real(c, 0x1p32), "");
    low = LLVMBuildFSub(c->b, number, low, "");
    bits = lower_words(c, LLVMBuildFAdd(c->b, low, real(c, WORD), ""),
                       LLVMBuildFAdd(c->b, high, real(c, SIGNED_WORD), ""));
    return LLVMBuildSelect(c->b, fits(c, x, is_signed), bits,
                           whole(c, UINT64_C(1) << (LONG_BITS - 1)), "");
}

// Rounded once, in the sum: 2^84 and what belongs to it are exact.
static LLVMValueRef to_double(const struct conversion *c, LLVMValueRef x, bool is_signed)
{
    const uint64_t sign = is_signed ? HIGH_SIGN : 0;
    LLVMValueRef high = LLVMBuildLShr(c->b, x, whole(c, WORD_BITS), "");
    LLVMValueRef low = LLVMBuildAnd(c->b, x, whole(c, UINT32_MAX), "");

    high = LLVMBuildXor(c->b, high, whole(c, HIGH_BITS_OF | sign), "");
    high = LLVMBuildBitCast(c->b, high, c->doubles, "");
    high = LLVMBuildFSub(c->b, high,
                         real(c, is_signed ? HIGH + 0x1p63 + WORD : HIGH + WORD), "");
    low = LLVMBuildOr(c->b, low, whole(c, WORD_BITS_OF), "");
    low = LLVMBuildBitCast(c->b, low, c->doubles, "");
    return LLVMBuildFAdd(c->b, high, low, "");
}

// A number of 54 bits and more with what a double would lose as one bit, the last that it
// has: rounding that to float is rounding once ("round to odd": Boldo and Melquiond
// 2008).
static LLVMValueRef odd(const struct conversion *c, LLVMValueRef x, bool is_signed)
{
    const uint64_t most = UINT64_C(1) << DOUBLE_DIGITS;
    LLVMValueRef lost = LLVMBuildAnd(c->b, x, whole(c, LOST), "");
    LLVMValueRef above = x, is_short, with;

    lost = LLVMBuildAdd(c->b, lost, whole(c, LOST), "");
    with = LLVMBuildOr(c->b, x, lost, "");
    with = LLVMBuildAnd(c->b, with, whole(c, ~LOST), "");
    if (is_signed)
        above = LLVMBuildAdd(c->b, x, whole(c, most), "");
    above = LLVMBuildLShr(c->b, above, whole(c, DOUBLE_DIGITS + is_signed), "");
    is_short = LLVMBuildICmp(c->b, LLVMIntEQ, above, whole(c, 0), "");
    return LLVMBuildSelect(c->b, is_short, x, with, "");
}

static bool is_long(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind &&
           LLVMGetIntTypeWidth(type) == LONG_BITS;
}

static bool is_real(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMFloatTypeKind ||
           LLVMGetTypeKind(type) == LLVMDoubleTypeKind;
}

// The processor converts a single one with a sign, out of memory, in one instruction.
static bool is_best_alone(LLVMOpcode opcode, LLVMTypeRef to, LLVMValueRef x)
{
    return opcode == LLVMSIToFP && LLVMGetTypeKind(to) == LLVMFloatTypeKind &&
           LLVMIsALoadInst(x);
}

// NULL: not such a conversion.
static LLVMValueRef build(struct conversion *c, LLVMValueRef i)
{
    const LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
    const bool is_signed = opcode == LLVMFPToSI || opcode == LLVMSIToFP;
    const bool is_to_long = opcode == LLVMFPToSI || opcode == LLVMFPToUI;
    const LLVMTypeRef type = LLVMTypeOf(i);
    LLVMTypeRef from, to;
    LLVMValueRef x;

    if ((!is_to_long && opcode != LLVMSIToFP && opcode != LLVMUIToFP) ||
        LLVMGetTypeKind(type) != LLVMVectorTypeKind)
        return NULL;
    x = LLVMGetOperand(i, 0);
    to = LLVMGetElementType(type);
    from = LLVMGetElementType(LLVMTypeOf(x));
    c->lanes = LLVMGetVectorSize(type);
    if (c->lanes < MIN_LANES || c->lanes > MAX_LANES ||
        !(is_to_long ? is_long(to) && is_real(from) : is_long(from) && is_real(to)) ||
        is_best_alone(opcode, to, x))
        return NULL;
    c->longs = LLVMVectorType(LLVMInt64TypeInContext(c->context), c->lanes);
    c->doubles = LLVMVectorType(LLVMDoubleTypeInContext(c->context), c->lanes);
    LLVMPositionBuilderBefore(c->b, i);
    if (is_to_long)
        return to_long(c, x, is_signed);
    if (LLVMGetTypeKind(to) == LLVMDoubleTypeKind)
        return to_double(c, x, is_signed);
    return LLVMBuildFPTrunc(c->b, to_double(c, odd(c, x, is_signed), is_signed), type,
                            "");
}

static void settle(LLVMBuilderRef b, LLVMValueRef instruction, void *data)
{
    struct conversion *c = data;
    LLVMValueRef made;

    c->b = b;
    made = build(c, instruction);
    if (made)
        tf_ir_replace(instruction, made);
}

void tf_long_conversion_settle(LLVMModuleRef module)
{
    struct conversion c = {.module = module, .context = LLVMGetModuleContext(module)};

    tf_ir_settle_each(module, settle, &c);
}
