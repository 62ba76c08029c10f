// SPDX-License-Identifier: MIT
// Where gangs begin. The local id of a gang's first lane is a multiple of its lanes: rows
// are cut from their beginning. So are sums with what is a multiple of more, and of these
// the low bits are those of the lane: `i < 256` is the same for all lanes, `i % 16` goes
// on from lane to lane and `i / 16` does not, if a gang has 16 lanes at most.
#include "compiler/workgroup/analysis/aligned.h"

#include <llvm-c/Core.h>

enum {
    NONE = -1,
    ANY = 64, // of nothing: 0, or what a loop begins with decides
    MOST_VALUES = 64,
    MOST_PHIS = 4,
};

// Multiples are counted in lanes, as powers of two.
struct search {
    const struct tf_shapes *s;
    unsigned left; // values that may still be looked at
    LLVMValueRef phis[MOST_PHIS];
    unsigned phi_count; // that are being looked at
};

static unsigned log2_of(unsigned power)
{
    return (unsigned)__builtin_ctz(power);
}

static int min(int a, int b)
{
    return a < b ? a : b;
}

static int max(int a, int b)
{
    return a > b ? a : b;
}

static int of_number(const struct tf_shapes *s, uint64_t number)
{
    if (number == 0)
        return ANY;
    return max(__builtin_ctzll(number) - (int)log2_of(s->most_lanes), NONE);
}

static int find(struct search *k, LLVMValueRef value);

static int of_operand(struct search *k, LLVMValueRef i, unsigned at)
{
    return find(k, LLVMGetOperand(i, at));
}

static int times(int a, unsigned factor_bits)
{
    return a == NONE ? NONE : min(a + (int)factor_bits, ANY);
}

static bool constant(LLVMValueRef value, uint64_t *number)
{
    if (!LLVMIsAConstantInt(value) || LLVMGetIntTypeWidth(LLVMTypeOf(value)) > 64)
        return false;
    *number = LLVMConstIntGetZExtValue(value);
    return true;
}

static int of_product(struct search *k, LLVMValueRef i)
{
    const int a = of_operand(k, i, 0), b = of_operand(k, i, 1);
    uint64_t factor;

    if (a != NONE && constant(LLVMGetOperand(i, 1), &factor) && factor)
        return times(a, (unsigned)__builtin_ctzll(factor));
    return max(a, b);
}

static int of_shift(struct search *k, LLVMValueRef i)
{
    const int a = of_operand(k, i, 0);
    uint64_t by;

    if (!constant(LLVMGetOperand(i, 1), &by) || by > 63)
        return NONE;
    if (LLVMGetInstructionOpcode(i) == LLVMShl)
        return max(times(a, (unsigned)by), of_number(k->s, (uint64_t)1 << by));
    // What goes round would be a multiple of less each time.
    return a == ANY || a < (int)by || k->phi_count > 0 ? NONE : a - (int)by;
}

// What comes round is a multiple of what the others are, if steps are.
static int of_phi(struct search *k, LLVMValueRef phi)
{
    int least = ANY;

    for (unsigned i = 0; i < k->phi_count; i++) {
        if (k->phis[i] == phi)
            return ANY;
    }
    if (k->phi_count == MOST_PHIS)
        return NONE;
    k->phis[k->phi_count++] = phi;
    for (unsigned i = 0; i < LLVMCountIncoming(phi) && least != NONE; i++)
        least = min(least, find(k, LLVMGetIncomingValue(phi, i)));
    k->phi_count--;
    return least;
}

static int of_instruction(struct search *k, LLVMValueRef i)
{
    switch ((int)LLVMGetInstructionOpcode(i)) {
    case LLVMCall:
        return tf_shape_root(i) == 0 && !k->s->turned ? 0 : NONE;
    case LLVMAdd:
    case LLVMSub:
    case LLVMOr:
    case LLVMURem:
        return min(of_operand(k, i, 0), of_operand(k, i, 1));
    case LLVMAnd:
        return max(of_operand(k, i, 0), of_operand(k, i, 1));
    case LLVMMul:
        return of_product(k, i);
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
        return of_shift(k, i);
    case LLVMZExt:
    case LLVMSExt:
    case LLVMTrunc:
    case LLVMFreeze:
        return of_operand(k, i, 0);
    case LLVMPHI:
        return of_phi(k, i);
    default:
        return NONE;
    }
}

static int find(struct search *k, LLVMValueRef value)
{
    uint64_t number;

    if (constant(value, &number))
        return of_number(k->s, number);
    if (!LLVMIsAInstruction(value) || k->left == 0 ||
        LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMIntegerTypeKind)
        return NONE;
    k->left--;
    return of_instruction(k, value);
}

bool tf_is_aligned(const struct tf_shapes *s, LLVMValueRef value, unsigned stride_bits)
{
    struct search k = {.s = s, .left = MOST_VALUES};

    return s->most_lanes > 0 && find(&k, value) >= (int)stride_bits;
}

int tf_aligned_stride(const struct tf_shapes *s, LLVMValueRef value)
{
    const struct tf_shape shape = tf_shape_of(s, value);
    const LLVMTypeRef type = LLVMTypeOf(value);
    int bits;

    if (!s->most_lanes || shape.kind != TF_SHAPE_AFFINE || shape.stride <= 0 ||
        (shape.stride & (shape.stride - 1)) != 0 ||
        LLVMGetTypeKind(type) != LLVMIntegerTypeKind)
        return NONE;
    bits = __builtin_ctzll((uint64_t)shape.stride);
    if (bits + (int)log2_of(s->most_lanes) >= (int)LLVMGetIntTypeWidth(type))
        return NONE;
    return tf_is_aligned(s, value, (unsigned)bits) ? bits : NONE;
}

bool tf_is_block(const struct tf_shapes *s, uint64_t number, unsigned stride_bits)
{
    return of_number(s, number) >= (int)stride_bits;
}
