// SPDX-License-Identifier: MIT
// for (k = 0; k < n; k++) sum += a[i * n + k] * x[k] has lanes that are a row apart: each
// round gathers one number of each row, and comes back to the same lines of the cache in
// the next one. With as many rounds as fill a line in one, the plan finds neighbours
// (plan/bundle.h). The rounds stay in their order, and so do all sums; LLVM's
// unroller sees to what is left at the end.
#include "compiler/workgroup/prepare/strips.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>

#include "compiler/ir/ir_util.h"
#include "compiler/workgroup/analysis/access.h"
#include "compiler/workgroup/analysis/place.h"
#include "compiler/workgroup/kernel/wg.h"
#include "compiler/workgroup/plan/bundle.h"
#include "compiler/workgroup/prepare/rounds/carry.h"

enum {
    LINE_BYTES = 64,         // of a cache
    MOST_ROUNDS = 16,        // in one
    LEAST_ROUNDS = 8,        // of the largest elements
    MOST_INSTRUCTIONS = 640, // of all these rounds
    SHORT_BITS = 128,
    NEAR_BYTES = 128, // lanes this near lie in few lines: bundles serve them
};

struct search {
    const struct tf_wg *wg;
    const struct tf_facts *f;
    const struct tf_shapes *s;
    unsigned block; // all of the loop
    bool stores;    // along rows
    bool waits;     // some loop of the function does (prepare/rounds/carry.h)
};

// ---- what lanes walk along

static bool are_far_apart(struct tf_shape shape)
{
    return (shape.kind == TF_SHAPE_VARYING && !shape.unless) ||
           (shape.kind == TF_SHAPE_AFFINE &&
            (shape.stride > NEAR_BYTES || shape.stride < -NEAR_BYTES));
}

// Rounds of whole numbers may change their order: LLVM makes vectors of a work-item's
// own, and where registers are that short lanes are no faster.
static bool does_without(const struct search *w, const struct tf_access *a)
{
    return w->wg->wishes->target.vector_bits <= SHORT_BITS &&
           LLVMGetTypeKind(a->element) == LLVMIntegerTypeKind;
}

// Whether what the rounds load and store at these places stays in its order where the
// accesses of several rounds are made at once: it never meets, or rounds take one row at
// constant distances, of which LLVM hands on what one round stores and another loads.
static bool keep_clear(const struct search *w, const struct tf_value *a,
                       const struct tf_place *at_a, const struct tf_value *b)
{
    const struct tf_access other = tf_access_of(w->s->layout, b->instruction);
    const struct tf_place at_b = tf_place_of(w->s->layout, other.pointer);

    return tf_place_apart(a->instruction, at_a, b->instruction, &at_b) ||
           (!tf_access_is_local(&other) && tf_place_same_base(at_a, &at_b));
}

static bool meets_none(const struct search *w, const struct tf_value *v,
                       const struct tf_place *place)
{
    for (const struct tf_value *x = tf_block_first(w->s, w->block);
         x < tf_block_end(w->s, w->block); x++) {
        const bool counts =
            x->opcode == LLVMStore || (x->opcode == LLVMLoad && v->opcode == LLVMStore);

        if (counts && x != v && !keep_clear(w, v, place, x))
            return false;
    }
    return true;
}

// Whether an access walks along a row of its lane, and no other of the loop stands in its
// way.
static bool walks(const struct search *w, const struct tf_value *v)
{
    const struct tf_access a = tf_access_of(w->s->layout, v->instruction);
    const int64_t bytes = (int64_t)a.element_bytes;
    struct tf_place place;
    int64_t stride;

    if (a.count != 1 || bytes == 0 || bytes > 8 ||
        LLVMGetTypeKind(a.element) == LLVMPointerTypeKind ||
        LLVMGetPointerAddressSpace(LLVMTypeOf(a.pointer)) == TF_AS_PRIVATE ||
        (v->opcode == LLVMStore && tf_access_is_local(&a)) ||
        !tf_strip_members(w->f->of.lanes, a.element_bytes) ||
        !are_far_apart(tf_shape_of(w->s, a.pointer)) || does_without(w, &a))
        return false;
    stride = tf_place_step(w->s->layout, a.pointer, w->f->cfg.blocks[w->block].block);
    if (stride != bytes && stride != -bytes)
        return false;
    place = tf_place_of(w->s->layout, a.pointer);
    return meets_none(w, v, &place);
}

// ---- which loops

static bool is_plain(const struct tf_value *v)
{
    switch ((int)v->opcode) {
    case LLVMLoad:
    case LLVMStore:
        return !v->is_ordered;
    case LLVMCall:
        return v->elementwise != NULL;
    case LLVMFence:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        return false;
    default:
        return true;
    }
}

// Of one block, that all lanes leave together.
static bool is_simple(const struct search *w, unsigned loop)
{
    const struct tf_cfg *cfg = &w->f->cfg;

    for (unsigned b = 0; b < cfg->block_count; b++) {
        if (b != w->block && cfg->loops[loop].has[b])
            return false;
    }
    for (const struct tf_value *v = tf_block_first(w->s, w->block);
         v < tf_block_end(w->s, w->block); v++) {
        if (!is_plain(v))
            return false;
    }
    return !w->s->divergent[loop] && tf_facts_weight(w->f, w->block);
}

// How many rounds fill a line; 0: the loop stays as it is.
static unsigned rounds_for(struct search *w)
{
    const struct tf_value *const begin = tf_block_first(w->s, w->block);
    const struct tf_value *const end = tf_block_end(w->s, w->block);
    unsigned rounds = 0;

    w->stores = false;
    if (LEAST_ROUNDS * (unsigned)(end - begin) > MOST_INSTRUCTIONS)
        return 0;
    for (const struct tf_value *v = begin; v < end; v++) {
        unsigned fill;

        if ((v->opcode != LLVMLoad && v->opcode != LLVMStore) || !walks(w, v))
            continue;
        w->stores |= v->opcode == LLVMStore;
        fill = LINE_BYTES / (unsigned)v->bytes;
        fill = fill > MOST_ROUNDS ? MOST_ROUNDS : fill;
        rounds = fill > rounds ? fill : rounds;
    }
    if (!w->waits &&
        tf_place_rounds_are_apart(w->s->layout, w->f->cfg.blocks[w->block].block))
        return 0;
    while (rounds > LEAST_ROUNDS && rounds * (unsigned)(end - begin) > MOST_INSTRUCTIONS)
        rounds /= 2;
    return rounds;
}

// ---- the change

static bool mark(const struct tf_wg *wg, LLVMValueRef branch, unsigned rounds)
{
    static const char count[] = "llvm.loop.unroll.count";
    const LLVMContextRef c = wg->context;
    const unsigned kind = tf_ir_loop_kind(c);
    const LLVMValueRef old = LLVMGetMetadata(branch, kind);
    const LLVMMetadataRef self = LLVMTemporaryMDNode(c, NULL, 0);
    LLVMMetadataRef words[2] = {
        LLVMMDStringInContext2(c, count, sizeof(count) - 1),
        LLVMValueAsMetadata(LLVMConstInt(LLVMInt32TypeInContext(c), rounds, false))};
    LLVMMetadataRef entries[2] = {self, LLVMMDNodeInContext2(c, words, 2)}, node;

    if (old && !tf_ir_loop_says_nothing(old))
        return false; // the program has said what it wants
    node = LLVMMDNodeInContext2(c, entries, 2);
    LLVMMetadataReplaceAllUsesWith(self, node);
    LLVMSetMetadata(branch, kind, LLVMMetadataAsValue(c, node));
    return true;
}

bool tf_prepare_strips(struct tf_wg *wg, const struct tf_facts *facts, bool *ok)
{
    // Of other loops nothing is asked.
    static const char unroll[] =
        "loop-unroll<no-partial;no-peeling;no-profile-peeling;no-runtime;no-upperbound;"
        "full-unroll-max=0>,early-cse<memssa>,instcombine<no-verify-fixpoint>,"
        "simplifycfg,"
        "adce,lower-switch,mergereturn,loop-simplify,lcssa";
    struct search w = {.wg = wg,
                       .f = facts,
                       .s = &facts->usual,
                       .waits = tf_rounds_wait(&facts->cfg, facts->usual.layout)};
    bool any = false;

    *ok = true;
    if (facts->unfit[0])
        return false;
    for (unsigned l = 0; l < facts->cfg.loop_count; l++) {
        unsigned rounds;

        w.block = facts->cfg.loops[l].head;
        rounds = is_simple(&w, l) ? rounds_for(&w) : 0;
        if (rounds &&
            mark(wg, LLVMGetBasicBlockTerminator(facts->cfg.blocks[w.block].block),
                 rounds)) {
            tf_prepare_carry(wg, facts, w.block, w.stores);
            any = true;
        }
    }
    if (any)
        *ok = tf_wg_run_on(wg, facts->of.fn, unroll);
    return any;
}
