// SPDX-License-Identifier: MIT
// Pass "unroll": loops whose number of rounds differs from work-item to work-item (a row
// of a sparse matrix, the edges of a node) are often short. LLVM would make two loops of
// each, one of several rounds at a time and one for the rest: two branches that nobody
// can predict instead of one. So such loops of the item function are marked as not to be
// unrolled, unless the program says what it wants.
#include <string.h>

#include <llvm-c/Core.h>

#include "compiler/ir/ir_util.h"
#include "compiler/workgroup/analysis/cfg.h"
#include "compiler/workgroup/kernel/wg.h"

struct search {
    struct tf_map varies;  // values that may differ from item to item
    LLVMValueRef *pending; // of them, those whose users are to be looked at
    unsigned count, capacity;
};

static void push(struct search *s, LLVMValueRef value)
{
    if (tf_map_get(&s->varies, value) != TF_MAP_NONE)
        return;
    tf_map_put(&s->varies, value, 1);
    if (s->count == s->capacity) {
        const unsigned capacity = s->capacity ? 2 * s->capacity : 64;
        LLVMValueRef *grown = TF_ARENA_NEW(s->varies.arena, LLVMValueRef, capacity);

        if (s->count)
            memcpy(grown, s->pending, s->count * sizeof(*grown));
        s->pending = grown;
        s->capacity = capacity;
    }
    s->pending[s->count++] = value;
}

// The private variable that `pointer` points into, or NULL.
static LLVMValueRef variable_of(LLVMValueRef pointer)
{
    while (LLVMIsAGetElementPtrInst(pointer) || LLVMIsAAddrSpaceCastInst(pointer))
        pointer = LLVMGetOperand(pointer, 0);
    return LLVMIsAAllocaInst(pointer) ? pointer : NULL;
}

// Follows ids through values and private variables. What flows through a decision does
// not count: this is about speed only.
static void find_varying(struct search *s, LLVMValueRef item)
{
    for (unsigned d = 0; d < 3; d++)
        push(s, LLVMGetParam(item, TF_ITEM_LID + d));
    while (s->count) {
        const LLVMValueRef value = s->pending[--s->count];

        for (LLVMUseRef u = LLVMGetFirstUse(value); u; u = LLVMGetNextUse(u)) {
            const LLVMValueRef user = LLVMGetUser(u);
            LLVMValueRef variable;

            if (!LLVMIsAInstruction(user))
                continue;
            push(s, user);
            variable =
                LLVMIsAStoreInst(user) ? variable_of(LLVMGetOperand(user, 1)) : NULL;
            if (variable)
                push(s, variable);
        }
    }
}

// ---- marks

static void mark(struct tf_wg *wg, const struct tf_cfg *cfg, unsigned loop)
{
    const unsigned kind = tf_ir_loop_kind(wg->context);
    const struct tf_cfg_block *head = &cfg->blocks[cfg->loops[loop].head];
    LLVMValueRef made = NULL;

    for (unsigned i = 0; i < head->pred_count; i++) {
        LLVMValueRef latch, old;

        if (!tf_cfg_in_loop(cfg, loop, head->preds[i]))
            continue;
        latch = LLVMGetBasicBlockTerminator(cfg->blocks[head->preds[i]].block);
        old = LLVMGetMetadata(latch, kind);
        if (old && !tf_ir_loop_says_nothing(old) && !made)
            return;
        if (!made)
            made = tf_ir_loop_mark(wg->context, TF_IR_NO_RUNTIME_UNROLLING, old != NULL);
        LLVMSetMetadata(latch, kind, made);
    }
}

static bool count_differs(const struct search *s, const struct tf_cfg *cfg, unsigned loop)
{
    for (unsigned b = 0; b < cfg->block_count; b++) {
        const struct tf_cfg_block *block = &cfg->blocks[b];
        const LLVMValueRef condition = tf_cfg_condition(cfg, b);

        if (!tf_cfg_in_loop(cfg, loop, b) || !condition ||
            tf_map_get(&s->varies, condition) == TF_MAP_NONE)
            continue;
        for (unsigned i = 0; i < block->succ_count; i++) {
            if (!tf_cfg_in_loop(cfg, loop, block->succs[i]))
                return true;
        }
    }
    return false;
}

bool tf_wg_unroll(struct tf_wg *wg)
{
    struct tf_arena arena = {0};
    struct search s = {.varies.arena = &arena};
    struct tf_cfg cfg;

    // Where there are lanes the items' own form is seldom used.
    if (wg->item->form == TF_WG_FIBERS || wg->lanes->gang || wg->item->sub_groups)
        return true;
    if (tf_cfg_init(&cfg, &arena, wg->item->function) && cfg.loop_count) {
        find_varying(&s, wg->item->function);
        for (unsigned l = 0; l < cfg.loop_count; l++) {
            if (count_differs(&s, &cfg, l))
                mark(wg, &cfg, l);
        }
    }
    tf_arena_finish(&arena);
    return true;
}
