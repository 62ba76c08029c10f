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

enum {
    LINE_BYTES = 64,         // of a cache
    MOST_ROUNDS = 16,        // in one
    MOST_INSTRUCTIONS = 640, // of all these rounds
    SHORT_BITS = 128,
    NEAR_BYTES = 128, // lanes this near lie in few lines: bundles serve them
};

struct search {
    const struct tf_wg *wg;
    const struct tf_facts *f;
    const struct tf_shapes *s;
    unsigned block; // all of the loop
};

// ---- what lanes walk along

// What the phi counts up or down by from round to round; 0: it does something else.
static int64_t step_of(const struct search *w, LLVMValueRef phi)
{
    const LLVMBasicBlockRef block = w->f->cfg.blocks[w->block].block;

    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        const LLVMValueRef next = LLVMGetIncomingValue(phi, i);

        if (LLVMGetIncomingBlock(phi, i) != block || !LLVMIsABinaryOperator(next) ||
            LLVMGetInstructionOpcode(next) != LLVMAdd || LLVMGetOperand(next, 0) != phi ||
            !LLVMIsAConstantInt(LLVMGetOperand(next, 1)))
            continue;
        return LLVMConstIntGetSExtValue(LLVMGetOperand(next, 1));
    }
    return 0;
}

// Of a pointer that counts by itself.
static int64_t bytes_of_step(const struct search *w, LLVMValueRef phi)
{
    const LLVMBasicBlockRef block = w->f->cfg.blocks[w->block].block;

    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        const LLVMValueRef next = LLVMGetIncomingValue(phi, i);
        struct tf_place place;

        if (LLVMGetIncomingBlock(phi, i) != block)
            continue;
        place = tf_place_of(w->s->layout, next);
        return place.root == phi && place.count == 0 ? place.offset_bytes : 0;
    }
    return 0;
}

static bool is_phi_of(const struct search *w, LLVMValueRef value)
{
    const struct tf_value *v = tf_shape_value(w->s, value);

    return v && v->opcode == LLVMPHI && v->block == w->block;
}

// Bytes from round to round; 0: it is not known that they are always the same.
static int64_t stride_of_rounds(const struct search *w, LLVMValueRef pointer)
{
    const struct tf_place place = tf_place_of(w->s->layout, pointer);
    int64_t bytes = 0;

    if (is_phi_of(w, place.root))
        bytes = bytes_of_step(w, place.root);
    else if (tf_shape_value(w->s, place.root) &&
             tf_shape_value(w->s, place.root)->block == w->block)
        return 0;
    for (unsigned i = 0; i < place.count; i++) {
        const struct tf_value *v = tf_shape_value(w->s, place.terms[i].index);
        int64_t step;

        if (!v || v->block != w->block)
            continue;
        step = v->opcode == LLVMPHI ? step_of(w, v->instruction) : 0;
        if (!step)
            return 0;
        bytes += place.terms[i].factor * step;
    }
    return bytes;
}

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

// Whether a load walks along a row of its lane, and no store of the loop may meet it.
static bool walks(const struct search *w, const struct tf_value *v)
{
    const struct tf_access a = tf_access_of(w->s->layout, v->instruction);
    const int64_t bytes = (int64_t)a.element_bytes;
    const struct tf_place place = tf_place_of(w->s->layout, a.pointer);
    int64_t stride;

    if (a.count != 1 || bytes == 0 || bytes > 8 ||
        LLVMGetTypeKind(a.element) == LLVMPointerTypeKind ||
        LLVMGetPointerAddressSpace(LLVMTypeOf(a.pointer)) == TF_AS_PRIVATE ||
        !tf_strip_members(w->f->of.lanes, a.element_bytes) ||
        !are_far_apart(tf_shape_of(w->s, a.pointer)) || does_without(w, &a))
        return false;
    stride = stride_of_rounds(w, a.pointer);
    if (stride != bytes && stride != -bytes)
        return false;
    for (const struct tf_value *x = tf_block_first(w->s, w->block);
         x < tf_block_end(w->s, w->block); x++) {
        const struct tf_place other =
            x->opcode == LLVMStore
                ? tf_place_of(w->s->layout, LLVMGetOperand(x->instruction, 1))
                : place;

        if (x->opcode == LLVMStore &&
            !tf_place_apart(v->instruction, &place, x->instruction, &other))
            return false;
    }
    return true;
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
static unsigned rounds_for(const struct search *w)
{
    const struct tf_value *const begin = tf_block_first(w->s, w->block);
    const struct tf_value *const end = tf_block_end(w->s, w->block);
    unsigned rounds = 0;

    for (const struct tf_value *v = begin; v < end; v++) {
        unsigned fill;

        if (v->opcode != LLVMLoad || !walks(w, v))
            continue;
        fill = LINE_BYTES / (unsigned)v->bytes;
        fill = fill > MOST_ROUNDS ? MOST_ROUNDS : fill;
        rounds = fill > rounds ? fill : rounds;
    }
    return rounds * (unsigned)(end - begin) <= MOST_INSTRUCTIONS ? rounds : 0;
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
    struct search w = {.wg = wg, .f = facts, .s = &facts->usual};
    bool any = false;

    *ok = true;
    if (facts->unfit[0])
        return false;
    for (unsigned l = 0; l < facts->cfg.loop_count; l++) {
        unsigned rounds;

        w.block = facts->cfg.loops[l].head;
        rounds = is_simple(&w, l) ? rounds_for(&w) : 0;
        if (rounds)
            any |= mark(wg, LLVMGetBasicBlockTerminator(facts->cfg.blocks[w.block].block),
                        rounds);
    }
    if (any)
        *ok = tf_wg_run_on(wg, facts->of.fn, unroll);
    return any;
}
