// SPDX-License-Identifier: MIT
// Where regions begin. Besides the start and the barriers these are blocks behind a
// branch that all items take together and that decides which barrier comes next: `for (n
// = 64; n; n /= 2) { ..; barrier }` then becomes a loop round loops over the items, as
// one would write it, instead of a test of n for each item.
#include <string.h>

#include <llvm-c/Core.h>

#include "compiler/ir/ir_util.h"
#include "compiler/workgroup/split/split_parts.h"

enum {
    MAX_DEPTH = 8,  // of expressions that are computed anew
    MAX_GROWTH = 4, // instructions of all regions, as a multiple of the function's
    // The same of gangs, which are made twice; under masks once more for whole gangs
    // (mostly_whole), which is not counted: without masks there is less of them.
    MAX_GANG_GROWTH = 2,
    SPARE_GROWTH = 2000, // and so many more, for small functions
    MAX_ENTRIES = 1000,
    MAX_INSTRUCTIONS = 400000,
};

// ---- values to compute anew

static bool is_cheap_operation(const struct tf_split *s, LLVMValueRef value)
{
    switch ((int)LLVMGetInstructionOpcode(value)) {
    case LLVMICmp:
    case LLVMSelect:
    case LLVMGetElementPtr:
    case LLVMExtractElement:
    case LLVMInsertElement:
    case LLVMShuffleVector:
        return true;
    default:
        return tf_ir_is_integer_operation(value) || LLVMIsACastInst(value) ||
               tf_split_is_fixed_load(s, value);
    }
}

// A varying value may use what the group shares; a shared one then better is shared, too.
static bool is_cheap(const struct tf_split *s, struct tf_split_value *v)
{
    if (LLVMIsAAllocaInst(v->value)) {
        v->fixed = true;
        return true;
    }
    if (!is_cheap_operation(s, v->value))
        return false;
    v->fixed = true;
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(v->value); i++) {
        const unsigned number = tf_split_value_number(s, LLVMGetOperand(v->value, i));
        const struct tf_split_value *operand;

        if (number == TF_SPLIT_NONE)
            continue;
        operand = &s->values[number];
        if (!operand->cheap && (operand->varying || !v->varying))
            return false;
        v->fixed &= operand->cheap && operand->fixed;
        if (operand->depth >= v->depth)
            v->depth = operand->depth + 1;
    }
    return v->depth <= MAX_DEPTH;
}

static void find_cheap_values(struct tf_split *s)
{
    for (unsigned i = 0; i < s->value_count; i++)
        s->values[i].cheap = is_cheap(s, &s->values[i]);
}

// ---- blocks that need no items

bool tf_split_is_varying_branch(const struct tf_split *s, unsigned block)
{
    const struct tf_split_block *b = &s->blocks[block];
    unsigned number;

    if (b->succ_count < 2)
        return false;
    number = tf_split_value_number(
        s, LLVMGetOperand(LLVMGetBasicBlockTerminator(b->block), 0));
    return number != TF_SPLIT_NONE && s->values[number].varying;
}

bool tf_split_needs_items(const struct tf_split *s, unsigned block)
{
    const struct tf_split_block *b = &s->blocks[block];
    const LLVMValueRef end = LLVMGetBasicBlockTerminator(b->block);

    if (b->divergent)
        return true;
    for (unsigned i = s->first_value[block]; i < s->first_value[block + 1]; i++) {
        const struct tf_split_value *v = &s->values[i];

        if (v->varying && !v->cheap && v->value != end && !LLVMIsAPHINode(v->value) &&
            !v->dropped)
            return true;
    }
    return tf_split_is_varying_branch(s, block);
}

// ---- entries

struct search {
    struct tf_split *s;
    uint64_t *targets; // per block: barriers that can come next, and the end (bit 0)
    unsigned words;
    bool *seen;     // on the way from one entry
    bool *dropouts; // SURVIVORS: where items come that others did not go with
};

static uint64_t *targets_of(const struct search *f, unsigned block)
{
    return f->targets + (size_t)block * f->words;
}

static bool merge(uint64_t *to, const uint64_t *from, unsigned words)
{
    bool changed = false;

    for (unsigned i = 0; i < words; i++) {
        changed |= (from[i] & ~to[i]) != 0;
        to[i] |= from[i];
    }
    return changed;
}

// Bit of each barrier; its own set is what comes after it.
static void find_targets(struct search *f, unsigned barrier_count,
                         const unsigned *barrier_bit)
{
    struct tf_split *s = f->s;
    bool changed = true;

    f->words = (barrier_count + 1 + 63) / 64;
    f->targets = TF_ARENA_NEW(s->arena, uint64_t, (size_t)s->block_count * f->words);
    while (changed) {
        changed = false;
        for (unsigned i = s->block_count; i-- > 0;) {
            const struct tf_split_block *b = &s->blocks[i];
            uint64_t *set = targets_of(f, i);

            if (b->succ_count == 0)
                set[0] |= 1;
            for (unsigned k = 0; k < b->succ_count; k++) {
                const unsigned to = b->succs[k], bit = barrier_bit[to];

                if (!s->blocks[to].barrier) {
                    changed |= merge(set, targets_of(f, to), f->words);
                } else if (!(set[bit / 64] >> (bit % 64) & 1)) {
                    set[bit / 64] |= (uint64_t)1 << (bit % 64);
                    changed = true;
                }
            }
        }
    }
}

static bool same_targets(const struct search *f, unsigned a, unsigned b)
{
    const struct tf_split *s = f->s;

    if (a == b)
        return true;
    if (s->blocks[a].barrier || s->blocks[b].barrier)
        return false;
    return memcmp(targets_of(f, a), targets_of(f, b), f->words * sizeof(uint64_t)) == 0;
}

static void add_entry(struct tf_split *s, unsigned block)
{
    if (s->blocks[block].entry != TF_SPLIT_NONE)
        return;
    s->blocks[block].entry = s->entry_count;
    s->entries[s->entry_count++] = block;
}

// Items that leave the others at a branch end without another barrier. Until then they
// may pass blocks that the others come to later: there, no entry tells who is where.
static void find_dropouts(struct search *f)
{
    const struct tf_split *s = f->s;
    unsigned *stack = TF_ARENA_NEW(s->arena, unsigned, s->block_count + 1);

    f->dropouts = TF_ARENA_NEW(s->arena, bool, s->block_count);
    for (unsigned i = 0; i < s->block_count; i++) {
        const struct tf_split_block *b = &s->blocks[i];
        unsigned depth = 0;

        if (!b->leads_on || !tf_split_is_varying_branch(s, i))
            continue;
        stack[depth++] = i;
        while (depth > 0) {
            b = &s->blocks[stack[--depth]];
            for (unsigned k = 0; k < b->succ_count; k++) {
                const unsigned to = b->succs[k];

                if (s->blocks[to].leads_on || s->blocks[to].barrier || f->dropouts[to])
                    continue;
                f->dropouts[to] = true;
                stack[depth++] = to;
            }
        }
    }
}

static bool is_loop_head(const struct tf_split *s, unsigned block)
{
    const struct tf_split_block *b = &s->blocks[block];

    // A way back leads from a block of a higher number.
    for (unsigned k = 0; k < b->pred_count; k++) {
        if (b->preds[k] >= block)
            return true;
    }
    return false;
}

// Whether items may come to a block behind this one without the others: by another way,
// or once more than they in a loop of their own.
static bool has_dropouts_behind(const struct search *f, unsigned block)
{
    const struct tf_split *s = f->s;
    const struct tf_split_block *b = &s->blocks[block];

    for (unsigned k = 0; k < b->succ_count; k++) {
        const struct tf_split_block *to = &s->blocks[b->succs[k]];

        if (f->dropouts[b->succs[k]])
            return true;
        if (to->divergent && !to->barrier &&
            (s->mode == TF_SPLIT_TOGETHER || to->leads_on ||
             is_loop_head(s, b->succs[k])))
            return true;
    }
    return false;
}

// Follows the blocks that need no items from an entry to a branch that decides; returns
// it, or TF_SPLIT_NONE.
static unsigned find_decision(struct search *f, unsigned block)
{
    const struct tf_split *s = f->s;

    memset(f->seen, 0, s->block_count * sizeof(*f->seen));
    for (;;) {
        const struct tf_split_block *b = &s->blocks[block];

        if (f->seen[block] || b->succ_count == 0 || tf_split_needs_items(s, block))
            return TF_SPLIT_NONE;
        f->seen[block] = true;
        if (has_dropouts_behind(f, block))
            return TF_SPLIT_NONE;
        for (unsigned k = 1; k < b->succ_count; k++) {
            if (!same_targets(f, b->succs[0], b->succs[k]))
                return block;
        }
        for (unsigned k = 1; k < b->succ_count; k++) {
            if (b->succs[k] != b->succs[0])
                return TF_SPLIT_NONE;
        }
        block = b->succs[0];
        if (s->blocks[block].barrier)
            return TF_SPLIT_NONE;
    }
}

// Whether a phi of `to` takes from block `from` what lies in no slot yet.
static bool has_phi_to_fill(const struct tf_split *s, unsigned from, unsigned to)
{
    for (unsigned i = s->first_value[to]; LLVMIsAPHINode(s->values[i].value); i++) {
        const LLVMValueRef phi = s->values[i].value;

        for (unsigned k = 0; s->values[i].varying && k < LLVMCountIncoming(phi); k++) {
            const unsigned number =
                tf_split_value_number(s, LLVMGetIncomingValue(phi, k));

            if (LLVMGetIncomingBlock(phi, k) == s->blocks[from].block &&
                (number == TF_SPLIT_NONE || s->values[number].cheap ||
                 !s->values[number].varying))
                return true;
        }
    }
    return false;
}

// A way that a decision leads to. Where it is an edge that fills phis, that is done
// there: the decision itself then needs no items.
static void add_way(const struct search *f, unsigned block)
{
    struct tf_split *s = f->s;
    const struct tf_split_block *b = &s->blocks[block];
    const bool is_edge = b->size == 1 && b->succ_count == 1 && b->pred_count == 1 &&
                         !s->blocks[b->succs[0]].divergent && !f->dropouts[b->succs[0]];

    if (!is_edge || has_phi_to_fill(s, block, b->succs[0]))
        add_entry(s, block);
    if (is_edge)
        add_entry(s, b->succs[0]);
}

static void add_decisions(struct search *f)
{
    struct tf_split *s = f->s;

    for (unsigned i = 0; i < s->entry_count && s->entry_count < MAX_ENTRIES; i++) {
        const unsigned decision = find_decision(f, s->entries[i]);

        if (decision == TF_SPLIT_NONE)
            continue;
        for (unsigned b = 0; b < s->block_count; b++) {
            if (f->seen[b])
                add_entry(s, b);
        }
        for (unsigned k = 0; k < s->blocks[decision].succ_count; k++)
            add_way(f, s->blocks[decision].succs[k]);
    }
}

// Marks the blocks of the natural loop with the way back from `latch` to `head`.
static void find_loop(const struct tf_split *s, unsigned head, unsigned latch, bool *in,
                      unsigned *stack)
{
    unsigned depth = 0;

    memset(in, 0, s->block_count * sizeof(*in));
    in[head] = true;
    if (!in[latch])
        stack[depth++] = latch;
    in[latch] = true;
    while (depth > 0) {
        const struct tf_split_block *b = &s->blocks[stack[--depth]];

        for (unsigned k = 0; k < b->pred_count; k++) {
            if (!in[b->preds[k]]) {
                in[b->preds[k]] = true;
                stack[depth++] = b->preds[k];
            }
        }
    }
}

static bool decides_for_all(const struct search *f, unsigned block)
{
    const struct tf_split *s = f->s;
    const struct tf_split_block *b = &s->blocks[block];

    return b->succ_count == 2 && !b->divergent && !tf_split_is_varying_branch(s, block) &&
           !s->blocks[b->succs[0]].divergent && !s->blocks[b->succs[1]].divergent &&
           !same_targets(f, b->succs[0], b->succs[1]);
}

// The end of a loop with barriers, behind what the items do in its last part: where it
// goes on, and where it ends, neither needs to be asked by each item.
static void add_loop_ends(struct search *f)
{
    struct tf_split *s = f->s;
    unsigned *stack = TF_ARENA_NEW(s->arena, unsigned, s->block_count + 1);

    if (s->mode != TF_SPLIT_TOGETHER)
        return;
    for (unsigned latch = 0; latch < s->block_count; latch++) {
        for (unsigned k = 0; k < s->blocks[latch].succ_count; k++) {
            const unsigned head = s->blocks[latch].succs[k];

            if (head > latch || s->entry_count >= MAX_ENTRIES)
                continue;
            find_loop(s, head, latch, f->seen, stack);
            for (unsigned i = head; i <= latch; i++) {
                const struct tf_split_block *b = &s->blocks[i];

                if (!f->seen[i] || !decides_for_all(f, i) ||
                    f->seen[b->succs[0]] == f->seen[b->succs[1]])
                    continue;
                add_way(f, b->succs[0]);
                add_way(f, b->succs[1]);
            }
        }
    }
}

static void find_entries(struct tf_split *s)
{
    struct search f = {.s = s};
    unsigned *barrier_bit = TF_ARENA_NEW(s->arena, unsigned, s->block_count);
    unsigned barriers = 0;

    s->entries = TF_ARENA_NEW(s->arena, unsigned, s->block_count);
    add_entry(s, 0);
    for (unsigned i = 0; i < s->block_count; i++) {
        if (s->blocks[i].barrier) {
            add_entry(s, i);
            barrier_bit[i] = ++barriers;
        }
    }
    if (s->entry_count > MAX_ENTRIES) {
        s->refused = true;
        return;
    }
    if (s->mode == TF_SPLIT_ROUNDS)
        return;
    find_targets(&f, barriers, barrier_bit);
    find_dropouts(&f);
    f.seen = TF_ARENA_NEW(s->arena, bool, s->block_count);
    add_decisions(&f);
    add_loop_ends(&f);
}

// ---- regions

static void add_target(struct tf_split_region *r, unsigned entry)
{
    for (unsigned i = 0; i < r->target_count; i++) {
        if (r->targets[i] == entry)
            return;
    }
    r->targets[r->target_count++] = entry;
}

// Leaves the blocks in the order of their numbers.
static uint64_t collect_region(struct tf_split *s, struct tf_split_region *r,
                               unsigned start, bool *has, unsigned *stack)
{
    unsigned depth = 1, targets = 0, at = 0;
    uint64_t size = 0;

    memset(has, 0, s->block_count * sizeof(*has));
    r->start = start;
    has[start] = true;
    stack[0] = start;
    while (depth > 0) {
        const struct tf_split_block *b = &s->blocks[stack[--depth]];

        r->block_count++;
        size += b->size;
        r->returns |= b->succ_count == 0;
        targets += b->succ_count;
        for (unsigned k = 0; k < b->succ_count; k++) {
            const unsigned to = b->succs[k];

            if (s->blocks[to].entry == TF_SPLIT_NONE && !has[to]) {
                has[to] = true;
                stack[depth++] = to;
            }
        }
    }
    r->blocks = TF_ARENA_NEW(s->arena, unsigned, r->block_count);
    r->targets = TF_ARENA_NEW(s->arena, unsigned, targets);
    for (unsigned i = 0; i < s->block_count; i++) {
        if (!has[i])
            continue;
        r->blocks[at++] = i;
        for (unsigned k = 0; k < s->blocks[i].succ_count; k++) {
            const unsigned entry = s->blocks[s->blocks[i].succs[k]].entry;

            if (entry != TF_SPLIT_NONE)
                add_target(r, entry);
        }
    }
    return size;
}

static void collect_regions(struct tf_split *s)
{
    const uint64_t growth =
        s->in->width > 1 && !s->in->linear ? MAX_GANG_GROWTH : MAX_GROWTH;
    const uint64_t most = s->value_count * growth + SPARE_GROWTH;
    bool *has = TF_ARENA_NEW(s->arena, bool, s->block_count);
    unsigned *stack = TF_ARENA_NEW(s->arena, unsigned, s->block_count + 1);
    uint64_t size = 0;

    s->regions = TF_ARENA_NEW(s->arena, struct tf_split_region, s->entry_count);
    for (unsigned i = 0; i < s->entry_count && !s->refused; i++) {
        size += collect_region(s, &s->regions[i], s->entries[i], has, stack);
        s->refused = size > most;
    }
}

void tf_split_entries(struct tf_split *s)
{
    if (s->value_count > MAX_INSTRUCTIONS) {
        s->refused = true;
        return;
    }
    find_cheap_values(s);
    find_entries(s);
    if (!s->refused)
        collect_regions(s);
    s->live_words = (s->entry_count + 63) / 64;
}
