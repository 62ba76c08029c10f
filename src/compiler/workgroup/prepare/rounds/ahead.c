// SPDX-License-Identifier: MIT
// for (k = 0; k < n; k += TILE) { tile[..] = a[.. + k]; barrier; ..; barrier }: the work
// between two loads of one place is that of a whole group, and where the next tile begins
// the processor cannot guess: the lines of a tile are as many streams as it has rows.
// What a round loads is fetched a round before, while the group works.
//
// for (k = 0; k < n; k++) { .. in[index[k * m + i]] .. }: the same of indices that lie a
// row apart. What is loaded by them fills all that the processor sees ahead, so that it
// comes to the next index only when all is done.
//
// The address of the next round is that of this one, made anew of what the counters of
// the loop are then. Behind the last round it may be anywhere: fetching touches nothing.
#include "compiler/workgroup/prepare/rounds/ahead.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#include "compiler/ir/ir_util.h"
#include "compiler/ir/roots.h"
#include "compiler/workgroup/analysis/access.h"
#include "compiler/workgroup/analysis/cfg.h"
#include "compiler/workgroup/kernel/wg.h"

enum {
    MOST_LOADS = 64,
    MOST_STEPS = 16, // of arithmetic, of an address
    MOST_OPERANDS = 6,
    MOST_DEPTH = 4,   // from a load to where it is stored
    LEAST_BYTES = 32, // from round to round: less is mostly of the same line
};

struct ahead {
    struct tf_wg *wg;
    const struct tf_cfg *cfg;
    unsigned loop;
    bool has_barrier; // the loop
    // Of the load at hand: instructions, and what they are in the next round.
    LLVMValueRef values[MOST_STEPS], next[MOST_STEPS];
    unsigned count;
    // By how many elements the address goes on at least; 0: by more than is known here.
    uint64_t elements;
    bool changed; // the function
};

// Marks the innermost loops of barriers.
static bool *find_barriers(struct tf_arena *arena, const struct tf_cfg *cfg)
{
    bool *has = TF_ARENA_NEW(arena, bool, cfg->loop_count);

    for (unsigned b = 0; b < cfg->block_count; b++) {
        LLVMValueRef i = LLVMGetFirstInstruction(cfg->blocks[b].block);

        for (; i && cfg->blocks[b].loop != TF_CFG_NONE; i = LLVMGetNextInstruction(i))
            has[cfg->blocks[b].loop] |= tf_root_of(i) == TF_ROOT_BARRIER;
    }
    return has;
}

// The innermost loop round the block that has a barrier, or TF_CFG_NONE.
static unsigned loop_with_barrier(const struct tf_cfg *cfg, const bool *barriers,
                                  unsigned block)
{
    unsigned loop = cfg->blocks[block].loop;

    while (loop != TF_CFG_NONE && !barriers[loop])
        loop = cfg->loops[loop].parent;
    return loop;
}

static bool is_arithmetic(LLVMValueRef i)
{
    switch ((int)LLVMGetInstructionOpcode(i)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMSExt:
    case LLVMZExt:
    case LLVMTrunc:
    case LLVMGetElementPtr:
        return true;
    default:
        return false;
    }
}

// What the counter is made of at the end of a round: itself and what does not change.
// NULL: it is no counter.
static LLVMValueRef step_of(const struct ahead *a, LLVMValueRef phi)
{
    for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
        const LLVMValueRef next = LLVMGetIncomingValue(phi, k);

        if (!tf_cfg_makes(a->cfg, a->loop, next) || !is_arithmetic(next))
            continue;
        for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(next); i++) {
            if (LLVMGetOperand(next, i) != phi &&
                tf_cfg_makes(a->cfg, a->loop, LLVMGetOperand(next, i)))
                return NULL;
        }
        return next;
    }
    return NULL;
}

static LLVMValueRef next_of(struct ahead *a, LLVMValueRef value);

static void note_step(struct ahead *a, LLVMValueRef step)
{
    const LLVMValueRef by = LLVMGetOperand(step, 1);
    const int64_t elements = LLVMIsAConstantInt(by) ? LLVMConstIntGetSExtValue(by) : 0;

    a->elements = elements < 0 ? -(uint64_t)elements : (uint64_t)elements;
}

// `operands`: others than its own, or NULL.
static LLVMValueRef clone_with(struct ahead *a, LLVMValueRef i, LLVMValueRef *operands)
{
    const LLVMValueRef copy = LLVMInstructionClone(i);

    for (unsigned k = 0; operands && k < (unsigned)LLVMGetNumOperands(i); k++)
        LLVMSetOperand(copy, k, operands[k]);
    LLVMInsertIntoBuilder(a->wg->builder, copy);
    a->changed = true;
    return copy;
}

static LLVMValueRef arithmetic_of_next(struct ahead *a, LLVMValueRef i)
{
    const unsigned count = (unsigned)LLVMGetNumOperands(i);
    LLVMValueRef operands[MOST_OPERANDS];
    bool changes = false;

    if (count > MOST_OPERANDS)
        return NULL;
    for (unsigned k = 0; k < count; k++) {
        operands[k] = next_of(a, LLVMGetOperand(i, k));
        if (!operands[k])
            return NULL;
        changes |= operands[k] != LLVMGetOperand(i, k);
    }
    if (!changes)
        return i;
    if (LLVMGetInstructionOpcode(i) == LLVMMul || LLVMGetInstructionOpcode(i) == LLVMShl)
        a->elements = 0;
    return clone_with(a, i, operands);
}

// Counters of loops in the loop mostly begin with the same number in each round.
static LLVMValueRef phi_of_next(struct ahead *a, LLVMValueRef phi)
{
    const unsigned block = tf_cfg_number(a->cfg, LLVMGetInstructionParent(phi));
    LLVMValueRef step;

    if (block != a->cfg->loops[a->loop].head)
        return tf_cfg_is_head(a->cfg, block) ? phi : NULL;
    step = step_of(a, phi);
    if (!step)
        return NULL;
    note_step(a, step);
    return clone_with(a, step, NULL);
}

// The value in the next round, made at the builder; NULL: not known here.
static LLVMValueRef next_of(struct ahead *a, LLVMValueRef value)
{
    LLVMValueRef next = NULL;

    if (!tf_cfg_makes(a->cfg, a->loop, value))
        return value;
    for (unsigned i = 0; i < a->count; i++) {
        if (a->values[i] == value)
            return a->next[i];
    }
    if (a->count == MOST_STEPS)
        return NULL;
    if (LLVMIsAPHINode(value)) {
        next = phi_of_next(a, value);
    } else if (is_arithmetic(value)) {
        next = arithmetic_of_next(a, value);
    }
    if (next && a->count < MOST_STEPS) {
        a->values[a->count] = value;
        a->next[a->count++] = next;
    }
    return next;
}

static bool is_stored_locally(LLVMValueRef store, LLVMValueRef value)
{
    return LLVMGetOperand(store, 0) == value &&
           LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(store, 1))) ==
               TF_AS_LOCAL;
}

// Whether the value, or what is made of it, is stored in local memory.
static bool fills_tile(LLVMValueRef value, unsigned depth)
{
    for (LLVMUseRef u = LLVMGetFirstUse(value); u; u = LLVMGetNextUse(u)) {
        const LLVMValueRef user = LLVMGetUser(u);

        if (LLVMIsAStoreInst(user)
                ? is_stored_locally(user, value)
                : depth < MOST_DEPTH && !LLVMIsAPHINode(user) && !LLVMIsALoadInst(user) &&
                      fills_tile(user, depth + 1))
            return true;
    }
    return false;
}

// Whether it, or what is made of it, is where something is loaded.
static bool is_index(LLVMValueRef value, unsigned depth)
{
    for (LLVMUseRef u = LLVMGetFirstUse(value); u; u = LLVMGetNextUse(u)) {
        const LLVMValueRef user = LLVMGetUser(u);

        if (LLVMIsALoadInst(user) ||
            (depth < MOST_DEPTH && is_arithmetic(user) && is_index(user, depth + 1)))
            return true;
    }
    return false;
}

static bool may_fetch(const struct ahead *a, LLVMValueRef load)
{
    return LLVMIsALoadInst(load) && !tf_access_is_ordered(load) &&
           tf_access_is_of_buffer(load) &&
           (a->has_barrier ? fills_tile(load, 0) : is_index(load, 0));
}

// Whether the next round mostly finds it in the line of this one.
static bool goes_slowly(const struct ahead *a, LLVMValueRef load)
{
    const LLVMTargetDataRef layout = LLVMGetModuleDataLayout(a->wg->module);
    const uint64_t bytes = a->elements * LLVMABISizeOfType(layout, LLVMTypeOf(load));

    return bytes > 0 && bytes < LEAST_BYTES;
}

static bool fetch_next(struct ahead *a, LLVMValueRef load)
{
    const LLVMValueRef address = LLVMGetOperand(load, 0);
    LLVMValueRef next;

    a->count = 0;
    a->elements = 0;
    LLVMPositionBuilderBefore(a->wg->builder, LLVMGetNextInstruction(load));
    next = next_of(a, address);
    if (!next || next == address || goes_slowly(a, load))
        return false;
    tf_wg_fetch(a->wg, next);
    return true;
}

static unsigned fetch_of_block(struct ahead *a, unsigned block, unsigned most)
{
    LLVMValueRef i = LLVMGetFirstInstruction(a->cfg->blocks[block].block), next;
    unsigned fetched = 0;

    for (; i && fetched < most; i = next) {
        next = LLVMGetNextInstruction(i);
        fetched += may_fetch(a, i) && fetch_next(a, i);
    }
    return fetched;
}

bool tf_prepare_ahead(struct tf_wg *wg, LLVMValueRef fn)
{
    struct tf_arena arena = {0};
    struct tf_cfg cfg;
    struct ahead a = {.wg = wg, .cfg = &cfg};
    unsigned fetched = 0;

    if (tf_cfg_init(&cfg, &arena, fn)) {
        const bool *barriers = find_barriers(&arena, &cfg);

        for (unsigned b = 0; b < cfg.block_count; b++) {
            a.loop = loop_with_barrier(&cfg, barriers, b);
            a.has_barrier = a.loop != TF_CFG_NONE;
            if (!a.has_barrier)
                a.loop = cfg.blocks[b].loop;
            if (a.loop != TF_CFG_NONE)
                fetched += fetch_of_block(&a, b, MOST_LOADS - fetched);
        }
    }
    tf_arena_finish(&arena);
    return a.changed;
}
