// SPDX-License-Identifier: MIT
// Registers for the values that are alive at the same time.
#include "compiler/workgroup/plan/room/room.h"

#include "compiler/workgroup/plan/room/room_parts.h"

// Where values live that cross blocks.
struct live {
    uint64_t *registers;          // per block
    uint64_t *fixed;              // per block: of these, what its loop never changes
    const struct tf_value **seen; // per block: the last value that was added
    unsigned *way;                // blocks to look at
};

static unsigned edges(const struct tf_plan *p)
{
    unsigned count = 0;

    for (unsigned b = 0; b < p->cfg->block_count; b++)
        count += p->cfg->blocks[b].pred_count;
    return count;
}

// Adds `size` for all blocks through which `v` lives on its way to the end of `block`.
static void add_live(const struct tf_plan *p, const struct tf_value *v, unsigned block,
                     uint64_t size, struct live *live)
{
    unsigned count = 0;

    live->way[count++] = block;
    while (count) {
        const unsigned at = live->way[--count];
        const struct tf_cfg_block *b = &p->cfg->blocks[at];

        if (live->seen[at] == v)
            continue;
        live->seen[at] = v;
        live->registers[at] += size;
        if (b->loop != TF_CFG_NONE && !tf_cfg_in_loop(p->cfg, b->loop, v->block))
            live->fixed[at] += size;
        for (unsigned k = 0; at != v->block && k < b->pred_count; k++) {
            if (live->seen[b->preds[k]] != v)
                live->way[count++] = b->preds[k];
        }
    }
}

static void add_uses(const struct tf_plan *p, const struct tf_value *v, uint64_t size,
                     struct live *live)
{
    for (LLVMUseRef use = LLVMGetFirstUse(v->instruction); use;
         use = LLVMGetNextUse(use)) {
        const LLVMValueRef user = LLVMGetUser(use);
        const struct tf_value *u = tf_shape_value(p->shapes, user);

        if (!u)
            continue;
        if (u->opcode != LLVMPHI) {
            add_live(p, v, u->block, size, live);
            continue;
        }
        for (unsigned k = 0; k < LLVMCountIncoming(user); k++) {
            const unsigned from = tf_cfg_number(p->cfg, LLVMGetIncomingBlock(user, k));

            if (LLVMGetIncomingValue(user, k) == v->instruction && from != TF_CFG_NONE)
                add_live(p, v, from, size, live);
        }
    }
}

static struct live find_live(const struct tf_plan *p, struct tf_arena *arena)
{
    struct live live = {
        .registers = TF_ARENA_NEW(arena, uint64_t, p->cfg->block_count),
        .fixed = TF_ARENA_NEW(arena, uint64_t, p->cfg->block_count),
        .seen = TF_ARENA_NEW(arena, const struct tf_value *, p->cfg->block_count),
        // Each edge once for each value.
        .way = TF_ARENA_NEW(arena, unsigned, 2 * p->cfg->block_count + edges(p)),
    };

    for (unsigned i = 0; i < p->shapes->value_count; i++) {
        const struct tf_value *v = &p->shapes->values[i];
        const uint64_t size = v->opcode != LLVMAlloca && tf_room_lives_on(p, v)
                                  ? tf_plan_registers_of(p, v)
                                  : 0;

        if (size)
            add_uses(p, v, size, &live);
    }
    return live;
}

// Values that cross a block count in all of it.
static void add_most(const struct tf_plan *p, struct tf_arena *arena, struct live *live)
{
    for (unsigned b = 0; b < p->cfg->block_count; b++)
        live->registers[b] += tf_room_most_in_block(p, arena, b, tf_room_of_block);
}

// Operations take an operand from memory at no cost: what is left is to store what a
// round of the loop changes.
struct tf_room tf_plan_room(const struct tf_plan *p)
{
    struct tf_arena arena = {0};
    struct live live = find_live(p, &arena);
    struct tf_room room = {0};
    uint64_t stores = 0;

    add_most(p, &arena, &live);
    for (unsigned b = 0; b < p->cfg->block_count; b++) {
        const uint64_t kept = p->target.registers + live.fixed[b];

        if (live.registers[b] > room.registers)
            room.registers = live.registers[b];
        if (live.registers[b] > kept)
            stores += (live.registers[b] - kept) * tf_facts_weight(p->of.facts, b);
    }
    tf_arena_finish(&arena);
    room.fits = room.registers <= p->target.registers;
    room.spills_per_lane = stores * p->target.costs.scalar * TF_MOST_LANES / p->width;
    return room;
}

// Whether an order of instructions may be found in which all has registers that is not
// seldom run.
static bool fits_in_order(const struct tf_plan *p)
{
    struct tf_arena arena = {0};
    const struct live live = find_live(p, &arena);
    bool fits = true;

    for (unsigned b = 0; b < p->cfg->block_count && fits; b++) {
        const uint64_t through = live.registers[b];

        fits = p->of.facts->seldom[b] ||
               (through <= p->target.registers &&
                tf_room_fits_in_order(p, &arena, b, p->target.registers - through));
    }
    tf_arena_finish(&arena);
    return fits;
}

bool tf_plan_has_room(const struct tf_plan *p)
{
    return tf_plan_is_small(p) && tf_plan_room(p).fits;
}

bool tf_plan_may_have_room(const struct tf_plan *p)
{
    return tf_plan_is_small(p) && fits_in_order(p);
}
