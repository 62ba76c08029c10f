// SPDX-License-Identifier: MIT
// Loads whose elements lie close together in most gangs (plan/permute.h): the lanes of a
// register, 8 or 16, take theirs out of as many elements up to the last lane's, or each
// lane has the next element of a whole vector. No masks: loads with masks are not
// foreseen by the processor, and wait for memory as gathers do.
#include "compiler/workgroup/gang/memory/gang_access.h"
#include "compiler/workgroup/plan/permute.h"

static LLVMValueRef spread(struct gang *g, LLVMValueRef scalar)
{
    const unsigned lanes = tf_window_lanes(g->plan);
    const LLVMTypeRef type = LLVMVectorType(LLVMTypeOf(scalar), lanes);
    const LLVMValueRef zero = LLVMConstNull(LLVMVectorType(g->i32, lanes));

    return LLVMBuildShuffleVector(
        g->b,
        LLVMBuildInsertElement(g->b, LLVMGetPoison(type), scalar, gang_int(g, 0), ""),
        LLVMGetPoison(type), zero, "");
}

// The lanes of one register, from `start` on.
static LLVMValueRef cut(struct gang *g, LLVMValueRef vector, unsigned start)
{
    const unsigned lanes = tf_window_lanes(g->plan);
    int from[TF_WINDOW_LANES_MAX];

    for (unsigned i = 0; i < lanes; i++)
        from[i] = (int)(start + i);
    return gang_permute(g, vector, NULL, from, lanes);
}

static LLVMValueRef splat_of(struct gang *g, uint64_t n)
{
    return spread(g, gang_int(g, n));
}

// Of a register's lanes: the window ends with the last one's element.
struct part {
    LLVMValueRef last;   // its index
    LLVMValueRef behind; // each lane's index: how far it is before that one
};

static struct part part_of(struct gang *g, const struct tf_window *w, unsigned start)
{
    const LLVMValueRef index = cut(g, gang_vector(g, w->index), start);
    struct part p;

    p.last = LLVMBuildExtractElement(g->b, index,
                                     gang_int(g, tf_window_lanes(g->plan) - 1), "");
    p.behind = LLVMBuildSub(g->b, spread(g, p.last), index, "");
    return p;
}

static LLVMValueRef none(struct gang *g, LLVMValueRef lanes)
{
    const LLVMTypeRef type =
        LLVMIntTypeInContext(g->wg->context, tf_window_lanes(g->plan));

    return LLVMBuildICmp(g->b, LLVMIntEQ, LLVMBuildBitCast(g->b, lanes, type, ""),
                         LLVMConstNull(type), "");
}

// The address that lanes share, and what lies between it and a lane's element, are of one
// object: the window reaches before neither.
static LLVMValueRef part_fits(struct gang *g, const struct part *p)
{
    const unsigned lanes = tf_window_lanes(g->plan);
    const LLVMValueRef beyond =
        LLVMBuildICmp(g->b, LLVMIntUGE, p->behind, splat_of(g, lanes), "");

    return LLVMBuildAnd(g->b, none(g, beyond),
                        LLVMBuildICmp(g->b, LLVMIntSGE, p->last, gang_int(g, lanes), ""),
                        "");
}

// Each lane has the next element.
static LLVMValueRef goes_on(struct gang *g, const struct tf_window *w)
{
    const LLVMValueRef index = gang_vector(g, w->index);
    const LLVMValueRef first = LLVMBuildExtractElement(g->b, index, gang_int(g, 0), "");
    const LLVMValueRef next =
        LLVMBuildAdd(g->b, gang_splat(g, first), gang_ramp(g, g->i32, 1), "");

    return LLVMBuildNot(g->b,
                        gang_any(g, LLVMBuildICmp(g->b, LLVMIntNE, index, next, "")), "");
}

LLVMValueRef gang_window_fits(struct gang *g, const struct tf_window *w)
{
    LLVMValueRef all = NULL;

    if (!w->permutes)
        return LLVMBuildFreeze(g->b, goes_on(g, w), "");
    for (unsigned start = 0; start < g->width; start += tf_window_lanes(g->plan)) {
        const struct part p = part_of(g, w, start);
        const LLVMValueRef one = part_fits(g, &p);

        all = all ? LLVMBuildAnd(g->b, all, one, "") : one;
    }
    return LLVMBuildFreeze(g->b, all, "");
}

static LLVMValueRef address_of(struct gang *g, const struct tf_window *w,
                               LLVMValueRef index, unsigned offset_bytes)
{
    LLVMValueRef at = LLVMBuildSExt(g->b, index, g->i64, "");
    LLVMValueRef offset = LLVMConstInt(g->i64, offset_bytes, false);

    at = LLVMBuildGEP2(g->b, LLVMGetGEPSourceElementType(w->address),
                       gang_scalar(g, LLVMGetOperand(w->address, 0)), &at, 1, "");
    return LLVMBuildGEP2(g->b, g->wg->i8, at, &offset, 1, "");
}

// The bits of a register's elements in words, so many before the last one's end.
static LLVMValueRef elements_before(struct gang *g, const struct tf_access *a,
                                    LLVMValueRef last, uint64_t count)
{
    const LLVMTypeRef bits =
        LLVMIntTypeInContext(g->wg->context, (unsigned)a->element_bytes * 8);
    const uint64_t back = (count - 1) * a->element_bytes;
    const unsigned lanes = tf_window_lanes(g->plan);
    LLVMValueRef offset = LLVMConstInt(g->i64, 0 - back, true), at, made;

    at = LLVMBuildGEP2(g->b, g->wg->i8, last, &offset, 1, "");
    made = LLVMBuildLoad2(g->b, LLVMVectorType(bits, lanes), at, "");
    LLVMSetAlignment(made, (unsigned)a->element_bytes < a->align_bytes
                               ? (unsigned)a->element_bytes
                               : a->align_bytes);
    made = gang_keep_promises(g, a->instruction, made);
    return LLVMBuildZExt(g->b, made, LLVMVectorType(g->i32, lanes), "");
}

// Instructions by their names: what LLVM makes them of is no longer in one block when the
// indices are the same in all rounds of a loop. Of an index the lowest bits count.
static LLVMValueRef permute(struct gang *g, LLVMValueRef from, LLVMValueRef index)
{
    LLVMValueRef args[2] = {from, index};

    return gang_intrinsic(g,
                          tf_window_lanes(g->plan) == TF_WINDOW_LANES_MAX
                              ? "llvm.x86.avx512.permvar.si.512"
                              : "llvm.x86.avx2.permd",
                          NULL, 0, args, 2);
}

// Out of two registers.
static LLVMValueRef permute_both(struct gang *g, LLVMValueRef low, LLVMValueRef high,
                                 LLVMValueRef index)
{
    const unsigned lanes = tf_window_lanes(g->plan);
    LLVMValueRef args[3] = {low, index, high};

    if (lanes == TF_WINDOW_LANES_MAX)
        return gang_intrinsic(g, "llvm.x86.avx512.vpermi2var.d.512", NULL, 0, args, 3);
    return LLVMBuildSelect(g->b,
                           LLVMBuildICmp(g->b, LLVMIntUGE, index, splat_of(g, lanes), ""),
                           permute(g, high, index), permute(g, low, index), "");
}

static LLVMValueRef take_part(struct gang *g, const struct tf_access *a,
                              const struct tf_window *w, unsigned start)
{
    const unsigned lanes = tf_window_lanes(g->plan);
    const struct part p = part_of(g, w, start);
    const LLVMTypeRef type = LLVMVectorType(a->type, lanes);
    const LLVMValueRef last = address_of(g, w, p.last, w->offset_bytes);
    const LLVMValueRef low = elements_before(g, a, last, (uint64_t)lanes * w->words);
    LLVMValueRef made, index;
    LLVMTypeRef bits;

    if (w->words == 1) {
        index = LLVMBuildSub(g->b, splat_of(g, lanes - 1), p.behind, "");
        made = permute(g, low, index);
    } else {
        index = LLVMBuildSub(g->b, splat_of(g, 2 * lanes - 1),
                             LLVMBuildAdd(g->b, p.behind, p.behind, ""), "");
        made = permute_both(g, low, elements_before(g, a, last, lanes), index);
    }
    bits = LLVMIntTypeInContext(g->wg->context, (unsigned)a->element_bytes * 8);
    made = LLVMBuildTrunc(g->b, made, LLVMVectorType(bits, lanes), "");
    return LLVMBuildBitCast(g->b, made, type, "");
}

static LLVMValueRef join(struct gang *g, LLVMValueRef low, LLVMValueRef high)
{
    const unsigned lanes = tf_window_lanes(g->plan);
    const unsigned have = LLVMGetVectorSize(LLVMTypeOf(low)), all = have + lanes;
    int *from = TF_ARENA_NEW(&g->arena, int, all);
    int *wide = TF_ARENA_NEW(&g->arena, int, have);

    if (have > lanes) { // both of one length
        for (unsigned i = 0; i < have; i++)
            wide[i] = i < lanes ? (int)i : -1;
        high = gang_permute(g, high, NULL, wide, have);
    }
    for (unsigned i = 0; i < all; i++)
        from[i] = (int)i;
    return gang_permute(g, low, high, from, all);
}

LLVMValueRef gang_window_take(struct gang *g, const struct tf_access *a,
                              const struct tf_window *w)
{
    LLVMValueRef all = NULL;

    if (!w->permutes) {
        const LLVMValueRef index = gang_vector(g, w->index);
        const LLVMValueRef first =
            LLVMBuildExtractElement(g->b, index, gang_int(g, 0), "");
        const LLVMValueRef at = address_of(g, w, first, w->offset_bytes);
        const LLVMValueRef made = LLVMBuildLoad2(g->b, gang_type(g, a->type), at, "");

        LLVMSetAlignment(made, a->align_bytes);
        return gang_keep_promises(g, a->instruction, made);
    }
    for (unsigned start = 0; start < g->width; start += tf_window_lanes(g->plan)) {
        const LLVMValueRef one = take_part(g, a, w, start);

        all = all ? join(g, all, one) : one;
    }
    return all;
}
