// SPDX-License-Identifier: MIT
// Loads whose elements lie close together in most gangs (plan/permute.h): 16 lanes take
// theirs out of the 16 elements up to the last lane's, or each lane has the next element
// of a whole vector. No masks: loads with masks are not foreseen by the processor, and
// wait for memory as gathers do.
#include "compiler/workgroup/gang/memory/gang_access.h"
#include "compiler/workgroup/plan/permute.h"

enum { LANES = TF_WINDOW_LANES };

static LLVMValueRef sixteen(struct gang *g, LLVMValueRef scalar)
{
    const LLVMTypeRef type = LLVMVectorType(LLVMTypeOf(scalar), LANES);
    const LLVMValueRef zero = LLVMConstNull(LLVMVectorType(g->i32, LANES));

    return LLVMBuildShuffleVector(
        g->b,
        LLVMBuildInsertElement(g->b, LLVMGetPoison(type), scalar, gang_int(g, 0), ""),
        LLVMGetPoison(type), zero, "");
}

// Sixteen lanes of a vector, from `start` on.
static LLVMValueRef cut(struct gang *g, LLVMValueRef vector, unsigned start)
{
    int from[LANES];

    for (unsigned i = 0; i < LANES; i++)
        from[i] = (int)(start + i);
    return gang_permute(g, vector, NULL, from, LANES);
}

static LLVMValueRef splat_of(struct gang *g, uint64_t n)
{
    return sixteen(g, gang_int(g, n));
}

// Of sixteen lanes: the window ends with the last one's element.
struct part {
    LLVMValueRef last;   // its index
    LLVMValueRef behind; // each lane's index: how far it is before that one
};

static struct part part_of(struct gang *g, const struct tf_window *w, unsigned start)
{
    const LLVMValueRef index = cut(g, gang_vector(g, w->index), start);
    struct part p;

    p.last = LLVMBuildExtractElement(g->b, index, gang_int(g, LANES - 1), "");
    p.behind = LLVMBuildSub(g->b, sixteen(g, p.last), index, "");
    return p;
}

static LLVMValueRef none(struct gang *g, LLVMValueRef lanes)
{
    const LLVMTypeRef type = LLVMIntTypeInContext(g->wg->context, LANES);

    return LLVMBuildICmp(g->b, LLVMIntEQ, LLVMBuildBitCast(g->b, lanes, type, ""),
                         LLVMConstNull(type), "");
}

// The address that lanes share, and what lies between it and a lane's element, are of one
// object: the window reaches before neither.
static LLVMValueRef part_fits(struct gang *g, const struct part *p)
{
    const LLVMValueRef beyond =
        LLVMBuildICmp(g->b, LLVMIntUGE, p->behind, splat_of(g, LANES), "");

    return LLVMBuildAnd(g->b, none(g, beyond),
                        LLVMBuildICmp(g->b, LLVMIntSGE, p->last, gang_int(g, LANES), ""),
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
    for (unsigned start = 0; start < g->width; start += LANES) {
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

// Sixteen elements' bits in words, so many before the last one's end.
static LLVMValueRef elements_before(struct gang *g, const struct tf_access *a,
                                    LLVMValueRef last, uint64_t count)
{
    const LLVMTypeRef bits =
        LLVMIntTypeInContext(g->wg->context, (unsigned)a->element_bytes * 8);
    const uint64_t back = (count - 1) * a->element_bytes;
    LLVMValueRef offset = LLVMConstInt(g->i64, 0 - back, true), at, made;

    at = LLVMBuildGEP2(g->b, g->wg->i8, last, &offset, 1, "");
    made = LLVMBuildLoad2(g->b, LLVMVectorType(bits, LANES), at, "");
    LLVMSetAlignment(made, (unsigned)a->element_bytes < a->align_bytes
                               ? (unsigned)a->element_bytes
                               : a->align_bytes);
    made = gang_keep_promises(g, a->instruction, made);
    return LLVMBuildZExt(g->b, made, LLVMVectorType(g->i32, LANES), "");
}

// Instructions by their names: what LLVM makes them of is no longer in one block when the
// indices are the same in all rounds of a loop.
static LLVMValueRef take_part(struct gang *g, const struct tf_access *a,
                              const struct tf_window *w, unsigned start)
{
    const struct part p = part_of(g, w, start);
    const LLVMTypeRef type = LLVMVectorType(a->type, LANES);
    const LLVMValueRef last = address_of(g, w, p.last, w->offset_bytes);
    LLVMValueRef made, args[3];
    LLVMTypeRef bits;

    args[0] = elements_before(g, a, last, (uint64_t)LANES * w->words);
    if (w->words == 1) {
        args[1] = LLVMBuildSub(g->b, splat_of(g, LANES - 1), p.behind, "");
        made = gang_intrinsic(g, "llvm.x86.avx512.permvar.si.512", NULL, 0, args, 2);
    } else {
        args[1] = LLVMBuildSub(g->b, splat_of(g, 2 * LANES - 1),
                               LLVMBuildAdd(g->b, p.behind, p.behind, ""), "");
        args[2] = elements_before(g, a, last, LANES);
        made = gang_intrinsic(g, "llvm.x86.avx512.vpermi2var.d.512", NULL, 0, args, 3);
    }
    bits = LLVMIntTypeInContext(g->wg->context, (unsigned)a->element_bytes * 8);
    made = LLVMBuildTrunc(g->b, made, LLVMVectorType(bits, LANES), "");
    return LLVMBuildBitCast(g->b, made, type, "");
}

static LLVMValueRef join(struct gang *g, LLVMValueRef low, LLVMValueRef high)
{
    const unsigned have = LLVMGetVectorSize(LLVMTypeOf(low)), all = have + LANES;
    int *from = TF_ARENA_NEW(&g->arena, int, all);
    int wide[LANES * 4];

    if (have > LANES) { // both of one length
        for (unsigned i = 0; i < have; i++)
            wide[i] = i < LANES ? (int)i : -1;
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
        const LLVMValueRef at =
            address_of(g, w, LLVMBuildExtractElement(g->b, index, gang_int(g, 0), ""), 0);
        const LLVMValueRef made = LLVMBuildLoad2(g->b, gang_type(g, a->type), at, "");

        LLVMSetAlignment(made, a->align_bytes);
        return gang_keep_promises(g, a->instruction, made);
    }
    for (unsigned start = 0; start < g->width; start += LANES) {
        const LLVMValueRef one = take_part(g, a, w, start);

        all = all ? join(g, all, one) : one;
    }
    return all;
}
