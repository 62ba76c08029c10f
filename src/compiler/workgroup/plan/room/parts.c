// SPDX-License-Identifier: MIT
// What spills where operations are made part by part.
#include "compiler/workgroup/plan/room/room.h"

#include "compiler/workgroup/plan/room/room_parts.h"

enum {
    LANE_BITS = 32,
    TOO_MUCH = 1 << 24,
};

// Values that come into blocks and leave them.
struct through {
    uint64_t *in, *out; // per block: registers
    uint64_t *fixed;    // per block: of those that come in, what its loop never changes
    const struct tf_value **seen_in, **seen_out; // per block: the last value added
    unsigned *way;                               // blocks to look at
};

// Registers that a value of 32 bits takes.
static uint64_t parts_of(const struct tf_plan *p)
{
    const uint64_t parts = LANE_BITS * (uint64_t)p->width / p->target.vector_bits;

    return parts ? parts : 1;
}

static void add_in(const struct tf_plan *p, struct through *t, const struct tf_value *v,
                   unsigned block, unsigned *count)
{
    const unsigned loop = p->cfg->blocks[block].loop;
    const uint64_t size = tf_plan_registers_of(p, v);

    if (block == v->block || t->seen_in[block] == v)
        return;
    t->seen_in[block] = v;
    t->in[block] += size;
    if (loop != TF_CFG_NONE && !tf_cfg_in_loop(p->cfg, loop, v->block))
        t->fixed[block] += size;
    t->way[(*count)++] = block;
}

static void add_out(const struct tf_plan *p, struct through *t, const struct tf_value *v,
                    unsigned block, unsigned *count)
{
    if (t->seen_out[block] == v)
        return;
    t->seen_out[block] = v;
    t->out[block] += tf_plan_registers_of(p, v);
    add_in(p, t, v, block, count);
}

// All blocks on the way to `block`, which it comes into, or at the end of which it is
// handed to a phi.
static void add_way(const struct tf_plan *p, struct through *t, const struct tf_value *v,
                    unsigned block, bool to_phi)
{
    unsigned count = 0;

    if (to_phi)
        add_out(p, t, v, block, &count);
    else
        add_in(p, t, v, block, &count);
    while (count) {
        const struct tf_cfg_block *b = &p->cfg->blocks[t->way[--count]];

        for (unsigned k = 0; k < b->pred_count; k++)
            add_out(p, t, v, b->preds[k], &count);
    }
}

static void add_through(const struct tf_plan *p, struct through *t,
                        const struct tf_value *v)
{
    if (v->opcode == LLVMPHI)
        t->in[v->block] += tf_plan_registers_of(p, v);
    for (LLVMUseRef use = LLVMGetFirstUse(v->instruction); use;
         use = LLVMGetNextUse(use)) {
        const LLVMValueRef user = LLVMGetUser(use);
        const struct tf_value *u = tf_shape_value(p->shapes, user);
        const unsigned count = u && u->opcode == LLVMPHI ? LLVMCountIncoming(user) : 0;

        if (u && u->opcode != LLVMPHI)
            add_way(p, t, v, u->block, false);
        for (unsigned k = 0; k < count; k++) {
            const unsigned from = tf_cfg_number(p->cfg, LLVMGetIncomingBlock(user, k));

            if (LLVMGetIncomingValue(user, k) == v->instruction && from != TF_CFG_NONE)
                add_way(p, t, v, from, true);
        }
    }
}

static struct through find_through(const struct tf_plan *p, struct tf_arena *arena)
{
    const unsigned count = p->cfg->block_count;
    struct through t = {
        .in = TF_ARENA_NEW(arena, uint64_t, count),
        .out = TF_ARENA_NEW(arena, uint64_t, count),
        .fixed = TF_ARENA_NEW(arena, uint64_t, count),
        .seen_in = TF_ARENA_NEW(arena, const struct tf_value *, count),
        .seen_out = TF_ARENA_NEW(arena, const struct tf_value *, count),
        .way = TF_ARENA_NEW(arena, unsigned, count),
    };

    for (unsigned i = 0; i < p->shapes->value_count; i++) {
        const struct tf_value *v = &p->shapes->values[i];

        if (v->opcode != LLVMAlloca && tf_plan_registers_of(p, v) &&
            (v->opcode == LLVMPHI || tf_room_lives_on(p, v)))
            add_through(p, &t, v);
    }
    return t;
}

// Whether each part of the result is made of the same part of the operands.
static bool goes_by_parts(const struct tf_plan *p, const struct tf_value *v)
{
    switch ((int)tf_plan_form(p, v)) {
    case TF_FORM_VECTOR:
    case TF_FORM_INTRINSIC:
    case TF_FORM_PHI:
    case TF_FORM_ROW:
    case TF_FORM_SIDE_BY_SIDE:
    case TF_FORM_EITHER_WAY:
        return true;
    default:
        return tf_plan_registers_of(p, v) == 0;
    }
}

static uint64_t part_of_block(const struct tf_plan *p, const struct tf_value *v)
{
    const uint64_t parts = parts_of(p);

    return v->opcode == LLVMPHI ? 0 : (tf_room_of_block(p, v) + parts - 1) / parts;
}

static uint64_t most_of_parts(const struct tf_plan *p, struct tf_arena *arena,
                              unsigned block)
{
    const struct tf_value *const first = tf_block_first(p->shapes, block);
    const struct tf_value *const end = tf_block_end(p->shapes, block);
    bool by_parts = true;

    for (const struct tf_value *v = first; v < end; v++)
        by_parts &= goes_by_parts(p, v);
    return tf_room_most_in_block(p, arena, block,
                                 by_parts ? part_of_block : tf_room_of_block);
}

// Stores that a block makes because it has too few registers. Without registers for masks
// those lie in them, too, as wide as the values.
static uint64_t stores_of_block(const struct tf_plan *p, const struct through *t,
                                struct tf_arena *arena, unsigned block)
{
    const uint64_t kept = p->target.registers + t->fixed[block];
    const bool masks =
        !p->target.masks_free && p->shapes->region_of[block] != TF_CFG_NONE;
    uint64_t want = t->in[block] > t->out[block] ? t->in[block] : t->out[block];

    // As bytes, which are made as wide in each block (codegen/convert/masks): not for
    // more of them.
    if (masks && (parts_of(p) > TF_FEW_REGISTERS || !p->target.masked_bytes))
        return TOO_MUCH;
    want += most_of_parts(p, arena, block) + (masks ? parts_of(p) : 0);
    return want > kept ? want - kept : 0;
}

static bool is_in_innermost_loop(const struct tf_plan *p, unsigned block)
{
    const unsigned loop = p->cfg->blocks[block].loop;

    for (unsigned l = 0; l < p->cfg->loop_count; l++) {
        if (p->cfg->loops[l].parent == loop)
            return false;
    }
    return loop != TF_CFG_NONE;
}

uint64_t tf_plan_spills_in_parts(const struct tf_plan *p)
{
    struct tf_arena arena = {0};
    const struct through t = find_through(p, &arena);
    uint64_t stores = 0;

    for (unsigned b = 0; b < p->cfg->block_count; b++) {
        const uint64_t weight = tf_facts_weight(p->of.facts, b);

        if (weight && is_in_innermost_loop(p, b))
            stores += stores_of_block(p, &t, &arena, b) * weight;
    }
    tf_arena_finish(&arena);
    return stores * p->target.costs.scalar * TF_MOST_LANES / p->width;
}
