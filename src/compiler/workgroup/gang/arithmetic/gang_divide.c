// SPDX-License-Identifier: MIT
// Division of integers. Processors divide vectors of floating-point numbers only, and
// LLVM divides vectors of integers one by one. A quotient of numbers of 32 bits is exact
// in double, one of 16 bits in float: a / b, rounded to the nearest, is below the next
// integer q + 1 because that is further away, by a factor of 1 + 1 / a, than rounding
// errs. Nobody divides by zero here (workgroup/item/traps.c), and no quotient leaves its
// type.
#include "compiler/workgroup/gang/arithmetic/gang_divide.h"

#include "compiler/workgroup/analysis/operation/divisor.h"
#include "compiler/workgroup/gang/arithmetic/gang_arithmetic.h"

enum { FLOAT_BITS = 16 }; // integers that float divides exactly; double those of 32

LLVMTypeRef gang_divide_element(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type;
}

LLVMTypeRef gang_divide_type(LLVMTypeRef like, LLVMTypeRef element)
{
    return LLVMGetTypeKind(like) == LLVMVectorTypeKind
               ? LLVMVectorType(element, LLVMGetVectorSize(like))
               : element;
}

LLVMValueRef gang_divide_real(LLVMTypeRef type, double value)
{
    enum { MAX_ELEMENTS = 1024 };
    LLVMValueRef elements[MAX_ELEMENTS], one;

    one = LLVMConstReal(gang_divide_element(type), value);
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
    const LLVMTypeRef type = gang_divide_type(LLVMTypeOf(value), d->real);
    const LLVMTypeRef words = gang_divide_type(LLVMTypeOf(value), g->i32);

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
            g->b, LLVMBuildFPToSI(g->b, real, gang_divide_type(type, g->i32), ""), type,
            "");
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

    return LLVMBuildFMul(g->b, LLVMBuildFDiv(g->b, gang_divide_real(type, 1), real, ""),
                         gang_divide_real(type, larger), "");
}

static LLVMValueRef by_reciprocal(struct gang *g, const struct division *d,
                                  LLVMValueRef dividend, LLVMValueRef by)
{
    const LLVMValueRef real =
        LLVMBuildFMul(g->b, to_real(g, d, dividend),
                      gang_splat(g, reciprocal(g, d, gang_scalar(g, by))), "");

    return to_integer(g, d, real, LLVMTypeOf(dividend));
}

static LLVMValueRef quotient(struct gang *g, const struct division *d,
                             const struct tf_value *v, LLVMValueRef dividend,
                             LLVMValueRef divisor)
{
    const struct tf_divisor by = tf_divisor_of(g->shapes, v);
    LLVMValueRef real;

    if (by.value) {
        real = by_reciprocal(g, d, dividend, by.value);
        return by.unless ? gang_blend(g, gang_vector(g, by.unless), dividend, real,
                                      LLVMTypeOf(v->instruction))
                         : real;
    }
    real = LLVMBuildFDiv(g->b, to_real(g, d, dividend), to_real(g, d, divisor), "");
    return to_integer(g, d, real, LLVMTypeOf(dividend));
}

static bool divides_any(LLVMValueRef element)
{
    return element && LLVMIsAConstantInt(element) && !LLVMIsNull(element) &&
           LLVMConstIntGetSExtValue(element) != -1;
}

// A constant that any number can be divided by, which the processor then does with
// products and shifts.
static bool divides_all(LLVMValueRef divisor)
{
    const LLVMTypeRef type = LLVMTypeOf(divisor);

    if (!LLVMIsAConstant(divisor) || LLVMGetTypeKind(type) != LLVMVectorTypeKind)
        return divides_any(divisor);
    for (unsigned i = 0; i < LLVMGetVectorSize(type); i++) {
        if (!divides_any(LLVMGetAggregateElement(divisor, i)))
            return false;
    }
    return true;
}

// Lanes that are not active divide by 1 where they might divide by 0.
static LLVMValueRef safe_divisor(struct gang *g, const struct tf_value *v)
{
    const LLVMValueRef by = LLVMGetOperand(v->instruction, 1);
    const LLVMValueRef divisor = gang_vector(g, by);
    LLVMValueRef one;

    if (!g->mask || divides_all(by))
        return divisor;
    one = LLVMBuildSub(g->b, LLVMConstNull(LLVMTypeOf(divisor)),
                       LLVMConstAllOnes(LLVMTypeOf(divisor)), "");
    return gang_blend(g, g->mask, divisor, one, LLVMTypeOf(v->instruction));
}

LLVMValueRef gang_divide(struct gang *g, const struct tf_value *v)
{
    const LLVMValueRef dividend = gang_vector(g, LLVMGetOperand(v->instruction, 0));
    const LLVMValueRef divisor = safe_divisor(g, v);
    const unsigned bits =
        LLVMGetIntTypeWidth(gang_divide_element(LLVMTypeOf(v->instruction)));
    struct division d = {
        .is_signed = tf_division_has_sign(v),
        .is_narrow = bits <= FLOAT_BITS,
    };
    LLVMValueRef q;

    if (gang_form(g, v) == TF_FORM_LONG_DIVISION)
        return gang_divide_long(g, v, divisor);
    if (gang_form(g, v) == TF_FORM_VECTOR)
        return LLVMBuildBinOp(g->b, v->opcode, dividend, divisor, "");
    d.real = d.is_narrow ? LLVMFloatTypeInContext(g->wg->context)
                         : LLVMDoubleTypeInContext(g->wg->context);
    q = quotient(g, &d, v, dividend, divisor);
    if (v->opcode == LLVMUDiv || v->opcode == LLVMSDiv)
        return q;
    return LLVMBuildSub(g->b, dividend, LLVMBuildMul(g->b, q, divisor, ""), "");
}
