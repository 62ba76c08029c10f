// SPDX-License-Identifier: MIT
// Whether a plan has room: registers for the values that are alive at the same time, and
// few enough instructions that LLVM makes them in good time.
#include "compiler/ir/vector/high_product.h"
#include "compiler/workgroup/plan/plan.h"

enum {
    // Vector instructions of one gang: LLVM's time grows with them.
    MAX_INSTRUCTIONS = 1200,
    MAX_PRIVATE_BYTES = 16 << 10, // half of the smallest cache
    // Of a value: as many as work at the same time. Wider ones may work in halves.
    FEW_REGISTERS = 4,
    WIDE_BITS = 256,
};

static uint64_t registers_of(const struct tf_plan *p, const struct tf_value *v)
{
    const LLVMTypeRef type = LLVMTypeOf(v->instruction);
    uint64_t bits;

    // Of indices that seldom wrap, and addresses made of them, lane 0's is all that is
    // wanted until they do.
    if (v->shape.kind != TF_SHAPE_VARYING || v->shape.unless || !LLVMTypeIsSized(type) ||
        (v->opcode != LLVMAlloca && tf_plan_form(p, v) == TF_FORM_NONE))
        return 0;
    bits = LLVMSizeOfTypeInBits(p->shapes->layout, type);
    if (bits == 1) // masks have registers of their own
        return 0;
    if (tf_is_within_high_products(v->instruction))
        bits /= 2;
    bits *= p->width;
    return (bits + p->target.vector_bits - 1) / p->target.vector_bits;
}

// Whether the value lives beyond its block. In blocks with barriers all values count as
// if they did, because any may have to be kept; few are.
static bool lives_on(const struct tf_plan *p, const struct tf_value *v)
{
    LLVMUseRef use = LLVMGetFirstUse(v->instruction);

    if (!v->crosses || !p->of.facts->has_barrier)
        return v->crosses;
    for (; use; use = LLVMGetNextUse(use)) {
        const struct tf_value *user = tf_shape_value(p->shapes, LLVMGetUser(use));

        if (user && (user->block != v->block || user->opcode == LLVMPHI))
            return true;
    }
    return false;
}

// Place of the last instruction of the block that uses `v`, counted from its start.
static unsigned last_use(const struct tf_plan *p, const struct tf_value *v,
                         unsigned first)
{
    LLVMUseRef use = LLVMGetFirstUse(v->instruction);
    unsigned last = 0;

    for (; use; use = LLVMGetNextUse(use)) {
        const struct tf_value *user = tf_shape_value(p->shapes, LLVMGetUser(use));

        if (user && user->block == v->block && user->opcode != LLVMPHI) {
            const unsigned at = (unsigned)(user - p->shapes->values) - first;

            last = at > last ? at : last;
        }
    }
    return last;
}

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

// Registers that the values of one block need at the same time, but for those that live
// through it. Values are numbered in the order of their block.
static uint64_t most_in_block(const struct tf_plan *p, struct tf_arena *arena,
                              unsigned first, unsigned count)
{
    uint64_t *ends = TF_ARENA_NEW(arena, uint64_t, count + 1);
    uint64_t live = 0, most = 0;

    for (unsigned i = 0; i < count; i++) {
        const struct tf_value *v = &p->shapes->values[first + i];
        const uint64_t size = lives_on(p, v) ? 0 : registers_of(p, v);
        const unsigned last = size ? last_use(p, v, first) : 0;

        live -= ends[i];
        if (last <= i)
            continue;
        live += size;
        ends[last] += size;
        most = live > most ? live : most;
    }
    return most;
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
        const uint64_t size =
            v->opcode != LLVMAlloca && lives_on(p, v) ? registers_of(p, v) : 0;

        if (size)
            add_uses(p, v, size, &live);
    }
    return live;
}

// Adds the most that are alive at the same time in each block; values that cross a block
// count in all of it.
static void add_most(const struct tf_plan *p, struct tf_arena *arena, struct live *live)
{
    unsigned first = 0;

    for (unsigned i = 0; i < p->shapes->value_count; i++) {
        const unsigned block = p->shapes->values[i].block;

        if (i + 1 == p->shapes->value_count || p->shapes->values[i + 1].block != block) {
            live->registers[block] += most_in_block(p, arena, first, i + 1 - first);
            first = i + 1;
        }
    }
}

static uint64_t instructions(const struct tf_plan *p)
{
    uint64_t count = 0;

    for (unsigned i = 0; i < p->shapes->value_count; i++)
        count += registers_of(p, &p->shapes->values[i]);
    return count;
}

uint64_t tf_plan_operations(const struct tf_plan *p)
{
    uint64_t count = 0;

    for (unsigned i = 0; i < p->shapes->value_count; i++) {
        const struct tf_value *v = &p->shapes->values[i];

        if (!p->of.facts->seldom[v->block] && v->opcode != LLVMBitCast)
            count += registers_of(p, v);
    }
    return count;
}

bool tf_plan_has_few_registers(const struct tf_plan *p)
{
    const unsigned halves =
        p->target.vector_bits > WIDE_BITS ? p->target.vector_bits / WIDE_BITS : 1;

    for (unsigned i = 0; i < p->shapes->value_count; i++) {
        const struct tf_value *v = &p->shapes->values[i];

        if (!p->of.facts->seldom[v->block] && registers_of(p, v) * halves > FEW_REGISTERS)
            return false;
    }
    return true;
}

// Of variables that stay in memory, for all lanes.
static uint64_t private_bytes(const struct tf_plan *p)
{
    uint64_t bytes = 0;

    for (unsigned i = 0; i < p->shapes->value_count; i++) {
        const struct tf_value *v = &p->shapes->values[i];

        if (v->opcode == LLVMAlloca)
            bytes += tf_private_bytes(&p->shapes->privates, v->instruction) * p->width;
    }
    return bytes;
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

bool tf_plan_is_small(const struct tf_plan *p)
{
    return !tf_plan_has_wide_values(p) && instructions(p) <= MAX_INSTRUCTIONS &&
           private_bytes(p) <= MAX_PRIVATE_BYTES;
}

bool tf_plan_has_room(const struct tf_plan *p)
{
    return tf_plan_is_small(p) && tf_plan_room(p).fits;
}
