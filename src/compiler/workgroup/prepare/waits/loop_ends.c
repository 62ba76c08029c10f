// SPDX-License-Identifier: MIT
#include "compiler/workgroup/prepare/waits/loop_ends.h"

#include <llvm-c/Core.h>

#include "compiler/ir/ir_util.h"

enum {
    MOST_BLOCKS = 4000,   // the order of more takes too long
    COPY_IS_VOLATILE = 3, // operand of a copy
};

struct search {
    const struct tf_end_question *q;
    const struct tf_cfg *cfg;
    const struct tf_cfg_loop *loop;
    struct tf_arena arena;
    struct tf_map seen; // values
    bool asked_ways;    // the conditions of all branches are looked at
};

static bool is_in(const struct search *s, LLVMValueRef value)
{
    return LLVMIsAInstruction(value) &&
           tf_cfg_in_loop(s->cfg, s->q->loop,
                          tf_cfg_number(s->cfg, LLVMGetInstructionParent(value)));
}

static bool depends(struct search *s, LLVMValueRef value);

static LLVMValueRef end_of(const struct search *s, unsigned block)
{
    return LLVMGetBasicBlockTerminator(s->cfg->blocks[block].block);
}

static bool branch_depends(struct search *s, unsigned block)
{
    return LLVMGetNumSuccessors(end_of(s, block)) > 1 &&
           depends(s, LLVMGetOperand(end_of(s, block), 0));
}

// On any way that is taken in the loop.
static bool ways_depend(struct search *s)
{
    if (s->asked_ways)
        return false;
    s->asked_ways = true;
    for (unsigned b = 0; b < s->cfg->block_count; b++) {
        if (s->loop->has[b] && branch_depends(s, b))
            return true;
    }
    return false;
}

static bool has_one_way_back(const struct search *s)
{
    const struct tf_cfg_block *const head = &s->cfg->blocks[s->loop->head];
    unsigned count = 0;

    for (unsigned k = 0; k < head->pred_count; k++)
        count += s->loop->has[head->preds[k]];
    return count == 1;
}

// Where ways merge, the value says which one was taken; a round's number does not.
static bool says_way(const struct search *s, LLVMValueRef value)
{
    return LLVMIsAPHINode(value) &&
           (LLVMGetInstructionParent(value) != s->cfg->blocks[s->loop->head].block ||
            !has_one_way_back(s));
}

static bool operands_depend(struct search *s, LLVMValueRef value)
{
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value); i++) {
        const LLVMValueRef operand = LLVMGetOperand(value, i);

        if (!LLVMValueIsBasicBlock(operand) && depends(s, operand))
            return true;
    }
    return false;
}

static bool depends(struct search *s, LLVMValueRef value)
{
    enum tf_end_answer answer;

    if (!is_in(s, value) || tf_map_get(&s->seen, value) != TF_MAP_NONE)
        return false;
    tf_map_put(&s->seen, value, 0);
    answer = s->q->of(s->q, value);
    if (answer == TF_END_YES || answer == TF_END_NO)
        return answer == TF_END_YES;
    return ((answer == TF_END_WAYS || says_way(s, value)) && ways_depend(s)) ||
           operands_depend(s, value);
}

static bool leaves(const struct search *s, unsigned block)
{
    const struct tf_cfg_block *const b = &s->cfg->blocks[block];

    for (unsigned k = 0; k < b->succ_count; k++) {
        if (!s->loop->has[b->succs[k]])
            return true;
    }
    return false;
}

static bool is_always_passed(const struct search *s, unsigned block)
{
    const struct tf_cfg_block *const head = &s->cfg->blocks[s->loop->head];

    for (unsigned k = 0; k < head->pred_count; k++) {
        if (s->loop->has[head->preds[k]] &&
            !tf_cfg_dominates(s->cfg, block, head->preds[k]))
            return false;
    }
    return true;
}

// Blocks of loops with one way out only lie outside.
static bool any_end_depends(struct search *s)
{
    bool has_end = false;

    for (unsigned b = 0; b < s->cfg->block_count; b++) {
        if (!s->loop->has[b] || !leaves(s, b))
            continue;
        has_end = true;
        if (branch_depends(s, b) || (!is_always_passed(s, b) && ways_depend(s)))
            return true;
    }
    return !has_end;
}

bool tf_loop_end_depends(const struct tf_end_question *question)
{
    struct search s = {.q = question,
                       .cfg = question->cfg,
                       .loop = &question->cfg->loops[question->loop]};
    bool found;

    s.seen.arena = &s.arena;
    found = any_end_depends(&s);
    tf_arena_finish(&s.arena);
    return found;
}

// ---- what tells of others

bool tf_is_change(LLVMValueRef instruction)
{
    return LLVMIsAAtomicRMWInst(instruction) || LLVMIsAAtomicCmpXchgInst(instruction);
}

bool tf_is_copy(LLVMValueRef instruction)
{
    return LLVMIsAMemCpyInst(instruction) || LLVMIsAMemMoveInst(instruction);
}

bool tf_watches(LLVMValueRef instruction)
{
    if (LLVMIsALoadInst(instruction))
        return !tf_ir_is_ordinary(instruction);
    return tf_is_copy(instruction) &&
           !LLVMIsNull(LLVMGetOperand(instruction, COPY_IS_VOLATILE));
}

// ---- all loops

static bool any_instruction(LLVMValueRef fn, bool (*could_be)(LLVMValueRef instruction))
{
    TF_FOR_EACH_INSTRUCTION(i, fn)
    {
        if (could_be(i))
            return true;
    }
    return false;
}

bool tf_any_loop_waits(LLVMValueRef fn, bool (*could_be)(LLVMValueRef instruction),
                       bool (*may_wait)(const struct tf_cfg *cfg, unsigned loop))
{
    struct tf_arena arena = {0};
    struct tf_cfg cfg;
    bool found = false;

    if (!any_instruction(fn, could_be))
        return false;
    if (LLVMCountBasicBlocks(fn) > MOST_BLOCKS)
        return true;
    if (!tf_cfg_init(&cfg, &arena, fn))
        found = true;
    for (unsigned l = 0; l < cfg.loop_count && !found; l++)
        found = may_wait(&cfg, l);
    tf_arena_finish(&arena);
    return found;
}
