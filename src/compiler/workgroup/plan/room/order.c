// SPDX-License-Identifier: MIT
// Registers of a block in another order than the program's. Where rows of a pack have
// loads in common the program goes through the columns of one line after the other, and
// all of them wait for the rows behind; LLVM's scheduler, which looks at registers, makes
// of each load all that it is wanted for. What it finds is not known here: this goes from
// value to value, and takes the one next that leaves the fewest registers occupied when
// all is made that can be made of it.
#include "compiler/workgroup/plan/room/room_parts.h"

enum { MOST_VALUES = 1500 }; // of a block: for each, all that could be next are tried

struct node {
    uint64_t size;
    unsigned users;        // in the block that are not made yet
    unsigned waits;        // of what it needs, how much is not made yet
    unsigned operands;     // with registers
    unsigned first_next;   // in `next`: what needs it
    unsigned first_before; // in `before`: its operands
    bool is_made;
};

struct order {
    const struct tf_plan *p;
    const struct tf_value *values; // of the block
    struct node *nodes;            // one more than there are values
    unsigned count;
    unsigned *next, *before;
    unsigned *made; // in their order
    unsigned made_count;
    uint64_t live;
    uint64_t limit;
};

// ---- what needs what

// The place of the operand in the block; o->count: it is not made there, or is one of
// those before.
static unsigned operand_here(const struct order *o, unsigned at, unsigned k)
{
    const struct tf_value *const v = &o->values[at];
    const struct tf_value *const operand =
        v->opcode == LLVMPHI ? NULL : tf_operand(o->p->shapes, v, k);

    if (!operand || operand->block != v->block)
        return o->count;
    for (unsigned i = 0; i < k; i++) {
        if (v->operands[i] == v->operands[k])
            return o->count;
    }
    return (unsigned)(operand - o->values);
}

static bool writes(const struct tf_value *v)
{
    return v->opcode == LLVMStore || v->opcode == LLVMFence || v->is_ordered ||
           v->opcode == LLVMAtomicRMW || v->opcode == LLVMAtomicCmpXchg ||
           (v->opcode == LLVMCall && !v->elementwise && !tf_touches_no_memory(v));
}

// Calls `each` for all that a value needs: writes stay in their order, the end of the
// block is behind all of them, and loads are made whenever they are wanted, which is less
// than the truth where memory is written in between.
static void visit_needs(struct order *o, void (*each)(struct order *o, unsigned at,
                                                      unsigned needs, bool is_operand))
{
    unsigned last_write = o->count;

    for (unsigned i = 0; i < o->count; i++) {
        const struct tf_value *const v = &o->values[i];

        for (unsigned k = 0; k < v->operand_count; k++) {
            const unsigned operand = operand_here(o, i, k);

            if (operand < o->count)
                each(o, i, operand, true);
        }
        if (!writes(v) && i + 1 < o->count)
            continue;
        if (last_write < o->count)
            each(o, i, last_write, false);
        last_write = i;
    }
}

static void count_need(struct order *o, unsigned at, unsigned needs, bool is_operand)
{
    struct node *const n = &o->nodes[at];

    n->waits++;
    o->nodes[needs].first_next++;
    if (!is_operand)
        return;
    o->nodes[needs].users++;
    n->first_before++;
    n->operands += o->nodes[needs].size > 0;
}

static void note_need(struct order *o, unsigned at, unsigned needs, bool is_operand)
{
    o->next[--o->nodes[needs].first_next] = at;
    if (is_operand)
        o->before[--o->nodes[at].first_before] = needs;
}

// Ends of lists become their starts as they are filled from behind.
static void make_lists(struct order *o, struct tf_arena *arena)
{
    unsigned next = 0, before = 0;

    visit_needs(o, count_need);
    for (unsigned i = 0; i <= o->count; i++) {
        next += o->nodes[i].first_next;
        before += o->nodes[i].first_before;
        o->nodes[i].first_next = next;
        o->nodes[i].first_before = before;
    }
    o->next = TF_ARENA_NEW(arena, unsigned, next + 1);
    o->before = TF_ARENA_NEW(arena, unsigned, before + 1);
    visit_needs(o, note_need);
}

// ---- one value after the other

static bool is_ready(const struct order *o, unsigned at)
{
    return !o->nodes[at].is_made && o->nodes[at].waits == 0;
}

// Registers that are occupied more when it is made.
static int64_t growth(const struct order *o, unsigned at)
{
    const struct node *const n = &o->nodes[at];
    int64_t more = n->users > 0 ? (int64_t)n->size : 0;

    for (unsigned k = n->first_before; k < n[1].first_before; k++) {
        const struct node *const operand = &o->nodes[o->before[k]];

        more -= operand->users == 1 ? (int64_t)operand->size : 0;
    }
    return more;
}

static void make(struct order *o, unsigned at)
{
    struct node *const n = &o->nodes[at];

    o->live = (uint64_t)((int64_t)o->live + growth(o, at));
    n->is_made = true;
    o->made[o->made_count++] = at;
    for (unsigned k = n->first_before; k < n[1].first_before; k++)
        o->nodes[o->before[k]].users--;
    for (unsigned k = n->first_next; k < n[1].first_next; k++)
        o->nodes[o->next[k]].waits--;
}

static void take_back(struct order *o)
{
    const unsigned at = o->made[--o->made_count];
    struct node *const n = &o->nodes[at];

    n->is_made = false;
    for (unsigned k = n->first_before; k < n[1].first_before; k++)
        o->nodes[o->before[k]].users++;
    for (unsigned k = n->first_next; k < n[1].first_next; k++)
        o->nodes[o->next[k]].waits++;
    o->live = (uint64_t)((int64_t)o->live - growth(o, at));
}

// Makes it, and of it what occupies no more registers, or needs nothing else. False: one
// of them finds none.
static bool make_all(struct order *o, unsigned at)
{
    unsigned done = o->made_count;

    make(o, at);
    for (; done < o->made_count && o->live <= o->limit; done++) {
        const struct node *const n = &o->nodes[o->made[done]];

        for (unsigned k = n->first_next; k < n[1].first_next; k++) {
            const unsigned user = o->next[k];

            if (is_ready(o, user) &&
                (o->nodes[user].operands == 1 || growth(o, user) <= 0))
                make(o, user);
        }
    }
    return o->live <= o->limit;
}

static int64_t growth_of_all(struct order *o, unsigned at)
{
    const unsigned made_count = o->made_count;
    const uint64_t live = o->live;
    const bool fits = make_all(o, at);
    const int64_t more = fits ? (int64_t)(o->live - live) : INT64_MAX;

    while (o->made_count > made_count)
        take_back(o);
    return more;
}

// o->count: none finds registers.
static unsigned find_next(struct order *o)
{
    unsigned best = o->count;
    int64_t least = INT64_MAX;

    for (unsigned i = 0; i < o->count && least > 0; i++) {
        const int64_t more = is_ready(o, i) ? growth_of_all(o, i) : INT64_MAX;

        if (more < least) {
            least = more;
            best = i;
        }
    }
    return best;
}

bool tf_room_fits_in_order(const struct tf_plan *p, struct tf_arena *arena,
                           unsigned block, uint64_t limit)
{
    const struct tf_value *const values = tf_block_first(p->shapes, block);
    struct order o = {
        .p = p,
        .values = values,
        .count = (unsigned)(tf_block_end(p->shapes, block) - values),
        .limit = limit,
    };

    if (tf_room_most_in_block(p, arena, block, tf_room_of_block) <= limit)
        return true;
    if (o.count > MOST_VALUES)
        return false;
    o.nodes = TF_ARENA_NEW(arena, struct node, o.count + 1);
    o.made = TF_ARENA_NEW(arena, unsigned, o.count);
    for (unsigned i = 0; i < o.count; i++)
        o.nodes[i].size = tf_room_of_block(p, &values[i]);
    make_lists(&o, arena);
    while (o.made_count < o.count) {
        const unsigned next = find_next(&o);

        if (next == o.count)
            return false;
        make_all(&o, next);
    }
    return true;
}
