// SPDX-License-Identifier: MIT
#include "compiler/workgroup/prepare/waits/group_order.h"

#include <string.h>

#include <llvm-c/Core.h>

#include "compiler/ir/ir_util.h"
#include "compiler/ir/roots.h"
#include "compiler/workgroup/analysis/cfg.h"
#include "compiler/workgroup/kernel/wg.h"

enum { MOST_BLOCKS = 4000 }; // the order of more takes too long

struct search {
    const struct tf_cfg *cfg;
    unsigned loop;
    unsigned invariant; // kind of metadata
    struct tf_arena arena;
    struct tf_map seen; // values
    bool asked_ways;    // the conditions of all branches are looked at
};

static bool is_barrier(enum tf_root root)
{
    return root == TF_ROOT_BARRIER || root == TF_ROOT_NAMED_BARRIER;
}

static bool asks_others(enum tf_root root)
{
    return root >= TF_ROOT_SUB_GROUP_BARRIER && root <= TF_ROOT_UNKNOWN;
}

static bool is_change(LLVMValueRef i)
{
    return LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i);
}

static bool observes(LLVMValueRef i)
{
    const enum tf_root root = tf_root_of(i);

    return (LLVMIsALoadInst(i) && !tf_ir_is_ordinary(i)) || LLVMIsAFenceInst(i) ||
           (is_change(i) && LLVMGetFirstUse(i)) || is_barrier(root) || asks_others(root);
}

static bool observes_in(const struct search *s)
{
    for (unsigned b = 0; b < s->cfg->block_count; b++) {
        if (!s->cfg->loops[s->loop].has[b])
            continue;
        TF_FOR_EACH_INSTRUCTION_OF_BLOCK(i, s->cfg->blocks[b].block)
        {
            if (observes(i))
                return true;
        }
    }
    return false;
}

static bool is_in(const struct search *s, LLVMValueRef value)
{
    return LLVMIsAInstruction(value) &&
           tf_cfg_in_loop(s->cfg, s->loop,
                          tf_cfg_number(s->cfg, LLVMGetInstructionParent(value)));
}

static bool depends(struct search *s, LLVMValueRef value);

static bool ways_depend(struct search *s)
{
    if (s->asked_ways)
        return false;
    s->asked_ways = true;
    for (unsigned b = 0; b < s->cfg->block_count; b++) {
        const LLVMValueRef end = LLVMGetBasicBlockTerminator(s->cfg->blocks[b].block);

        if (s->cfg->loops[s->loop].has[b] && LLVMGetNumSuccessors(end) > 1 &&
            depends(s, LLVMGetOperand(end, 0)))
            return true;
    }
    return false;
}

// Arguments of the kernel, and constants, are what they were.
static bool may_change(const struct search *s, LLVMValueRef load)
{
    const unsigned space =
        LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(load, 0)));

    return space != TF_AS_CONSTANT && !LLVMGetMetadata(load, s->invariant);
}

// Where one way leads to the head a phi in it says no more than how many rounds it were.
static bool says_way(const struct search *s, LLVMValueRef phi)
{
    const unsigned head = s->cfg->loops[s->loop].head;
    unsigned back = 0;

    if (LLVMGetInstructionParent(phi) != s->cfg->blocks[head].block)
        return true;
    for (unsigned k = 0; k < s->cfg->blocks[head].pred_count; k++)
        back += s->cfg->loops[s->loop].has[s->cfg->blocks[head].preds[k]];
    return back > 1;
}

static bool depends(struct search *s, LLVMValueRef value)
{
    if (!is_in(s, value) || tf_map_get(&s->seen, value) != TF_MAP_NONE)
        return false;
    tf_map_put(&s->seen, value, 0);
    if (is_change(value) || asks_others(tf_root_of(value)) ||
        (LLVMIsALoadInst(value) && may_change(s, value)) ||
        (LLVMIsAPHINode(value) && says_way(s, value) && ways_depend(s)))
        return true;
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value); i++) {
        const LLVMValueRef operand = LLVMGetOperand(value, i);

        if (!LLVMValueIsBasicBlock(operand) && depends(s, operand))
            return true;
    }
    return false;
}

// Whether the block leads out of the loop.
static bool leaves(const struct search *s, unsigned b)
{
    const struct tf_cfg_block *const block = &s->cfg->blocks[b];
    bool any = false;

    for (unsigned k = 0; k < block->succ_count; k++)
        any |= !s->cfg->loops[s->loop].has[block->succs[k]];
    return any;
}

// A loop without an end waits for nobody knows what.
static bool end_depends(struct search *s)
{
    bool has_end = false;

    for (unsigned b = 0; b < s->cfg->block_count; b++) {
        const LLVMValueRef end = LLVMGetBasicBlockTerminator(s->cfg->blocks[b].block);

        if (!s->cfg->loops[s->loop].has[b] || !leaves(s, b))
            continue;
        has_end = true;
        if ((LLVMGetNumSuccessors(end) > 1 && depends(s, LLVMGetOperand(end, 0))) ||
            (!tf_cfg_is_always_passed(s->cfg, s->loop, b) && ways_depend(s)))
            return true;
    }
    return !has_end;
}

static bool may_wait(const struct tf_cfg *cfg, unsigned loop, unsigned invariant)
{
    struct search s = {.cfg = cfg, .loop = loop, .invariant = invariant};
    bool waits;

    s.seen.arena = &s.arena;
    waits = observes_in(&s) && end_depends(&s);
    tf_arena_finish(&s.arena);
    return waits;
}

static bool observes_anywhere(LLVMValueRef fn)
{
    TF_FOR_EACH_INSTRUCTION(i, fn)
    {
        if (observes(i))
            return true;
    }
    return false;
}

bool tf_group_order_matters(LLVMValueRef fn)
{
    static const char name[] = "invariant.load";
    const unsigned invariant = LLVMGetMDKindIDInContext(
        LLVMGetModuleContext(LLVMGetGlobalParent(fn)), name, (unsigned)strlen(name));
    struct tf_arena arena = {0};
    struct tf_cfg cfg;
    bool waits = false;

    if (!observes_anywhere(fn))
        return false;
    if (LLVMCountBasicBlocks(fn) > MOST_BLOCKS)
        return true;
    if (!tf_cfg_init(&cfg, &arena, fn))
        waits = true;
    for (unsigned l = 0; l < cfg.loop_count && !waits; l++)
        waits = may_wait(&cfg, l, invariant);
    tf_arena_finish(&arena);
    return waits;
}
