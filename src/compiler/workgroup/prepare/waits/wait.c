// SPDX-License-Identifier: MIT
#include "compiler/workgroup/prepare/waits/wait.h"

#include <stdint.h>
#include <string.h>

#include <llvm-c/Core.h>

#include "compiler/ir/ir_util.h"
#include "compiler/ir/roots.h"
#include "compiler/workgroup/analysis/cfg.h"
#include "compiler/workgroup/analysis/spin.h"
#include "compiler/workgroup/kernel/wg.h"
#include "compiler/workgroup/prepare/waits/loop_ends.h"

// What the instructions of a loop do.
struct loop_facts {
    bool observes;   // any of them could tell what others do
    bool fences;     // plain accesses count, too
    unsigned writes; // bits: spaces of memory that values may go through
    bool odd;        // an atomic operation that does not only count
    int direction;   // of the counters: 1 up, -1 down, 0 none yet
};

struct search {
    struct tf_end_question question; // the first: what is asked of ends
    const struct tf_cfg *cfg;
    unsigned loop;
    struct loop_facts facts;
    struct tf_arena arena;
};

static unsigned space_of(LLVMValueRef access)
{
    const unsigned at = LLVMIsAStoreInst(access) ? 1 : 0;

    return LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(access, at)));
}

// Bits of the spaces that an access may be one of.
static unsigned spaces_of(LLVMValueRef access)
{
    const unsigned space = space_of(access);

    return space > TF_AS_LOCAL ? ~(1u << TF_AS_CONSTANT) : 1u << space; // generic: any
}

// How a counter goes: 1 up, -1 down; 0 for all else.
static int count_direction(LLVMValueRef change)
{
    const LLVMValueRef by = LLVMGetOperand(change, 1);
    int64_t n;

    if (!LLVMIsAAtomicRMWInst(change) || !LLVMIsAConstantInt(by) ||
        LLVMGetIntTypeWidth(LLVMTypeOf(by)) > 64)
        return 0;
    n = LLVMConstIntGetSExtValue(by);
    switch ((int)LLVMGetAtomicRMWBinOp(change)) {
    case LLVMAtomicRMWBinOpAdd:
        return n > 0 ? 1 : n < 0 ? -1 : 0;
    case LLVMAtomicRMWBinOpSub:
        return n > 0 ? -1 : n < 0 ? 1 : 0;
    default:
        return 0;
    }
}

static void note_change(struct loop_facts *f, LLVMValueRef change)
{
    const int direction = count_direction(change);

    f->observes = true;
    f->odd |= direction == 0 || (f->direction && f->direction != direction);
    f->direction = direction;
}

static void note(struct loop_facts *f, LLVMValueRef i)
{
    if (tf_is_change(i))
        note_change(f, i);
    f->observes |= tf_watches(i);
    if (LLVMIsAFenceInst(i))
        f->observes = f->fences = true;
    if (LLVMIsAStoreInst(i) || tf_is_copy(i))
        f->writes |= spaces_of(i);
}

// ---- what a value depends on

static bool load_depends(const struct search *s, LLVMValueRef load)
{
    const unsigned space = space_of(load);

    if (tf_watches(load) || (spaces_of(load) & s->facts.writes))
        return true;
    return space != TF_AS_PRIVATE && space != TF_AS_CONSTANT && s->facts.fences;
}

// Of calls only intrinsics and roots are left: some ask who comes along.
static bool asks_who_comes(LLVMValueRef call)
{
    const enum tf_root root = tf_root_of(call);

    return root >= TF_ROOT_SUB_GROUP_BALLOT && root < TF_ROOT_UNKNOWN;
}

static enum tf_end_answer told_by_others(const struct tf_end_question *question,
                                         LLVMValueRef value)
{
    const struct search *s = tf_container_of(question, const struct search, question);

    if (tf_spin_succeeds(s->cfg, s->loop, value))
        return TF_END_NO;
    // A counter that all go on with ends each loop over it, whoever comes along.
    if (tf_is_change(value))
        return s->facts.odd ? TF_END_YES : TF_END_NO;
    if (LLVMIsALoadInst(value) && load_depends(s, value))
        return TF_END_YES;
    return LLVMIsACallInst(value) && asks_who_comes(value) ? TF_END_WAYS
                                                           : TF_END_OPERANDS;
}

// ---- loops

static bool has_barrier(const struct tf_cfg *cfg, unsigned block)
{
    TF_FOR_EACH_INSTRUCTION_OF_BLOCK(i, cfg->blocks[block].block)
    {
        if (tf_root_of(i) == TF_ROOT_BARRIER)
            return true;
    }
    return false;
}

// Whether the edge is taken when a retry has failed: then another one has succeeded.
static bool is_lost_race(const struct search *s, const struct tf_cfg_block *from,
                         unsigned edge)
{
    const LLVMValueRef end = LLVMGetBasicBlockTerminator(from->block);
    LLVMValueRef condition;
    bool differs;

    if (from->succ_count != 2 || LLVMGetInstructionOpcode(end) != LLVMBr)
        return false;
    condition = LLVMGetCondition(end);
    differs = LLVMIsAICmpInst(condition) && LLVMGetICmpPredicate(condition) == LLVMIntNE;
    return edge == (differs ? 0u : 1u) && tf_spin_succeeds(s->cfg, s->loop, condition);
}

// Whether there is a round without a barrier in which nobody has come any further.
static bool goes_round_freely(struct search *s)
{
    const struct tf_cfg_loop *const l = &s->cfg->loops[s->loop];
    bool *const reached = TF_ARENA_NEW(&s->arena, bool, s->cfg->block_count);
    unsigned *const stack = TF_ARENA_NEW(&s->arena, unsigned, s->cfg->block_count);
    unsigned depth = 0;

    if (!has_barrier(s->cfg, l->head)) {
        reached[l->head] = true;
        stack[depth++] = l->head;
    }
    while (depth) {
        const struct tf_cfg_block *const b = &s->cfg->blocks[stack[--depth]];

        for (unsigned k = 0; k < b->succ_count; k++) {
            const unsigned next = b->succs[k];

            if (is_lost_race(s, b, k))
                continue;
            if (next == l->head)
                return true;
            if (!l->has[next] || reached[next] || has_barrier(s->cfg, next))
                continue;
            reached[next] = true;
            stack[depth++] = next;
        }
    }
    return false;
}

static void find_facts(struct search *s)
{
    for (unsigned b = 0; b < s->cfg->block_count; b++) {
        if (!s->cfg->loops[s->loop].has[b])
            continue;
        TF_FOR_EACH_INSTRUCTION_OF_BLOCK(i, s->cfg->blocks[b].block)
        {
            note(&s->facts, i);
        }
    }
}

bool tf_wait_in_loop(const struct tf_cfg *cfg, unsigned loop)
{
    struct search s = {.question = {.cfg = cfg, .loop = loop, .of = told_by_others},
                       .cfg = cfg,
                       .loop = loop};
    bool waits;

    find_facts(&s);
    waits = s.facts.observes && goes_round_freely(&s) && tf_loop_end_depends(&s.question);
    tf_arena_finish(&s.arena);
    return waits;
}

static bool observes(LLVMValueRef i)
{
    struct loop_facts facts = {0};

    note(&facts, i);
    return facts.observes;
}

bool tf_wait_in(LLVMValueRef fn)
{
    return tf_any_loop_waits(fn, observes, tf_wait_in_loop);
}
