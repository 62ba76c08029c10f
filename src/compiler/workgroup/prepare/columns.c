// SPDX-License-Identifier: MIT
// for (k = 0; k < n; k++) .. in[k * size + lid] ..: each work-item walks down a column,
// and one after the other they would go through the same lines of the cache again and
// again. Where all items of the group make the same rounds, they make each of them
// together: a barrier at its end has the splitter put the loop over the items inside.
//
// That is one of the orders in which a program must expect its work-items to run: between
// two barriers there is none among them, atomic operations included, and each item still
// does what it does in its own order. All items come to the loop, and what decides on its
// end is the same for all, so that they meet at the barrier. What orders memory at
// barriers are fences, of which there is none here.
#include "compiler/workgroup/prepare/columns.h"

#include <stdlib.h>

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#include "compiler/ir/ir_util.h"
#include "compiler/ir/roots.h"
#include "compiler/workgroup/analysis/cfg.h"
#include "compiler/workgroup/kernel/wg.h"

enum {
    MOST_INSTRUCTIONS = 1000, // of the function: its parts must not become too many
    MOST_OF_LOOP = 60,
    NEAR_BYTES = 8, // between neighbours
    FAR_BYTES = 64, // between rounds
    MAX_DEPTH = 12,
};

struct rounds {
    struct tf_wg *wg;
    LLVMValueRef fn;
    const struct tf_cfg *cfg;
    LLVMTargetDataRef layout;
    unsigned loop;
    LLVMBasicBlockRef head;
    unsigned invariant; // kind of metadata
};

// ---- what is the same for all items

static bool is_counter(const struct rounds *r, LLVMValueRef value)
{
    return LLVMIsAPHINode(value) && LLVMGetInstructionParent(value) == r->head;
}

static bool is_shared(const struct rounds *r, LLVMValueRef value, unsigned depth);

static bool are_shared(const struct rounds *r, LLVMValueRef i, unsigned depth)
{
    for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(i); k++) {
        if (!is_shared(r, LLVMGetOperand(i, k), depth))
            return false;
    }
    return true;
}

// What the launch and the group say never changes while the group runs.
static bool is_fixed_load(const struct rounds *r, LLVMValueRef load)
{
    LLVMValueRef from = LLVMGetOperand(load, 0);

    if (!tf_ir_is_ordinary(load))
        return false;
    while (LLVMIsAGetElementPtrInst(from))
        from = LLVMGetOperand(from, 0);
    return LLVMGetMetadata(load, r->invariant) ||
           from == LLVMGetParam(r->fn, TF_ITEM_GROUP);
}

// The counters of the loop are looked at by `counts_for_all`.
static bool is_shared(const struct rounds *r, LLVMValueRef value, unsigned depth)
{
    if (LLVMIsAConstant(value) || is_counter(r, value))
        return true;
    for (unsigned p = 0; LLVMIsAArgument(value) && p < TF_ITEM_LID; p++) {
        if (value == LLVMGetParam(r->fn, p))
            return true;
    }
    if (!LLVMIsAInstruction(value) || depth == MAX_DEPTH)
        return false;
    if (LLVMIsALoadInst(value))
        return is_fixed_load(r, value) && are_shared(r, value, depth + 1);
    return (LLVMIsABinaryOperator(value) || LLVMIsACastInst(value) ||
            LLVMIsAICmpInst(value) || LLVMIsASelectInst(value) ||
            LLVMIsAGetElementPtrInst(value)) &&
           are_shared(r, value, depth + 1);
}

// ---- the loop

// Each round passes the way back, and one branch of the first or the last block leaves.
static bool leaves_for_all(const struct rounds *r, unsigned latch)
{
    const unsigned head = r->cfg->loops[r->loop].head;
    unsigned ends = 0;

    for (unsigned b = 0; b < r->cfg->block_count; b++) {
        const struct tf_cfg_block *block = &r->cfg->blocks[b];
        bool leaves = block->succ_count == 0;

        if (!tf_cfg_in_loop(r->cfg, r->loop, b))
            continue;
        for (unsigned k = 0; k < block->succ_count; k++)
            leaves |= !tf_cfg_in_loop(r->cfg, r->loop, block->succs[k]);
        if (!leaves)
            continue;
        if ((b != head && b != latch) || !tf_cfg_condition(r->cfg, b) ||
            !is_shared(r, tf_cfg_condition(r->cfg, b), 0))
            return false;
        ends++;
    }
    return ends == 1;
}

// Nothing that differs from item to item goes from round to round: it would wait in
// memory.
static bool counts_for_all(const struct rounds *r)
{
    for (LLVMValueRef phi = LLVMGetFirstInstruction(r->head); LLVMIsAPHINode(phi);
         phi = LLVMGetNextInstruction(phi)) {
        for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
            if (!is_shared(r, LLVMGetIncomingValue(phi, i), 0))
                return false;
        }
    }
    return true;
}

static bool mentions_counter(const struct rounds *r, LLVMValueRef value, unsigned depth)
{
    if (is_counter(r, value))
        return true;
    for (unsigned k = 0; LLVMIsAInstruction(value) && !LLVMIsAPHINode(value) &&
                         depth < MAX_DEPTH && k < (unsigned)LLVMGetNumOperands(value);
         k++) {
        if (mentions_counter(r, LLVMGetOperand(value, k), depth + 1))
            return true;
    }
    return false;
}

// How items and rounds go through memory, as sums of indices say. Whether these wrap does
// not matter: this is about speed only.
struct ways {
    bool neighbours; // items lie side by side
    bool apart;      // rounds are lines of the cache apart, or the run knows how far
    bool along;      // the next round goes on where this one is
    bool others;     // anything else
};

static void add_ways(const struct rounds *r, struct ways *w, LLVMValueRef index,
                     int64_t factor, unsigned depth);

static void add_parts(const struct rounds *r, struct ways *w, LLVMValueRef index,
                      int64_t factor, unsigned depth)
{
    const LLVMValueRef a = LLVMGetOperand(index, 0);
    const LLVMValueRef b =
        LLVMGetNumOperands(index) > 1 ? LLVMGetOperand(index, 1) : NULL;
    const bool by_constant = b && LLVMIsAConstantInt(b);

    switch ((int)LLVMGetInstructionOpcode(index)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMOr:
        add_ways(r, w, a, factor, depth);
        add_ways(r, w, b, factor, depth);
        return;
    case LLVMSExt:
    case LLVMZExt:
    case LLVMTrunc:
        add_ways(r, w, a, factor, depth);
        return;
    case LLVMAnd:
        if (by_constant)
            add_ways(r, w, a, factor, depth);
        else
            w->others = true;
        return;
    case LLVMMul:
    case LLVMShl:
        if (by_constant && LLVMConstIntGetZExtValue(b) < FAR_BYTES)
            add_ways(r, w, a,
                     LLVMGetInstructionOpcode(index) == LLVMShl
                         ? (int64_t)((uint64_t)factor << LLVMConstIntGetZExtValue(b))
                         : factor * LLVMConstIntGetSExtValue(b),
                     depth);
        else if (is_shared(r, index, 0))
            w->apart = true;
        else
            w->others = true;
        return;
    default:
        w->others = true;
        return;
    }
}

static void add_ways(const struct rounds *r, struct ways *w, LLVMValueRef index,
                     int64_t factor, unsigned depth)
{
    if (index == LLVMGetParam(r->fn, TF_ITEM_LID)) {
        w->neighbours |= llabs(factor) <= NEAR_BYTES;
        w->others |= llabs(factor) > NEAR_BYTES;
    } else if (is_counter(r, index)) {
        w->apart |= llabs(factor) >= FAR_BYTES;
        w->along |= llabs(factor) < FAR_BYTES;
    } else if (is_shared(r, index, 0) && !mentions_counter(r, index, 0)) {
        return;
    } else if (LLVMIsAInstruction(index) && depth < MAX_DEPTH) {
        add_parts(r, w, index, factor, depth + 1);
    } else {
        w->others = true;
    }
}

static struct ways ways_of(const struct rounds *r, LLVMValueRef pointer)
{
    struct ways w = {.others = false};

    for (; LLVMIsAGetElementPtrInst(pointer); pointer = LLVMGetOperand(pointer, 0)) {
        LLVMTypeRef type = LLVMGetGEPSourceElementType(pointer);
        const unsigned last = (unsigned)LLVMGetNumOperands(pointer) - 1;

        if (last == 2 && LLVMGetTypeKind(type) == LLVMArrayTypeKind &&
            LLVMIsNull(LLVMGetOperand(pointer, 1)))
            type = LLVMGetElementType(type);
        else if (last != 1)
            w.others = true;
        add_ways(r, &w, LLVMGetOperand(pointer, last),
                 (int64_t)LLVMABISizeOfType(r->layout, type), 0);
    }
    w.others |= !is_shared(r, pointer, 0);
    return w;
}

static LLVMValueRef address_of(LLVMValueRef i)
{
    if (LLVMIsALoadInst(i) || LLVMIsAAtomicRMWInst(i))
        return LLVMGetOperand(i, 0);
    return LLVMIsAStoreInst(i) ? LLVMGetOperand(i, 1) : NULL;
}

// Nothing but accesses of memory that is not the item's own, and arithmetic.
static bool is_simple(const struct rounds *r, LLVMValueRef i, LLVMValueRef address)
{
    if (address)
        return LLVMGetPointerAddressSpace(LLVMTypeOf(address)) != TF_AS_PRIVATE ||
               (LLVMIsALoadInst(i) && is_shared(r, i, 0));
    return LLVMIsAPHINode(i) || LLVMIsABinaryOperator(i) || LLVMIsACastInst(i) ||
           LLVMIsACmpInst(i) || LLVMIsASelectInst(i) || LLVMIsAGetElementPtrInst(i) ||
           LLVMIsABranchInst(i);
}

static bool walks_down(const struct rounds *r)
{
    unsigned count = 0;
    bool down = false;

    for (unsigned b = 0; b < r->cfg->block_count; b++) {
        if (!tf_cfg_in_loop(r->cfg, r->loop, b))
            continue;
        if (r->cfg->blocks[b].loop != r->loop)
            return false;
        TF_FOR_EACH_INSTRUCTION_OF_BLOCK(i, r->cfg->blocks[b].block)
        {
            const LLVMValueRef address = address_of(i);
            struct ways w = {.others = true};

            if (address)
                w = ways_of(r, address);
            if (++count > MOST_OF_LOOP || w.along || !is_simple(r, i, address))
                return false;
            down |= w.neighbours && w.apart && !w.others;
        }
    }
    return down;
}

static unsigned latch_of(const struct rounds *r)
{
    const struct tf_cfg_loop *loop = &r->cfg->loops[r->loop];
    const struct tf_cfg_block *head = &r->cfg->blocks[loop->head];

    for (unsigned i = 0; loop->latch_count == 1 && i < head->pred_count; i++) {
        if (tf_cfg_in_loop(r->cfg, r->loop, head->preds[i]))
            return head->preds[i];
    }
    return TF_CFG_NONE;
}

// Of the outermost loops, since what decides on a round of those around would have to be
// looked at, too.
static bool is_wanted(struct rounds *r)
{
    const struct tf_cfg_loop *loop = &r->cfg->loops[r->loop];
    const unsigned latch = latch_of(r);

    r->head = r->cfg->blocks[loop->head].block;
    return latch != TF_CFG_NONE && loop->parent == TF_CFG_NONE &&
           tf_cfg_post_dominates(r->cfg, loop->head, 0) && leaves_for_all(r, latch) &&
           counts_for_all(r) && walks_down(r);
}

static void add_barrier(const struct rounds *r, LLVMValueRef barrier)
{
    const LLVMValueRef end =
        LLVMGetBasicBlockTerminator(r->cfg->blocks[latch_of(r)].block);

    LLVMPositionBuilderBefore(r->wg->builder, end);
    LLVMSetInstructionCallConv(LLVMBuildCall2(r->wg->builder,
                                              LLVMGlobalGetValueType(barrier), barrier,
                                              NULL, 0, ""),
                               LLVMGetFunctionCallConv(barrier));
}

static bool is_too_long(LLVMValueRef fn)
{
    unsigned count = 0;

    TF_FOR_EACH_INSTRUCTION(i, fn)
    {
        if (++count > MOST_INSTRUCTIONS)
            return true;
    }
    return false;
}

bool tf_prepare_columns(struct tf_wg *wg, LLVMValueRef fn)
{
    static const char invariant[] = "invariant.load";
    const LLVMValueRef barrier =
        LLVMGetNamedFunction(wg->module, tf_root_name(TF_ROOT_BARRIER));
    struct tf_arena arena = {0};
    struct tf_cfg cfg;
    struct rounds r = {
        .wg = wg,
        .fn = fn,
        .cfg = &cfg,
        .layout = LLVMGetModuleDataLayout(wg->module),
        .invariant =
            LLVMGetMDKindIDInContext(wg->context, invariant, sizeof(invariant) - 1),
    };
    bool found = false;

    if (barrier && !is_too_long(fn) && tf_cfg_init(&cfg, &arena, fn)) {
        for (; r.loop < cfg.loop_count; r.loop++) {
            if (!is_wanted(&r))
                continue;
            add_barrier(&r, barrier);
            found = true;
        }
    }
    tf_arena_finish(&arena);
    return found;
}
