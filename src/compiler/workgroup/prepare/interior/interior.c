// SPDX-License-Identifier: MIT
// A stencil that tests each neighbour has a block and a branch for each. Nearly all gangs
// are inside as a whole: one question, of ranges of what is made of ids, leads them to a
// copy of the code in which all these tests are decided. Others take the code as it was;
// so do gangs with masks, for which the question has one answer (TF_ROOT_INSIDE): no.
#include "compiler/workgroup/prepare/interior/interior.h"

#include <string.h>

#include <llvm-c/Core.h>

#include "compiler/ir/flow/copy_blocks.h"
#include "compiler/ir/ir_util.h"
#include "compiler/ir/roots.h"
#include "compiler/workgroup/kernel/wg.h"
#include "compiler/workgroup/prepare/interior/bounds.h"

enum {
    MOST_INSTRUCTIONS = 1200,
    MOST_UNROLLED = 800, // instructions of a loop, before tests go away
    MAX_DEPTH = 8,
    // What must go away for a copy: a block that is skipped counts twice, a limit once.
    LEAST_GAIN = 4,
    SAFE_BITS = 62, // of bounds: sums with small constants do not wrap
};

struct interior {
    struct tf_wg *wg;
    LLVMValueRef fn;
    struct tf_arena arena;
    struct tf_cfg cfg;
    struct tf_bounds bounds;
};

// ---- where

static bool only_returns(LLVMBasicBlockRef block)
{
    const LLVMValueRef first = LLVMGetFirstInstruction(block);

    if (LLVMIsABranchInst(first) && !LLVMIsConditional(first))
        return LLVMIsAReturnInst(LLVMGetFirstInstruction(LLVMGetSuccessor(first, 0)));
    return LLVMIsAReturnInst(first);
}

// Behind the guards at the beginning, `if (x >= width) return`.
static unsigned find_root(const struct tf_cfg *cfg)
{
    unsigned root = 0, next = 0;

    while (next != TF_CFG_NONE) {
        const struct tf_cfg_block *b = &cfg->blocks[root = next];

        next = TF_CFG_NONE;
        for (unsigned k = 0; tf_cfg_condition(cfg, root) && k < 2; k++) {
            if (only_returns(cfg->blocks[b->succs[k]].block) &&
                cfg->blocks[b->succs[1 - k]].pred_count == 1)
                next = b->succs[1 - k];
        }
    }
    return root;
}

// ---- whether

static bool is_decided(const struct interior *t, LLVMValueRef truth, unsigned depth)
{
    if (tf_map_get(&t->bounds.is_test, truth) != TF_MAP_NONE)
        return true;
    if (depth == MAX_DEPTH || !LLVMIsAInstruction(truth) ||
        !(LLVMIsABinaryOperator(truth) || LLVMIsASelectInst(truth)))
        return false;
    for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(truth); k++) {
        if (is_decided(t, LLVMGetOperand(truth, k), depth + 1))
            return true;
    }
    return false;
}

static bool leads_to_end(const struct interior *t, unsigned block)
{
    return block == t->cfg.block_count || only_returns(t->cfg.blocks[block].block);
}

// How often a block runs, as far as that is known and counts.
static unsigned times(const struct interior *t, unsigned block)
{
    unsigned l = t->cfg.blocks[block].loop, times = 1;

    for (; l != TF_CFG_NONE; l = t->cfg.loops[l].parent) {
        const unsigned known = tf_cfg_rounds(&t->cfg, l);

        times *= known ? known : 1;
        if (times > LEAST_GAIN)
            return LEAST_GAIN;
    }
    return times;
}

// Blocks behind which both sides of a decided branch meet: what lies between was skipped.
static unsigned count_joins(struct interior *t)
{
    bool *joins = TF_ARENA_NEW(&t->arena, bool, t->cfg.block_count + 1);
    unsigned count = 0;

    for (unsigned b = 0; b < t->cfg.block_count; b++) {
        const LLVMValueRef condition = tf_cfg_condition(&t->cfg, b);
        const unsigned join = t->cfg.blocks[b].ipdom;

        if (!condition || !is_decided(t, condition, 0) || leads_to_end(t, join) ||
            joins[join])
            continue;
        joins[join] = true;
        count += times(t, b);
    }
    return count;
}

// `x < 0 ? x + width : x`.
static bool chooses(LLVMValueRef truth)
{
    for (LLVMUseRef u = LLVMGetFirstUse(truth); u; u = LLVMGetNextUse(u)) {
        const LLVMValueRef user = LLVMGetUser(u);

        if (LLVMIsASelectInst(user) && LLVMTypeOf(user) != LLVMTypeOf(truth))
            return true;
    }
    return false;
}

static unsigned count_limits(const struct interior *t)
{
    unsigned count = 0;

    for (unsigned i = 0; i < t->bounds.test_count; i++) {
        const struct tf_bound_test *test = &t->bounds.tests[i];
        const LLVMBasicBlockRef block = LLVMGetInstructionParent(test->instruction);

        if (test->at >= 0 || chooses(test->instruction))
            count += times(t, tf_cfg_number(&t->cfg, block));
    }
    return count;
}

static bool is_small(const struct interior *t)
{
    unsigned count = 0;

    TF_FOR_EACH_INSTRUCTION(i, t->fn)
    {
        if (++count > MOST_INSTRUCTIONS)
            return false;
    }
    return true;
}

static bool pays(struct interior *t)
{
    for (unsigned i = 0; i < t->bounds.position_count; i++) {
        if (t->bounds.positions[i].least > t->bounds.positions[i].most)
            return false;
    }
    return t->bounds.test_count && is_small(t) &&
           2 * count_joins(t) + count_limits(t) >= LEAST_GAIN;
}

// ---- the question

// Moves what the value needs to where the builder stands: the end of `block`.
static void make_early(const struct interior *t, LLVMBasicBlockRef block,
                       LLVMBasicBlockRef rest, LLVMValueRef value)
{
    LLVMBasicBlockRef at;

    if (!LLVMIsAInstruction(value) || LLVMIsAPHINode(value))
        return;
    at = LLVMGetInstructionParent(value);
    if (at == block)
        return;
    if (at != rest &&
        tf_cfg_dominates(&t->cfg, tf_cfg_number(&t->cfg, at), t->bounds.root))
        return;
    for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(value); k++)
        make_early(t, block, rest, LLVMGetOperand(value, k));
    LLVMInstructionRemoveFromParent(value);
    LLVMInsertIntoBuilder(t->wg->builder, value);
}

static LLVMValueRef call_limit(const struct interior *t, const char *name, LLVMValueRef a,
                               LLVMValueRef b)
{
    LLVMValueRef args[] = {a, b};
    LLVMTypeRef type = t->wg->i64;
    const unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    const LLVMValueRef fn = LLVMGetIntrinsicDeclaration(t->wg->module, id, &type, 1);

    return LLVMBuildCall2(t->wg->builder, LLVMGlobalGetValueType(fn), fn, args, 2, "");
}

static LLVMValueRef number(const struct interior *t, int64_t n)
{
    return LLVMConstInt(t->wg->i64, (uint64_t)n, true);
}

// bound + offset.
static LLVMValueRef limit_of(const struct interior *t, const struct tf_limit *l)
{
    const LLVMBuilderRef b = t->wg->builder;
    const bool is_wide = LLVMGetIntTypeWidth(LLVMTypeOf(l->bound)) == 64;
    const LLVMValueRef most = number(t, (int64_t)1 << SAFE_BITS);
    LLVMValueRef bound = l->bound;

    if (is_wide && l->with_sign)
        bound = call_limit(t, "llvm.smax", call_limit(t, "llvm.smin", bound, most),
                           LLVMConstNeg(most));
    else if (is_wide)
        bound = call_limit(t, "llvm.umin", bound, most);
    else if (l->with_sign)
        bound = LLVMBuildSExt(b, bound, t->wg->i64, "");
    else
        bound = LLVMBuildZExt(b, bound, t->wg->i64, "");
    return LLVMBuildNSWAdd(b, bound, number(t, l->offset), "");
}

static LLVMValueRef inside_function(const struct interior *t)
{
    const char *const name = tf_root_name(TF_ROOT_INSIDE);
    LLVMTypeRef params[] = {LLVMInt32TypeInContext(t->wg->context), t->wg->i64,
                            t->wg->i64};
    LLVMValueRef fn = LLVMGetNamedFunction(t->wg->module, name);

    if (fn)
        return fn;
    fn = LLVMAddFunction(
        t->wg->module, name,
        LLVMFunctionType(LLVMInt1TypeInContext(t->wg->context), params, 3, false));
    tf_ir_add_attribute(fn, "nounwind");
    tf_ir_add_attribute(fn, "willreturn");
    tf_ir_add_attribute_at(fn, (unsigned)LLVMAttributeFunctionIndex, "memory", 0);
    return fn;
}

static LLVMValueRef is_inside(const struct interior *t, const struct tf_position *p)
{
    LLVMValueRef args[] = {p->base, number(t, p->least), number(t, p->most)};
    const LLVMValueRef fn = inside_function(t);

    for (unsigned i = 0; i < p->limit_count; i++) {
        const LLVMValueRef limit = limit_of(t, &p->limits[i]);
        const unsigned at = p->limits[i].is_least ? 1 : 2;

        args[at] = call_limit(t, at == 1 ? "llvm.smax" : "llvm.smin", args[at], limit);
    }
    return LLVMBuildCall2(t->wg->builder, LLVMGlobalGetValueType(fn), fn, args, 3, "");
}

static LLVMValueRef ask(const struct interior *t, LLVMBasicBlockRef block,
                        LLVMBasicBlockRef rest)
{
    LLVMValueRef all = NULL;

    for (unsigned i = 0; i < t->bounds.position_count; i++) {
        const struct tf_position *p = &t->bounds.positions[i];
        LLVMValueRef one;

        make_early(t, block, rest, p->base);
        for (unsigned k = 0; k < p->limit_count; k++)
            make_early(t, block, rest, p->limits[k].bound);
        one = is_inside(t, p);
        all = all ? LLVMBuildAnd(t->wg->builder, all, one, "") : one;
    }
    return all;
}

// ---- the copy

static void decide(const struct interior *t, const struct tf_block_copy *c)
{
    for (unsigned i = 0; i < t->bounds.test_count; i++) {
        const struct tf_bound_test *test = &t->bounds.tests[i];
        const LLVMValueRef copy = tf_ir_in_copy(c, test->instruction);

        if (copy == test->instruction) // it was made early
            continue;
        LLVMReplaceAllUsesWith(
            copy, test->at < 0 ? LLVMConstInt(LLVMTypeOf(copy), test->is_true, false)
                               : LLVMGetOperand(copy, (unsigned)test->at));
    }
}

// What the loop is once it and those in it whose rounds are known are unrolled.
static uint64_t unrolled_size(const struct tf_cfg *cfg, unsigned loop)
{
    uint64_t size = 0;

    for (unsigned b = 0; b < cfg->block_count && size <= MOST_UNROLLED; b++) {
        uint64_t rounds = 1;

        if (!tf_cfg_in_loop(cfg, loop, b))
            continue;
        for (unsigned l = cfg->blocks[b].loop; l != cfg->loops[loop].parent;
             l = cfg->loops[l].parent) {
            const unsigned known = tf_cfg_rounds(cfg, l);

            rounds *= known ? known : 1;
        }
        TF_FOR_EACH_INSTRUCTION_OF_BLOCK(i, cfg->blocks[b].block)
        {
            size += rounds;
        }
    }
    return size;
}

// Rows of a pack find out what they have in common.
static void unroll(const struct interior *t, const struct tf_block_copy *c)
{
    for (unsigned l = 0; l < t->cfg.loop_count; l++) {
        const struct tf_cfg_block *head = &t->cfg.blocks[t->cfg.loops[l].head];

        if (!tf_cfg_rounds(&t->cfg, l) || unrolled_size(&t->cfg, l) > MOST_UNROLLED)
            continue;
        for (unsigned k = 0; k < head->pred_count; k++) {
            const LLVMValueRef end =
                LLVMGetBasicBlockTerminator(t->cfg.blocks[head->preds[k]].block);

            if (tf_cfg_in_loop(&t->cfg, l, head->preds[k]) &&
                tf_ir_in_copy(c, end) != end)
                tf_ir_mark_loop(tf_ir_in_copy(c, end), TF_IR_FULL_UNROLLING);
        }
    }
}

static void make(struct interior *t)
{
    const unsigned root = t->bounds.root;
    const LLVMBasicBlockRef block = t->cfg.blocks[root].block;
    LLVMBasicBlockRef *all =
        TF_ARENA_NEW(&t->arena, LLVMBasicBlockRef, t->cfg.block_count);
    struct tf_block_copy copy;
    LLVMValueRef inside;
    unsigned count = 1;

    all[0] = tf_ir_split_behind_phis(t->wg->builder, block);
    inside = ask(t, block, all[0]);
    for (unsigned b = 0; b < t->cfg.block_count; b++) {
        if (b != root && tf_cfg_dominates(&t->cfg, root, b))
            all[count++] = t->cfg.blocks[b].block;
    }
    tf_ir_copy_blocks(&copy, &t->arena, t->wg->builder, all, count);
    decide(t, &copy);
    unroll(t, &copy);
    LLVMPositionBuilderAtEnd(t->wg->builder, block);
    // The rest counts nothing in costs: tf_facts_weight() reads that.
    tf_ir_weigh(LLVMBuildCondBr(t->wg->builder, inside, copy.copies[0], all[0]), 1, 0);
}

bool tf_prepare_interior(struct tf_wg *wg, LLVMValueRef fn)
{
    struct interior t = {.wg = wg, .fn = fn};
    bool makes = false;

    if (tf_cfg_init(&t.cfg, &t.arena, fn)) {
        tf_bounds_find(&t.bounds, &t.cfg, find_root(&t.cfg));
        makes = pays(&t);
        if (makes)
            make(&t);
    }
    tf_arena_finish(&t.arena);
    return makes;
}
