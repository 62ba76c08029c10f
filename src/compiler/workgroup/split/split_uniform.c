// SPDX-License-Identifier: MIT
// What is the same for all items of a group, by a rule that errs on the safe side: a
// value varies if an item's id, a variable, or memory that the kernel may change goes
// into it, or if it is computed where items may be apart. Loads of changeable memory
// count as varying although items that load at the same time see the same: a program with
// a race must not make items disagree about the way that the whole group takes. Loads of
// local memory are not among them where nothing between two barriers writes any.
//
// Items come apart at a branch on a varying condition and meet again at its immediate
// post-dominator. If that leaves the items together at every barrier, regions can be run
// by plain loops. A second look leaves out the ways that lead to no barrier: items that
// take them end, and matter to nobody.
#include <llvm-c/Core.h>

#include "compiler/ir/ir_util.h"
#include "compiler/workgroup/split/split_parts.h"

struct look {
    struct tf_split *s;
    bool survivors; // leave out blocks that lead to no barrier
    // Per block: nothing that an item may run between the same two barriers writes local
    // memory.
    bool *is_settled;
};

static bool is_in(const struct look *l, unsigned block)
{
    return !l->survivors || l->s->blocks[block].leads_on;
}

static void find_post_dominators(const struct look *l)
{
    struct tf_split *s = l->s;
    bool *in = TF_ARENA_NEW(s->arena, bool, s->block_count);
    struct tf_graph_ends ends = {.in = in};

    for (unsigned i = 0; i < s->block_count; i++)
        in[i] = is_in(l, i);
    tf_graph_find_ends(&s->graph, &ends);
    for (unsigned i = 0; i < s->block_count; i++)
        s->blocks[i].ipdom = ends.ipdom[i];
}

// ---- what varies

static bool is_varying_operand(const struct tf_split *s, LLVMValueRef value)
{
    unsigned number;

    if (LLVMIsAArgument(value)) {
        for (unsigned i = 0; i < TF_ITEM_LID; i++) {
            if (value == LLVMGetParam(s->in->function, i))
                return false;
        }
        return true;
    }
    number = tf_split_value_number(s, value);
    return number != TF_SPLIT_NONE && s->values[number].varying;
}

static bool has_varying_operand(const struct tf_split *s, LLVMValueRef value)
{
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value); i++) {
        if (is_varying_operand(s, LLVMGetOperand(value, i)))
            return true;
    }
    return false;
}

// Items that come from different blocks may bring different values, unless none of these
// blocks is one where items are apart.
static bool is_varying_phi(const struct tf_split *s, LLVMValueRef phi)
{
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        const unsigned from = tf_split_block_number(s, LLVMGetIncomingBlock(phi, i));

        if (from != TF_SPLIT_NONE &&
            (s->blocks[from].divergent ||
             is_varying_operand(s, LLVMGetIncomingValue(phi, i))))
            return true;
    }
    return false;
}

// ---- loads of local memory that nobody writes meanwhile

static bool is_local(LLVMValueRef pointer)
{
    return LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) == TF_AS_LOCAL;
}

static bool may_write_local(LLVMValueRef instruction)
{
    const LLVMValueRef to =
        LLVMIsAStoreInst(instruction) ? LLVMGetOperand(instruction, 1) : NULL;

    if (to)
        return LLVMGetPointerAddressSpace(LLVMTypeOf(to)) != TF_AS_GLOBAL;
    return !tf_split_is_pure(instruction) && !tf_split_is_barrier(instruction) &&
           !LLVMIsAPHINode(instruction) && !LLVMIsALoadInst(instruction) &&
           !LLVMIsAFenceInst(instruction) && !LLVMIsAAllocaInst(instruction) &&
           !LLVMIsATerminatorInst(instruction);
}

static bool block_writes_local(const struct tf_split *s, unsigned block)
{
    for (unsigned i = s->first_value[block]; i < s->first_value[block + 1]; i++) {
        if (may_write_local(s->values[i].value))
            return true;
    }
    return false;
}

// All blocks that ways without a barrier connect with this one.
static void settle(struct look *l, unsigned first, bool *seen)
{
    const struct tf_split *s = l->s;
    unsigned *found = TF_ARENA_NEW(s->arena, unsigned, s->block_count);
    unsigned count = 1;
    bool is_settled = true;

    found[0] = first;
    seen[first] = true;
    for (unsigned i = 0; i < count; i++) {
        const struct tf_split_block *b = &s->blocks[found[i]];

        is_settled &= !block_writes_local(s, found[i]);
        for (unsigned k = 0; k < b->succ_count + (b->barrier ? 0 : b->pred_count); k++) {
            const bool is_next = k < b->succ_count;
            const unsigned to = is_next ? b->succs[k] : b->preds[k - b->succ_count];

            if (seen[to] || (is_next && s->blocks[to].barrier))
                continue;
            seen[to] = true;
            found[count++] = to;
        }
    }
    for (unsigned i = 0; i < count; i++)
        l->is_settled[found[i]] = is_settled;
}

static void find_settled(struct look *l)
{
    bool *seen = TF_ARENA_NEW(l->s->arena, bool, l->s->block_count);

    l->is_settled = TF_ARENA_NEW(l->s->arena, bool, l->s->block_count);
    for (unsigned i = 0; i < l->s->block_count; i++) {
        if (!seen[i])
            settle(l, i, seen);
    }
}

static bool is_settled_load(const struct look *l, const struct tf_split_value *v)
{
    return LLVMIsALoadInst(v->value) && l->is_settled[v->block] &&
           tf_ir_is_ordinary(v->value) && is_local(LLVMGetOperand(v->value, 0));
}

static bool is_varying(const struct look *l, const struct tf_split_value *v)
{
    const struct tf_split *s = l->s;

    if (s->blocks[v->block].divergent)
        return true;
    if (LLVMIsAPHINode(v->value))
        return is_varying_phi(s, v->value);
    if (!tf_split_is_pure(v->value) && !tf_split_is_fixed_load(s, v->value) &&
        !is_settled_load(l, v))
        return true;
    return has_varying_operand(s, v->value);
}

// ---- where items are apart

// Everything between the branch and the block where its ways meet.
static void spread(struct look *l, unsigned branch)
{
    struct tf_split *s = l->s;
    const unsigned meet = s->blocks[branch].ipdom;
    unsigned *stack = TF_ARENA_NEW(s->arena, unsigned, s->block_count + 1);
    bool *seen = TF_ARENA_NEW(s->arena, bool, s->block_count);
    unsigned depth = 1;

    stack[0] = branch;
    while (depth > 0) {
        const struct tf_split_block *b = &s->blocks[stack[--depth]];

        for (unsigned k = 0; k < b->succ_count; k++) {
            const unsigned to = b->succs[k];

            if (to == meet || seen[to] || !is_in(l, to))
                continue;
            seen[to] = true;
            s->blocks[to].divergent = true;
            stack[depth++] = to;
        }
    }
}

// Whether items may leave the block on different ways.
static bool is_fork(const struct look *l, unsigned block)
{
    const struct tf_split_block *b = &l->s->blocks[block];
    const LLVMValueRef end = LLVMGetBasicBlockTerminator(b->block);
    unsigned only = TF_SPLIT_NONE;
    bool several = false;

    for (unsigned k = 0; k < b->succ_count; k++) {
        if (!is_in(l, b->succs[k]))
            continue;
        several |= only != TF_SPLIT_NONE && only != b->succs[k];
        only = b->succs[k];
    }
    return several && (b->divergent || is_varying_operand(l->s, LLVMGetOperand(end, 0)));
}

static bool update_block(struct look *l, unsigned block, bool *forked)
{
    struct tf_split *s = l->s;
    bool changed = false;

    for (unsigned i = s->first_value[block]; i < s->first_value[block + 1]; i++) {
        struct tf_split_value *v = &s->values[i];

        if (!v->varying && is_varying(l, v))
            changed = v->varying = true;
    }
    if (!forked[block] && is_fork(l, block)) {
        changed = forked[block] = true;
        spread(l, block);
    }
    return changed;
}

static void look_through(struct look *l)
{
    struct tf_split *s = l->s;
    bool *forked = TF_ARENA_NEW(s->arena, bool, s->block_count);
    bool changed = true;

    find_post_dominators(l);
    for (unsigned i = 0; i < s->block_count; i++)
        s->blocks[i].divergent = !is_in(l, i);
    for (unsigned i = 0; i < s->value_count; i++)
        s->values[i].varying = false;
    while (changed) {
        changed = false;
        for (unsigned i = 0; i < s->block_count; i++)
            changed |= update_block(l, i, forked);
    }
}

static bool together_at_barriers(const struct look *l)
{
    const struct tf_split *s = l->s;

    for (unsigned i = 0; i < s->block_count; i++) {
        const struct tf_split_block *b = &s->blocks[i];

        // The last barrier leads on to none: what counts is the way to it.
        for (unsigned k = 0; b->barrier && k < b->pred_count; k++) {
            if (s->blocks[b->preds[k]].divergent)
                return false;
        }
    }
    return true;
}

void tf_split_uniform(struct tf_split *s)
{
    struct look l = {.s = s};

    find_settled(&l);
    look_through(&l);
    s->mode = TF_SPLIT_TOGETHER;
    if (together_at_barriers(&l))
        return;
    l.survivors = true;
    look_through(&l);
    s->mode = TF_SPLIT_SURVIVORS;
    if (together_at_barriers(&l))
        return;
    s->mode = TF_SPLIT_ROUNDS;
    for (unsigned i = 0; i < s->block_count; i++)
        s->blocks[i].divergent = true;
    for (unsigned i = 0; i < s->value_count; i++)
        s->values[i].varying = true;
}
