// SPDX-License-Identifier: MIT
#include "compiler/workgroup/gang/gang_index.h"

enum {
    MAX_STRIDE = 1 << 20, // 64 lanes wrap once at most
    MAX_DEPTH = 6,        // of arithmetic between the index and the address
    MIN_GANGS = 4,        // in one round of a constant divisor or mask
};

static bool is_constant(LLVMValueRef value, uint64_t *out)
{
    if (!LLVMIsAConstantInt(value))
        return false;
    *out = LLVMConstIntGetZExtValue(value);
    return true;
}

// ---- what it is

// The operand that differs from lane to lane, at equal distances; the other one is the
// same for all. NULL where that is not so.
static LLVMValueRef lanes_of(const struct tf_shapes *s, LLVMValueRef i)
{
    const bool either = LLVMGetInstructionOpcode(i) == LLVMAnd;

    for (unsigned at = 0; at <= (unsigned)either; at++) {
        const struct tf_shape shape = tf_shape_of(s, LLVMGetOperand(i, at));

        if (shape.kind == TF_SHAPE_AFFINE && shape.stride > 0 &&
            shape.stride < MAX_STRIDE && tf_is_uniform(s, LLVMGetOperand(i, 1 - at)))
            return LLVMGetOperand(i, at);
    }
    return NULL;
}

static LLVMValueRef other_of(LLVMValueRef i, LLVMValueRef lanes)
{
    return LLVMGetOperand(i, LLVMGetOperand(i, 0) == lanes);
}

// Ones at the low end of `mask`, all of them.
static uint64_t low_ones(uint64_t mask)
{
    return (~mask & (mask + 1)) - 1;
}

// False for what many gangs would find to be otherwise.
static bool is_long(const struct gang *g, LLVMValueRef i, LLVMValueRef lanes)
{
    const uint64_t stride = (uint64_t)tf_shape_of(&g->shapes, lanes).stride;
    const uint64_t least = MIN_GANGS * g->width * stride;
    uint64_t n;

    if (!is_constant(other_of(i, lanes), &n))
        return true; // most are sizes of arrays
    return (LLVMGetInstructionOpcode(i) == LLVMAnd ? low_ones(n) : n) >= least;
}

static bool makes_address(LLVMValueRef value, unsigned depth)
{
    for (LLVMUseRef u = LLVMGetFirstUse(value); u; u = LLVMGetNextUse(u)) {
        const LLVMValueRef user = LLVMGetUser(u);

        if (!LLVMIsAInstruction(user))
            continue;
        switch ((int)LLVMGetInstructionOpcode(user)) {
        case LLVMLoad:
            return true;
        case LLVMStore:
            if (LLVMGetOperand(user, 1) == value)
                return true;
            break;
        case LLVMAdd:
        case LLVMSub:
        case LLVMAnd:
        case LLVMOr:
        case LLVMUDiv:
        case LLVMSDiv:
        case LLVMURem:
        case LLVMSRem:
        case LLVMMul:
        case LLVMShl:
        case LLVMTrunc:
        case LLVMZExt:
        case LLVMSExt:
        case LLVMGetElementPtr:
            if (depth && makes_address(user, depth - 1))
                return true;
            break;
        default:
            break;
        }
    }
    return false;
}

bool gang_is_index(const struct gang *g, const struct tf_value *v)
{
    const LLVMValueRef i = v->instruction;
    const LLVMTypeRef type = LLVMTypeOf(i);
    LLVMValueRef lanes;

    switch ((int)v->opcode) {
    case LLVMAnd:
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
        break;
    default:
        return false;
    }
    // What is affine but for a wrap is tested where it is used.
    if (v->shape.unless || LLVMGetTypeKind(type) != LLVMIntegerTypeKind ||
        LLVMGetIntTypeWidth(type) < 32 || LLVMGetIntTypeWidth(type) > 64)
        return false;
    lanes = lanes_of(&g->shapes, i);
    return lanes && is_long(g, i, lanes) && makes_address(i, MAX_DEPTH);
}

// ---- whether it is so

static LLVMValueRef number(LLVMValueRef like, uint64_t n)
{
    return LLVMConstInt(LLVMTypeOf(like), n, false);
}

// Only bits below the lowest zero of the mask differ between the first and the last lane:
// then the others are between them, and keep these bits. A mask of all ones has no zero:
// all that can happen is that the lanes wrap.
static LLVMValueRef keeps_bits(struct gang *g, LLVMValueRef first, LLVMValueRef last,
                               LLVMValueRef mask)
{
    const LLVMValueRef zero =
        LLVMBuildAnd(g->b, LLVMBuildNot(g->b, mask, ""),
                     LLVMBuildAdd(g->b, mask, number(mask, 1), ""), "");

    return LLVMBuildAnd(g->b,
                        LLVMBuildICmp(g->b, LLVMIntULE,
                                      LLVMBuildXor(g->b, first, last, ""),
                                      LLVMBuildSub(g->b, zero, number(zero, 1), ""), ""),
                        LLVMBuildICmp(g->b, LLVMIntULE, first, last, ""), "");
}

// The last lane does not reach the next multiple of the divisor.
static LLVMValueRef keeps_quotient(struct gang *g, LLVMValueRef first, LLVMValueRef last,
                                   LLVMValueRef divisor, bool with_sign)
{
    const LLVMIntPredicate at_most = with_sign ? LLVMIntSLE : LLVMIntULE;
    const LLVMIntPredicate below = with_sign ? LLVMIntSLT : LLVMIntULT;
    const LLVMValueRef rest = with_sign ? LLVMBuildSRem(g->b, first, divisor, "")
                                        : LLVMBuildURem(g->b, first, divisor, "");
    const LLVMValueRef left = LLVMBuildSub(g->b, divisor, rest, "");
    const LLVMValueRef steps = LLVMBuildSub(g->b, last, first, "");
    LLVMValueRef keeps = LLVMBuildAnd(g->b, LLVMBuildICmp(g->b, at_most, first, last, ""),
                                      LLVMBuildICmp(g->b, below, steps, left, ""), "");

    if (!with_sign)
        return keeps;
    keeps = LLVMBuildAnd(g->b, keeps,
                         LLVMBuildICmp(g->b, at_most, number(first, 0), first, ""), "");
    return LLVMBuildAnd(g->b, keeps,
                        LLVMBuildICmp(g->b, below, number(divisor, 0), divisor, ""), "");
}

LLVMValueRef gang_index_keeps(struct gang *g, const struct tf_value *v)
{
    const LLVMValueRef lanes = lanes_of(&g->shapes, v->instruction);
    LLVMValueRef first, last, other;
    uint64_t steps;

    if (!lanes) // the same for all lanes, now that more is taken for granted
        return LLVMConstInt(g->i1, 1, false);
    first = gang_scalar(g, lanes);
    other = gang_scalar(g, other_of(v->instruction, lanes));
    steps = (uint64_t)tf_shape_of(&g->shapes, lanes).stride * (g->width - 1);
    last = LLVMBuildAdd(g->b, first, number(first, steps), "");
    if (v->opcode == LLVMAnd)
        return keeps_bits(g, first, last, other);
    return keeps_quotient(g, first, last, other,
                          v->opcode == LLVMSDiv || v->opcode == LLVMSRem);
}
