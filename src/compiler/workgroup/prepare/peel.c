// SPDX-License-Identifier: MIT
// for (n = size / 2; n > 0; n /= 2) { if (lid < n) ..; barrier } in the last rounds,
// where n is a number of lanes and less: one gang runs, and each round waits for what the
// one before has stored. Where n is the number of lanes these rounds are there once more,
// one after the other, with n as a constant: what they store can go from one to the next
// in registers (codegen/memory/forward.h). Any number that does not meet the number of
// lanes goes round the loop as before.
#include "compiler/workgroup/prepare/peel.h"

#include <llvm-c/Core.h>

#include "compiler/ir/elementwise.h"
#include "compiler/ir/ir_util.h"
#include "compiler/ir/roots.h"
#include "compiler/workgroup/analysis/cfg.h"
#include "compiler/workgroup/analysis/shape.h"
#include "compiler/workgroup/kernel/wg.h"

enum { MOST_INSTRUCTIONS = 40, LEAST_BITS = 16 };

struct peel {
    struct tf_wg *wg;
    const struct tf_cfg *cfg;
    unsigned loop, latch; // block
    LLVMBasicBlockRef head, question;
    LLVMValueRef halved;          // a phi of the head
    LLVMBasicBlockRef *copies;    // per block, of this round
    LLVMBasicBlockRef next_start; // of the next round
    struct tf_map number;         // of the loop's instructions
    LLVMValueRef *now;            // what they are in this round
    unsigned count;
};

// ---- which loops

static bool is_in_loop(const struct peel *p, LLVMBasicBlockRef block)
{
    const unsigned b = tf_cfg_number(p->cfg, block);

    return b != TF_CFG_NONE && tf_cfg_in_loop(p->cfg, p->loop, b);
}

static LLVMValueRef from_latch(const struct peel *p, LLVMValueRef phi)
{
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        if (LLVMGetIncomingBlock(phi, i) == p->cfg->blocks[p->latch].block)
            return LLVMGetIncomingValue(phi, i);
    }
    return NULL;
}

static bool is_half_of(LLVMValueRef value, LLVMValueRef whole)
{
    LLVMOpcode opcode;
    LLVMValueRef by;

    if (!value || !LLVMIsABinaryOperator(value) || LLVMGetOperand(value, 0) != whole)
        return false;
    by = LLVMGetOperand(value, 1);
    if (!LLVMIsAConstantInt(by))
        return false;
    opcode = LLVMGetInstructionOpcode(value);
    if (opcode == LLVMLShr || opcode == LLVMAShr)
        return LLVMConstIntGetZExtValue(by) == 1;
    return (opcode == LLVMUDiv || opcode == LLVMSDiv) &&
           LLVMConstIntGetZExtValue(by) == 2;
}

static bool is_add_or_index(LLVMValueRef user)
{
    return LLVMIsAGetElementPtrInst(user) ||
           (LLVMIsABinaryOperator(user) && LLVMGetInstructionOpcode(user) == LLVMAdd);
}

// *limit: compared with what the work-items have: which of them have something to do.
// *distance: added to it: whose element they take. Where the distance is something else
// nothing is gained (scan_blocks with AVX2 0.69).
static void find_uses(const struct peel *p, LLVMValueRef value, bool *limit,
                      bool *distance)
{
    for (LLVMUseRef u = LLVMGetFirstUse(value); u; u = LLVMGetNextUse(u)) {
        const LLVMValueRef user = LLVMGetUser(u);

        if (!LLVMIsAInstruction(user) || !is_in_loop(p, LLVMGetInstructionParent(user)))
            continue;
        *limit |= LLVMIsAICmpInst(user) && !LLVMIsConstant(LLVMGetOperand(user, 0)) &&
                  !LLVMIsConstant(LLVMGetOperand(user, 1));
        *distance |= is_add_or_index(user);
        if (LLVMIsAZExtInst(user) || LLVMIsASExtInst(user))
            find_uses(p, user, limit, distance);
    }
}

static LLVMValueRef find_halved(const struct peel *p)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(p->head); LLVMIsAPHINode(i);
         i = LLVMGetNextInstruction(i)) {
        bool limit = false, distance = false;

        if (LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMIntegerTypeKind ||
            LLVMGetIntTypeWidth(LLVMTypeOf(i)) < LEAST_BITS ||
            !is_half_of(from_latch(p, i), i))
            continue;
        find_uses(p, i, &limit, &distance);
        if (limit && distance)
            return i;
    }
    return NULL;
}

// Outside of the loop values are used through phis alone, right behind it.
static bool leaves_through_phis(const struct peel *p, LLVMValueRef value)
{
    for (LLVMUseRef u = LLVMGetFirstUse(value); u; u = LLVMGetNextUse(u)) {
        const LLVMValueRef user = LLVMGetUser(u);

        if (is_in_loop(p, LLVMGetInstructionParent(user)))
            continue;
        if (!LLVMIsAPHINode(user))
            return false;
        for (unsigned i = 0; i < LLVMCountIncoming(user); i++) {
            if (LLVMGetIncomingValue(user, i) == value &&
                !is_in_loop(p, LLVMGetIncomingBlock(user, i)))
                return false;
        }
    }
    return true;
}

// Numbers the instructions on the way. Scopes of `restrict` hold in one round.
static bool can_be_copied(struct peel *p)
{
    bool has_barrier = false;

    for (unsigned b = 0; b < p->cfg->block_count; b++) {
        if (!tf_cfg_in_loop(p->cfg, p->loop, b))
            continue;
        if (p->cfg->blocks[b].loop != p->loop)
            return false;
        TF_FOR_EACH_INSTRUCTION_OF_BLOCK(i, p->cfg->blocks[b].block)
        {
            if (p->count == MOST_INSTRUCTIONS || tf_is_scope_marker(i) ||
                (LLVMIsATerminatorInst(i) && !LLVMIsABranchInst(i)) ||
                LLVMIsAAllocaInst(i) || !leaves_through_phis(p, i))
                return false;
            has_barrier |= tf_root_of(i) == TF_ROOT_BARRIER;
            tf_map_put(&p->number, i, p->count++);
        }
    }
    return has_barrier;
}

// Lanes go to these rounds together, and meet others at the same barriers. A limit of
// each item's own, halved as often as all others, would part them.
static bool is_one_for_all(const struct peel *p, struct tf_arena *arena)
{
    struct tf_shapes shapes;

    tf_shapes_init(&shapes, arena, p->cfg, LLVMGetBasicBlockParent(p->head), false);
    return tf_is_uniform(&shapes, p->halved);
}

static bool find(struct peel *p, struct tf_arena *arena)
{
    const struct tf_cfg_loop *loop = &p->cfg->loops[p->loop];
    const struct tf_cfg_block *head = &p->cfg->blocks[loop->head];

    p->number = (struct tf_map){.arena = arena};
    p->count = 0;
    p->head = head->block;
    if (loop->latch_count != 1 || head->pred_count != 2)
        return false;
    p->latch = head->preds[tf_cfg_in_loop(p->cfg, p->loop, head->preds[0]) ? 0 : 1];
    p->halved = find_halved(p);
    return p->halved && can_be_copied(p) && is_one_for_all(p, arena);
}

// ---- the rounds once more

static LLVMValueRef in_round(const struct peel *p, LLVMValueRef value)
{
    const unsigned number =
        LLVMIsAInstruction(value) ? tf_map_get(&p->number, value) : TF_MAP_NONE;

    return number == TF_MAP_NONE ? value : p->now[number];
}

static LLVMValueRef copy_phi(const struct peel *p, LLVMValueRef phi)
{
    const LLVMValueRef copy = LLVMBuildPhi(p->wg->builder, LLVMTypeOf(phi), "");

    if (LLVMCanValueUseFastMathFlags(phi))
        LLVMSetFastMathFlags(copy, LLVMGetFastMathFlags(phi));
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMValueRef value = in_round(p, LLVMGetIncomingValue(phi, i));
        LLVMBasicBlockRef from =
            p->copies[tf_cfg_number(p->cfg, LLVMGetIncomingBlock(phi, i))];

        LLVMAddIncoming(copy, &value, &from, 1);
    }
    return copy;
}

static LLVMValueRef copy_other(const struct peel *p, LLVMValueRef i)
{
    const LLVMValueRef copy = LLVMInstructionClone(i);

    for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(copy); k++) {
        const LLVMValueRef operand = LLVMGetOperand(copy, k);

        if (LLVMIsAInstruction(operand))
            LLVMSetOperand(copy, k, in_round(p, operand));
    }
    LLVMInsertIntoBuilder(p->wg->builder, copy);
    return copy;
}

static void add_to_phis(const struct peel *p, LLVMBasicBlockRef block,
                        LLVMBasicBlockRef from, LLVMBasicBlockRef copy)
{
    for (LLVMValueRef phi = LLVMGetFirstInstruction(block); LLVMIsAPHINode(phi);
         phi = LLVMGetNextInstruction(phi)) {
        for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
            LLVMValueRef value;

            if (LLVMGetIncomingBlock(phi, i) != from)
                continue;
            value = in_round(p, LLVMGetIncomingValue(phi, i));
            LLVMAddIncoming(phi, &value, &copy, 1);
            break;
        }
    }
}

static void set_successors(const struct peel *p, LLVMBasicBlockRef block,
                           LLVMValueRef end, LLVMBasicBlockRef copy)
{
    for (unsigned k = 0; k < LLVMGetNumSuccessors(end); k++) {
        const LLVMBasicBlockRef to = LLVMGetSuccessor(end, k);

        if (to == p->question) {
            LLVMSetSuccessor(end, k, p->next_start);
            if (p->next_start == p->question)
                add_to_phis(p, p->question, block, copy);
        } else if (is_in_loop(p, to)) {
            LLVMSetSuccessor(end, k, p->copies[tf_cfg_number(p->cfg, to)]);
        } else {
            add_to_phis(p, to, block, copy);
        }
    }
}

static void copy_block(struct peel *p, unsigned b)
{
    const LLVMBasicBlockRef block = p->cfg->blocks[b].block;

    LLVMPositionBuilderAtEnd(p->wg->builder, p->copies[b]);
    TF_FOR_EACH_INSTRUCTION_OF_BLOCK(i, block)
    {
        const LLVMValueRef copy = LLVMIsAPHINode(i) ? copy_phi(p, i) : copy_other(p, i);

        p->now[tf_map_get(&p->number, i)] = copy;
        if (LLVMIsATerminatorInst(i))
            set_successors(p, block, copy, p->copies[b]);
    }
}

static LLVMBasicBlockRef add_block(const struct peel *p)
{
    return LLVMInsertBasicBlockInContext(p->wg->context, p->head, "");
}

static void add_copies(struct peel *p)
{
    for (unsigned b = 0; b < p->cfg->block_count; b++) {
        if (tf_cfg_in_loop(p->cfg, p->loop, b))
            p->copies[b] = add_block(p);
    }
}

// The values that the phis of the head have in the round after this one.
static void go_round(struct peel *p, LLVMValueRef *next)
{
    TF_FOR_EACH_INSTRUCTION_OF_BLOCK(i, p->question)
    {
        if (LLVMIsAPHINode(i))
            next[tf_map_get(&p->number, i)] = in_round(p, from_latch(p, i));
    }
    TF_FOR_EACH_INSTRUCTION_OF_BLOCK(i, p->question)
    {
        if (LLVMIsAPHINode(i))
            p->now[tf_map_get(&p->number, i)] = next[tf_map_get(&p->number, i)];
    }
}

// The phis of the head in a block before it, which asks whether the rest is a matter of
// one gang.
static void ask(struct peel *p, LLVMBasicBlockRef rounds)
{
    const LLVMBuilderRef b = p->wg->builder;
    const struct tf_cfg_block *head = &p->cfg->blocks[p->cfg->loops[p->loop].head];
    const LLVMValueRef lanes =
        LLVMConstInt(LLVMTypeOf(p->halved), p->wg->lanes->width, false);
    LLVMValueRef phi;

    LLVMPositionBuilderAtEnd(b, p->question);
    while (phi = LLVMGetFirstInstruction(p->head), LLVMIsAPHINode(phi)) {
        LLVMInstructionRemoveFromParent(phi);
        LLVMInsertIntoBuilder(b, phi);
        p->now[tf_map_get(&p->number, phi)] = phi == p->halved ? lanes : phi;
    }
    for (unsigned i = 0; i < head->pred_count; i++) {
        const LLVMValueRef end =
            LLVMGetBasicBlockTerminator(p->cfg->blocks[head->preds[i]].block);

        for (unsigned k = 0; k < LLVMGetNumSuccessors(end); k++) {
            if (LLVMGetSuccessor(end, k) == p->head)
                LLVMSetSuccessor(end, k, p->question);
        }
    }
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntEQ, p->halved, lanes, ""), rounds,
                    p->head);
}

static void emit_rounds(struct peel *p)
{
    struct tf_arena *arena = p->cfg->arena;
    LLVMValueRef *next = TF_ARENA_NEW(arena, LLVMValueRef, p->count);
    const unsigned head = p->cfg->loops[p->loop].head;
    LLVMBasicBlockRef *after =
        TF_ARENA_NEW(arena, LLVMBasicBlockRef, p->cfg->block_count);

    p->now = TF_ARENA_NEW(arena, LLVMValueRef, p->count);
    p->copies = TF_ARENA_NEW(arena, LLVMBasicBlockRef, p->cfg->block_count);
    p->question = add_block(p);
    add_copies(p);
    ask(p, p->copies[head]);
    for (unsigned lanes = p->wg->lanes->width; lanes > 0; lanes /= 2) {
        LLVMBasicBlockRef *const now = p->copies;

        p->next_start = p->question;
        if (lanes > 1) {
            p->copies = after;
            add_copies(p);
            p->next_start = after[head];
            p->copies = now;
        }
        // In reverse postorder: operands come first.
        for (unsigned b = 0; b < p->cfg->block_count; b++) {
            if (tf_cfg_in_loop(p->cfg, p->loop, b))
                copy_block(p, b);
        }
        go_round(p, next);
        p->copies = after;
        after = now;
    }
}

bool tf_prepare_peel(struct tf_wg *wg, LLVMValueRef fn)
{
    struct tf_arena arena = {0};
    struct tf_cfg cfg;
    struct peel p = {.wg = wg, .cfg = &cfg};
    bool found = false;

    // One loop of a kernel: what is peeled is no part of the graph.
    if (tf_cfg_init(&cfg, &arena, fn)) {
        for (; !found && p.loop < cfg.loop_count; p.loop += !found)
            found = find(&p, &arena);
        if (found)
            emit_rounds(&p);
    }
    tf_arena_finish(&arena);
    return found;
}
