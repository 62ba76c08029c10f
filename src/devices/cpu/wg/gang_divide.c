// SPDX-License-Identifier: MIT
// Division of integers. Processors divide vectors of floating-point numbers only, and
// LLVM divides vectors of integers one by one. A quotient of numbers of 32 bits is exact
// in double, one of 16 bits in float: a / b, rounded to the nearest, is below the next
// integer q + 1 because that is further away, by a factor of 1 + 1 / a, than rounding
// errs. Nobody divides by zero here (wg/traps.c), and no quotient leaves its type.
#include "devices/cpu/wg/gang_emit.h"

enum { FLOAT_BITS = 16, DOUBLE_BITS = 32 }; // integers that both divide exactly

static LLVMTypeRef element_of(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type;
}

// `element` or a vector of as many as `like` has.
static LLVMTypeRef type_like(LLVMTypeRef like, LLVMTypeRef element)
{
    return LLVMGetTypeKind(like) == LLVMVectorTypeKind
               ? LLVMVectorType(element, LLVMGetVectorSize(like))
               : element;
}

static LLVMValueRef splat_real(LLVMTypeRef type, double value)
{
    enum { MAX_ELEMENTS = 1024 };
    LLVMValueRef elements[MAX_ELEMENTS], one;

    one = LLVMConstReal(element_of(type), value);
    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind)
        return one;
    for (unsigned i = 0; i < LLVMGetVectorSize(type); i++)
        elements[i] = one;
    return LLVMConstVector(elements, LLVMGetVectorSize(type));
}

struct division {
    LLVMTypeRef real; // element
    bool is_signed, is_narrow;
};

static LLVMValueRef to_real(struct gang *g, const struct division *d, LLVMValueRef value)
{
    const LLVMTypeRef type = type_like(LLVMTypeOf(value), d->real);
    const LLVMTypeRef words = type_like(LLVMTypeOf(value), g->i32);

    // By way of 32 bits with a sign, for which all processors have an instruction.
    if (d->is_narrow)
        return LLVMBuildSIToFP(g->b,
                               d->is_signed ? LLVMBuildSExt(g->b, value, words, "")
                                            : LLVMBuildZExt(g->b, value, words, ""),
                               type, "");
    return d->is_signed ? LLVMBuildSIToFP(g->b, value, type, "")
                        : LLVMBuildUIToFP(g->b, value, type, "");
}

static LLVMValueRef to_integer(struct gang *g, const struct division *d,
                               LLVMValueRef real, LLVMTypeRef type)
{
    if (d->is_narrow)
        return LLVMBuildTrunc(
            g->b, LLVMBuildFPToSI(g->b, real, type_like(type, g->i32), ""), type, "");
    return d->is_signed ? LLVMBuildFPToSI(g->b, real, type, "")
                        : LLVMBuildFPToUI(g->b, real, type, "");
}

// All lanes divide by the same: they multiply by its reciprocal, made a little larger so
// that no product is below the quotient. Three roundings err by 3 * 2^-53 (2^-24); the
// product is still below the next integer, which is 1 + 2^-32 (1 + 2^-16) away.
static LLVMValueRef reciprocal(struct gang *g, const struct division *d,
                               LLVMValueRef divisor)
{
    const LLVMValueRef real = to_real(g, d, divisor);
    const LLVMTypeRef type = LLVMTypeOf(real);
    const double larger = d->is_narrow ? 1 + 0x1p-21 : 1 + 0x1p-50;

    return LLVMBuildFMul(g->b, LLVMBuildFDiv(g->b, splat_real(type, 1), real, ""),
                         splat_real(type, larger), "");
}

static LLVMValueRef by_reciprocal(struct gang *g, const struct division *d,
                                  LLVMValueRef dividend, LLVMValueRef by)
{
    const LLVMValueRef real =
        LLVMBuildFMul(g->b, to_real(g, d, dividend),
                      gang_splat(g, reciprocal(g, d, gang_scalar(g, by))), "");

    return to_integer(g, d, real, LLVMTypeOf(dividend));
}

// A signed divisor that is the same for all lanes, but 1 where the quotient would not be
// defined (wg/traps.c), which depends on the dividend.
static bool is_nearly_uniform(const struct gang *g, const struct tf_value *v)
{
    const LLVMValueRef by = LLVMGetOperand(v->instruction, 1);
    const struct tf_value *choice = tf_shape_value(&g->shapes, by);
    LLVMValueRef one;

    if (!choice || choice->opcode != LLVMSelect || choice->block != v->block)
        return false;
    one = LLVMGetOperand(by, 1);
    return LLVMIsAConstantInt(one) && LLVMConstIntGetZExtValue(one) == 1 &&
           tf_is_uniform(&g->shapes, LLVMGetOperand(by, 2));
}

static LLVMValueRef quotient(struct gang *g, const struct division *d,
                             const struct tf_value *v, LLVMValueRef dividend,
                             LLVMValueRef divisor)
{
    const LLVMValueRef by = LLVMGetOperand(v->instruction, 1);
    LLVMValueRef real;

    if (tf_is_uniform(&g->shapes, by))
        return by_reciprocal(g, d, dividend, by);
    if (is_nearly_uniform(g, v))
        return gang_blend(g, gang_vector(g, LLVMGetOperand(by, 0)), dividend,
                          by_reciprocal(g, d, dividend, LLVMGetOperand(by, 2)),
                          LLVMTypeOf(v->instruction));
    real = LLVMBuildFDiv(g->b, to_real(g, d, dividend), to_real(g, d, divisor), "");
    return to_integer(g, d, real, LLVMTypeOf(dividend));
}

bool gang_divides_as_real(const struct tf_value *v)
{
    const LLVMTypeRef element = element_of(LLVMTypeOf(v->instruction));

    return LLVMGetIntTypeWidth(element) <= DOUBLE_BITS &&
           LLVMGetIntTypeWidth(element) >= 8 &&
           !LLVMIsAConstant(LLVMGetOperand(v->instruction, 1));
}

// Lanes that are not active divide by 1.
static LLVMValueRef safe_divisor(struct gang *g, const struct tf_value *v)
{
    const LLVMValueRef divisor = gang_vector(g, LLVMGetOperand(v->instruction, 1));
    LLVMValueRef one;

    if (!g->mask)
        return divisor;
    one = LLVMBuildSub(g->b, LLVMConstNull(LLVMTypeOf(divisor)),
                       LLVMConstAllOnes(LLVMTypeOf(divisor)), "");
    return gang_blend(g, g->mask, divisor, one, LLVMTypeOf(v->instruction));
}

LLVMValueRef gang_divide(struct gang *g, const struct tf_value *v)
{
    const LLVMValueRef dividend = gang_vector(g, LLVMGetOperand(v->instruction, 0));
    const LLVMValueRef divisor = safe_divisor(g, v);
    const unsigned bits = LLVMGetIntTypeWidth(element_of(LLVMTypeOf(v->instruction)));
    struct division d = {
        .is_signed = v->opcode == LLVMSDiv || v->opcode == LLVMSRem,
        .is_narrow = bits <= FLOAT_BITS,
    };
    LLVMValueRef q;

    if (!gang_divides_as_real(v))
        return LLVMBuildBinOp(g->b, v->opcode, dividend, divisor, "");
    d.real = d.is_narrow ? LLVMFloatTypeInContext(g->wg->context)
                         : LLVMDoubleTypeInContext(g->wg->context);
    q = quotient(g, &d, v, dividend, divisor);
    if (v->opcode == LLVMUDiv || v->opcode == LLVMSDiv)
        return q;
    return LLVMBuildSub(g->b, dividend, LLVMBuildMul(g->b, q, divisor, ""), "");
}
