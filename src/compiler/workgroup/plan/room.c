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
    LANE_BITS = 32,
    TOO_MUCH = 1 << 24,
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

// Of a value that lives in its block alone.
static uint64_t of_block(const struct tf_plan *p, const struct tf_value *v)
{
    return lives_on(p, v) ? 0 : registers_of(p, v);
}

// Registers that the values of one block need at the same time, but for those that live
// through it. Values are numbered in the order of their block.
static uint64_t most_in_block(const struct tf_plan *p, struct tf_arena *arena,
                              unsigned first, unsigned count,
                              uint64_t (*size_of)(const struct tf_plan *p,
                                                  const struct tf_value *v))
{
    uint64_t *ends = TF_ARENA_NEW(arena, uint64_t, count + 1);
    uint64_t live = 0, most = 0;

    for (unsigned i = 0; i < count; i++) {
        const struct tf_value *v = &p->shapes->values[first + i];
        const uint64_t size = size_of(p, v);
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
            live->registers[block] +=
                most_in_block(p, arena, first, i + 1 - first, of_block);
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
    const bool in_halves = p->target.vector_bits > WIDE_BITS &&
                           p->target.costs.wide_at_once < p->target.costs.at_once;
    const unsigned halves = in_halves ? p->target.vector_bits / WIDE_BITS : 1;

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

// ---- part by part

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
    const uint64_t size = registers_of(p, v);

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
    t->out[block] += registers_of(p, v);
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
        t->in[v->block] += registers_of(p, v);
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

        if (v->opcode != LLVMAlloca && registers_of(p, v) &&
            (v->opcode == LLVMPHI || lives_on(p, v)))
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
        return registers_of(p, v) == 0;
    }
}

static uint64_t part_of_block(const struct tf_plan *p, const struct tf_value *v)
{
    const uint64_t parts = parts_of(p);

    return v->opcode == LLVMPHI ? 0 : (of_block(p, v) + parts - 1) / parts;
}

static uint64_t most_of_parts(const struct tf_plan *p, struct tf_arena *arena,
                              unsigned block)
{
    const struct tf_value *const first = tf_block_first(p->shapes, block);
    const struct tf_value *const end = tf_block_end(p->shapes, block);
    bool by_parts = true;

    for (const struct tf_value *v = first; v < end; v++)
        by_parts &= goes_by_parts(p, v);
    return most_in_block(p, arena, (unsigned)(first - p->shapes->values),
                         (unsigned)(end - first), by_parts ? part_of_block : of_block);
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
    if (masks && (parts_of(p) > FEW_REGISTERS || !p->target.masked_bytes))
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

bool tf_plan_is_small(const struct tf_plan *p)
{
    return !tf_plan_has_wide_values(p) && instructions(p) <= MAX_INSTRUCTIONS &&
           private_bytes(p) <= MAX_PRIVATE_BYTES;
}

bool tf_plan_has_room(const struct tf_plan *p)
{
    return tf_plan_is_small(p) && tf_plan_room(p).fits;
}
