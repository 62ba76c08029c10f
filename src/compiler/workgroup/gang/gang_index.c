// SPDX-License-Identifier: MIT
#include "compiler/workgroup/gang/gang_index.h"

#include "compiler/workgroup/analysis/index.h"

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
    const LLVMValueRef lanes = tf_index_lanes(g->shapes, v->instruction);
    LLVMValueRef first, last, other;
    uint64_t steps;

    if (!lanes) // the same for all lanes, now that more is taken for granted
        return LLVMConstInt(g->i1, 1, false);
    first = gang_scalar(g, lanes);
    other = gang_scalar(g, tf_index_other(v->instruction, lanes));
    steps = (uint64_t)tf_shape_of(g->shapes, lanes).stride * (g->width - 1);
    last = LLVMBuildAdd(g->b, first, number(first, steps), "");
    if (v->opcode == LLVMAnd)
        return keeps_bits(g, first, last, other);
    return keeps_quotient(g, first, last, other,
                          v->opcode == LLVMSDiv || v->opcode == LLVMSRem);
}

LLVMValueRef gang_converted(struct gang *g, LLVMValueRef conversion)
{
    return LLVMBuildFPToSI(g->b, gang_vector(g, LLVMGetOperand(conversion, 0)),
                           gang_type(g, LLVMTypeOf(conversion)), "");
}
