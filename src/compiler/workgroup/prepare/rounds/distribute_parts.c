// SPDX-License-Identifier: MIT
// Which sums a loop has, and which loop is to make which of them: one sum after the
// other, always one that needs the least besides what the loop makes already. Of a
// product of matrices that is a block.
#include "compiler/workgroup/prepare/rounds/distribute_parts.h"

#include "compiler/ir/ir_util.h"
#include "compiler/workgroup/analysis/access.h"

enum {
    WORD_BITS = 64,
    // More than the plan takes the registers to hold: what is loaded only to be added
    // needs none where instructions load what they work on.
    SPARE = 3,
    LONG = 8, // operations that a division or a function counts for
};

// ---- sets

bool tf_loop_has(const struct tf_loop_set *set, unsigned i)
{
    return set->words[i / WORD_BITS] >> i % WORD_BITS & 1;
}

static void put(struct tf_loop_set *set, unsigned i)
{
    set->words[i / WORD_BITS] |= UINT64_C(1) << i % WORD_BITS;
}

static void unite(struct tf_loop_set *set, const struct tf_loop_set *other)
{
    for (unsigned w = 0; w < TF_LOOP_SET_WORDS; w++)
        set->words[w] |= other->words[w];
}

// What the values cost that `set` has and `without` has not.
static unsigned cost_beside(const struct tf_loop_parts *l, const struct tf_loop_set *set,
                            const struct tf_loop_set *without)
{
    unsigned cost = 0;

    for (unsigned w = 0; w * WORD_BITS < l->count; w++) {
        uint64_t rest = set->words[w] & ~without->words[w];

        for (; rest; rest &= rest - 1)
            cost += l->costs[w * WORD_BITS + (unsigned)__builtin_ctzll(rest)];
    }
    return cost;
}

// ---- what things cost, in operations on a register

static unsigned registers_for(const struct tf_loop_parts *l, uint64_t bytes)
{
    const uint64_t bits = bytes * 8 * l->f->of.lanes;

    return bits <= l->target->vector_bits ? 1 : (unsigned)(bits / l->target->vector_bits);
}

static unsigned cost_of_load(const struct tf_loop_parts *l, const struct tf_value *v)
{
    const struct tf_access a = tf_access_of(l->s->layout, v->instruction);
    const struct tf_shape shape = tf_shape_of(l->s, a.pointer);

    if (tf_is_uniform(l->s, a.pointer))
        return 1;
    return shape.kind == TF_SHAPE_AFFINE && shape.stride == (int64_t)v->bytes
               ? registers_for(l, v->bytes)
               : 2 * l->f->of.lanes;
}

static unsigned cost_of(const struct tf_loop_parts *l, const struct tf_value *v)
{
    if (tf_ir_is_division(v->opcode))
        return LONG * registers_for(l, v->bytes);
    switch ((int)v->opcode) {
    case LLVMLoad:
        return cost_of_load(l, v);
    case LLVMPHI:
    case LLVMGetElementPtr:
    case LLVMBr:
        return 0;
    case LLVMFDiv:
    case LLVMFRem:
        return LONG * registers_for(l, v->bytes);
    case LLVMCall:
        return (tf_ir_calls(v->instruction, "llvm.fmuladd.") ||
                        tf_ir_calls(v->instruction, "llvm.fma.")
                    ? 1
                    : LONG) *
               registers_for(l, v->bytes);
    default:
        return tf_is_uniform(l->s, v->instruction) ? 0 : registers_for(l, v->bytes);
    }
}

// ---- the sums

// What the value is made of in the loop, itself with it, over the rounds.
static void close_over(const struct tf_loop_parts *l, unsigned from,
                       struct tf_loop_set *set)
{
    unsigned stack[TF_LOOP_MOST_VALUES], depth = 0;

    put(set, from);
    stack[depth++] = from;
    while (depth) {
        const struct tf_value *v = &l->values[stack[--depth]];

        for (unsigned i = 0; i < v->operand_count; i++) {
            const unsigned at = tf_loop_number(l, tf_operand(l->s, v, i));

            if (at == TF_LOOP_MOST_VALUES || tf_loop_has(set, at))
                continue;
            put(set, at);
            stack[depth++] = at;
        }
    }
}

static unsigned find_phis(const struct tf_loop_parts *l)
{
    unsigned count = 0;

    while (count < l->count && l->values[count].opcode == LLVMPHI)
        count++;
    return count;
}

// Whether some other phi is made of this one, or the loop's end.
static bool is_shared(const struct tf_loop_parts *l, const struct tf_loop_set *needed,
                      unsigned phis, unsigned phi)
{
    for (unsigned i = 0; i < phis; i++) {
        if (i != phi && tf_loop_has(&needed[i], phi))
            return true;
    }
    return tf_loop_has(&l->control, phi);
}

// More than registers hold.
static bool is_much(const struct tf_loop_parts *l, unsigned size)
{
    return size >= l->target->registers + SPARE;
}

static bool find_sums(struct tf_loop_parts *l)
{
    const unsigned phis = find_phis(l);
    struct tf_loop_set *needed;
    unsigned size = 0;

    for (unsigned i = 0; i < phis; i++)
        size += registers_for(l, l->values[i].bytes);
    if (phis > TF_LOOP_MOST_SUMS || !is_much(l, size))
        return false;
    needed = TF_ARENA_NEW(l->arena, struct tf_loop_set, phis);
    close_over(l, l->count - 1, &l->control);
    for (unsigned i = 0; i < phis; i++)
        close_over(l, i, &needed[i]);
    for (unsigned i = 0; i < phis; i++) {
        const struct tf_value *v = &l->values[i];

        if (tf_is_uniform(l->s, v->instruction) || is_shared(l, needed, phis, i))
            continue;
        l->sums[l->sum_count++] = (struct tf_loop_sum){.needed = needed[i],
                                                       .size = registers_for(l, v->bytes),
                                                       .part = TF_LOOP_MOST_PARTS};
        l->size += registers_for(l, v->bytes);
    }
    return true;
}

// ---- the parts

static void find_own_costs(struct tf_loop_parts *l)
{
    for (unsigned i = 0; i < l->sum_count; i++) {
        struct tf_loop_set others = l->control;

        for (unsigned k = 0; k < l->sum_count; k++) {
            if (k != i)
                unite(&others, &l->sums[k].needed);
        }
        l->sums[i].own_cost = cost_beside(l, &l->sums[i].needed, &others);
    }
}

// How many of the sums that are left, at most `most`, would need nothing else than what
// is their own if `next` were in a part that has `made`.
static unsigned count_followers(const struct tf_loop_parts *l,
                                const struct tf_loop_set *made,
                                const struct tf_loop_sum *next, unsigned most)
{
    struct tf_loop_set with = *made;
    unsigned count = 0;

    unite(&with, &next->needed);
    for (unsigned i = 0; i < l->sum_count && count < most; i++) {
        const struct tf_loop_sum *sum = &l->sums[i];

        count += sum != next && sum->part == TF_LOOP_MOST_PARTS &&
                 cost_beside(l, &sum->needed, &with) == sum->own_cost;
    }
    return count;
}

// The sum that adds the least to a part, which has room for `most` more behind it.
static struct tf_loop_sum *choose(struct tf_loop_parts *l, const struct tf_loop_set *made,
                                  unsigned most)
{
    struct tf_loop_sum *best = NULL;
    unsigned best_cost = 0, best_followers = 0;

    for (unsigned i = 0; i < l->sum_count; i++) {
        struct tf_loop_sum *sum = &l->sums[i];
        unsigned cost, followers;

        if (sum->part != TF_LOOP_MOST_PARTS)
            continue;
        cost = cost_beside(l, &sum->needed, made);
        if (best && cost > best_cost)
            continue;
        followers = count_followers(l, made, sum, most);
        if (best && cost == best_cost && followers <= best_followers)
            continue;
        best = sum;
        best_cost = cost;
        best_followers = followers;
    }
    return best;
}

// Fills a part up to a size; what its loop costs.
static unsigned fill(struct tf_loop_parts *l, unsigned part, unsigned most)
{
    struct tf_loop_set made = l->control;
    unsigned size = 0;

    while (size < most) {
        struct tf_loop_sum *sum = choose(l, &made, most - size - 1);

        if (!sum)
            break;
        sum->part = part;
        size += sum->size;
        unite(&made, &sum->needed);
    }
    l->size -= size;
    return cost_beside(l, &made, &(struct tf_loop_set){0});
}

static unsigned cost_of_whole(const struct tf_loop_parts *l)
{
    struct tf_loop_set made = l->control;

    for (unsigned i = 0; i < l->sum_count; i++)
        unite(&made, &l->sums[i].needed);
    return cost_beside(l, &made, &(struct tf_loop_set){0});
}

// Whether the loops are made faster than the one: what several of them make is less than
// the stores and loads of sums that registers do not hold.
static bool share_out(struct tf_loop_parts *l)
{
    const unsigned most = l->target->registers * 2 / 3, size = l->size;
    const unsigned wanted = (size + most - 1) / most;
    unsigned cost = 0;

    if (!is_much(l, size) || wanted > TF_LOOP_MOST_PARTS)
        return false;
    find_own_costs(l);
    for (; l->size > 0; l->parts++) {
        const unsigned left = wanted - l->parts;

        cost += fill(l, l->parts, (l->size + left - 1) / left);
    }
    return l->parts > 1 &&
           cost <= cost_of_whole(l) + 2 * (size + SPARE - l->target->registers);
}

bool tf_loop_find_parts(struct tf_loop_parts *l)
{
    if (!find_sums(l))
        return false;
    for (unsigned i = 0; i < l->count; i++)
        l->costs[i] = cost_of(l, &l->values[i]);
    return share_out(l);
}
