// SPDX-License-Identifier: MIT
#include "compiler/workgroup/analysis/operation/divisor.h"

enum { MAX_REAL_BITS = 32, LONG_BITS = 64 };

// A guarded divisor is select(bad, 1, divisor); a signed one may be bad for some lanes
// only, because that depends on the dividend.
struct tf_divisor tf_divisor_of(const struct tf_shapes *s, const struct tf_value *v)
{
    const LLVMValueRef by = LLVMGetOperand(v->instruction, 1);
    const struct tf_value *choice = tf_shape_value(s, by);
    struct tf_divisor none = {0}, all = {.value = by}, most;
    LLVMValueRef one;

    if (tf_is_uniform(s, by))
        return all;
    if (!choice || choice->opcode != LLVMSelect || choice->block != v->block)
        return none;
    one = LLVMGetOperand(by, 1);
    if (!LLVMIsAConstantInt(one) || LLVMConstIntGetZExtValue(one) != 1 ||
        !tf_is_uniform(s, LLVMGetOperand(by, 2)))
        return none;
    most.value = LLVMGetOperand(by, 2);
    most.unless = LLVMGetOperand(by, 0);
    return most;
}

bool tf_division_has_sign(const struct tf_value *v)
{
    return v->opcode == LLVMSDiv || v->opcode == LLVMSRem;
}

static unsigned bits_of(const struct tf_value *v)
{
    const LLVMTypeRef type = LLVMTypeOf(v->instruction);

    return LLVMGetIntTypeWidth(
        LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type);
}

bool tf_divides_as_real(const struct tf_value *v)
{
    return bits_of(v) <= MAX_REAL_BITS && bits_of(v) >= 8 &&
           !LLVMIsAConstant(LLVMGetOperand(v->instruction, 1));
}

static bool is_power_of_two(uint64_t n)
{
    return (n & (n - 1)) == 0;
}

// By small constants; LLVM shifts for powers of two.
static bool is_fit_constant(LLVMValueRef divisor, bool is_signed)
{
    uint64_t n;

    if (!LLVMIsAConstantInt(divisor))
        return false;
    n = LLVMConstIntGetZExtValue(divisor);
    if (is_signed && (int64_t)n < 0)
        n = -n;
    return !is_power_of_two(n) && n >> TF_DIVISOR_SMALL_BITS == 0;
}

bool tf_divides_long(const struct tf_value *v)
{
    const LLVMValueRef by = LLVMGetOperand(v->instruction, 1);

    return bits_of(v) == LONG_BITS &&
           (!LLVMIsAConstant(by) || is_fit_constant(by, tf_division_has_sign(v)));
}
