// SPDX-License-Identifier: MIT
// How many lanes a gang has: as many as fill a register, or twice as many.
// More lanes pay where one register's worth leaves the processor waiting: in a chain of
// operations from round to round of a loop, in elements smaller than 32 bits, in branches
// and scalar instructions that all lanes share. They cost registers, and time of the
// compiler.
#include "compiler/ir/elementwise.h"
#include "compiler/workgroup/gang/gang_emit.h"

enum {
    MAX_WIDTH = 64,
    MAX_TIMES = 2, // the lanes that fill a register
    // Vector instructions of one gang: LLVM's time grows with them.
    MAX_INSTRUCTIONS = 1200,
    MAX_PRIVATE_BYTES = 16 << 10, // half of the smallest cache
    GAIN_PERCENT = 10,            // of the time per lane, for which the lanes are doubled
    UNKNOWN = -1,
    ON_WAY = -2,
    NO_WAY = -3, // does not depend on the phi
};

// ---- registers

static uint64_t registers_of(const struct gang *g, const struct tf_value *v)
{
    const LLVMTypeRef type = LLVMTypeOf(v->instruction);
    uint64_t bits;

    if (v->shape.kind != TF_SHAPE_VARYING || !LLVMTypeIsSized(type))
        return 0;
    bits = LLVMSizeOfTypeInBits(g->shapes.layout, type);
    if (bits == 1) // masks have registers of their own
        return 0;
    bits *= g->width;
    return (bits + g->wg->vector_bits - 1) / g->wg->vector_bits;
}

// Place of the last instruction of the block that uses `v`, counted from its start.
static unsigned last_use(const struct gang *g, const struct tf_value *v, unsigned first)
{
    LLVMUseRef use = LLVMGetFirstUse(v->instruction);
    unsigned last = 0;

    for (; use; use = LLVMGetNextUse(use)) {
        const struct tf_value *user = tf_shape_value(&g->shapes, LLVMGetUser(use));

        if (user && user->block == v->block && user->opcode != LLVMPHI) {
            const unsigned at = (unsigned)(user - g->shapes.values) - first;

            last = at > last ? at : last;
        }
    }
    return last;
}

// Where values live that cross blocks.
struct live {
    uint64_t *registers;          // per block
    const struct tf_value **seen; // per block: the last value that was added
    unsigned *way;                // blocks to look at
};

static unsigned edges(const struct gang *g)
{
    unsigned count = 0;

    for (unsigned b = 0; b < g->cfg.block_count; b++)
        count += g->cfg.blocks[b].pred_count;
    return count;
}

// Registers that the values of one block need at the same time, but for those that live
// through it. Values are numbered in the order of their block.
static uint64_t most_in_block(struct gang *g, unsigned first, unsigned count)
{
    uint64_t *ends = TF_ARENA_NEW(&g->arena, uint64_t, count + 1);
    uint64_t live = 0, most = 0;

    for (unsigned i = 0; i < count; i++) {
        const struct tf_value *v = &g->shapes.values[first + i];
        const uint64_t size = v->crosses ? 0 : registers_of(g, v);
        const unsigned last = size ? last_use(g, v, first) : 0;

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
static void add_live(struct gang *g, const struct tf_value *v, unsigned block,
                     uint64_t size, struct live *live)
{
    unsigned count = 0;

    live->way[count++] = block;
    while (count) {
        const unsigned at = live->way[--count];
        const struct tf_cfg_block *b = &g->cfg.blocks[at];

        if (live->seen[at] == v)
            continue;
        live->seen[at] = v;
        live->registers[at] += size;
        for (unsigned k = 0; at != v->block && k < b->pred_count; k++) {
            if (live->seen[b->preds[k]] != v)
                live->way[count++] = b->preds[k];
        }
    }
}

static void add_uses(struct gang *g, const struct tf_value *v, uint64_t size,
                     struct live *live)
{
    for (LLVMUseRef use = LLVMGetFirstUse(v->instruction); use;
         use = LLVMGetNextUse(use)) {
        const LLVMValueRef user = LLVMGetUser(use);
        const struct tf_value *u = tf_shape_value(&g->shapes, user);

        if (!u)
            continue;
        if (u->opcode != LLVMPHI) {
            add_live(g, v, u->block, size, live);
            continue;
        }
        for (unsigned k = 0; k < LLVMCountIncoming(user); k++) {
            const unsigned from = tf_cfg_number(&g->cfg, LLVMGetIncomingBlock(user, k));

            if (LLVMGetIncomingValue(user, k) == v->instruction && from != TF_CFG_NONE)
                add_live(g, v, from, size, live);
        }
    }
}

// The most that are alive at the same time; values that cross a block count in all of it.
static uint64_t most_registers(struct gang *g)
{
    struct live live = {
        .registers = TF_ARENA_NEW(&g->arena, uint64_t, g->cfg.block_count),
        .seen = TF_ARENA_NEW(&g->arena, const struct tf_value *, g->cfg.block_count),
        // Each edge once for each value.
        .way = TF_ARENA_NEW(&g->arena, unsigned, 2 * g->cfg.block_count + edges(g)),
    };
    uint64_t most = 0;
    unsigned first = 0;

    for (unsigned i = 0; i < g->shapes.value_count; i++) {
        const struct tf_value *v = &g->shapes.values[i];
        const uint64_t size =
            v->crosses && v->opcode != LLVMAlloca ? registers_of(g, v) : 0;

        if (size)
            add_uses(g, v, size, &live);
    }
    for (unsigned i = 0; i < g->shapes.value_count; i++) {
        const unsigned block = g->shapes.values[i].block;

        if (i + 1 == g->shapes.value_count || g->shapes.values[i + 1].block != block) {
            const uint64_t here =
                most_in_block(g, first, i + 1 - first) + live.registers[block];

            most = here > most ? here : most;
            first = i + 1;
        }
    }
    return most;
}

static uint64_t instructions(const struct gang *g)
{
    uint64_t count = 0;

    for (unsigned i = 0; i < g->shapes.value_count; i++)
        count += registers_of(g, &g->shapes.values[i]);
    return count;
}

// ---- chains

struct chain {
    const struct gang *g;
    unsigned loop;
    const struct tf_value *from;
    int *cycles; // per value: of the longest way from the phi, or one of the above
};

static int latency(const struct tf_value *v)
{
    switch ((int)v->opcode) {
    case LLVMFAdd:
    case LLVMFSub:
    case LLVMFMul:
    case LLVMMul:
    case LLVMFPToSI:
    case LLVMFPToUI:
    case LLVMSIToFP:
    case LLVMUIToFP:
    case LLVMFPExt:
    case LLVMFPTrunc:
        return 4;
    case LLVMCall:
        return tf_is_elementwise(v->instruction) ? 4 : 0;
    case LLVMFDiv:
    case LLVMFRem:
        return 13;
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
        return 0; // lane by lane: long, but not a matter of chains
    case LLVMLoad:
        return 8;
    case LLVMPHI:
    case LLVMBitCast:
        return 0;
    default:
        return 1;
    }
}

static int longest_way(struct chain *c, LLVMValueRef value)
{
    const struct tf_value *v = tf_shape_value(&c->g->shapes, value);
    int best = NO_WAY;
    int *known;

    if (!v || v->shape.kind != TF_SHAPE_VARYING ||
        !tf_cfg_in_loop(&c->g->cfg, c->loop, v->block))
        return NO_WAY;
    if (v == c->from)
        return 0;
    known = &c->cycles[v - c->g->shapes.values];
    if (*known == ON_WAY) // another cycle
        return NO_WAY;
    if (*known != UNKNOWN)
        return *known;
    *known = ON_WAY;
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value); i++) {
        const LLVMValueRef operand = LLVMGetOperand(value, i);
        const int way = LLVMValueIsBasicBlock(operand) ? NO_WAY : longest_way(c, operand);

        if (way >= 0 && way + latency(v) > best)
            best = way + latency(v);
    }
    *known = best;
    return best;
}

// Cycles that a round of the loop takes at least, because each needs what the one before
// has made.
static int cycles_of_round(struct gang *g, unsigned loop)
{
    const unsigned head = g->cfg.loops[loop].head;
    const LLVMValueRef first = LLVMGetFirstInstruction(g->cfg.blocks[head].block);
    int most = 0;

    for (LLVMValueRef i = first; i && LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i)) {
        struct chain c = {.g = g, .loop = loop, .from = tf_shape_value(&g->shapes, i)};

        if (c.from->shape.kind != TF_SHAPE_VARYING)
            continue;
        c.cycles = TF_ARENA_NEW(&g->arena, int, g->shapes.value_count);
        for (unsigned k = 0; k < g->shapes.value_count; k++)
            c.cycles[k] = UNKNOWN;
        for (unsigned k = 0; k < LLVMCountIncoming(i); k++) {
            const int way = longest_way(&c, LLVMGetIncomingValue(i, k));

            most = way > most ? way : most;
        }
    }
    return most;
}

// ---- the choice

static bool is_innermost(const struct gang *g, unsigned loop)
{
    for (unsigned l = 0; l < g->cfg.loop_count; l++) {
        if (g->cfg.loops[l].parent == loop)
            return false;
    }
    return true;
}

// Of all loops, as cycles_of_round.
static const int *find_chains(struct gang *g, bool *has_chain)
{
    int *chains = TF_ARENA_NEW(&g->arena, int, g->cfg.loop_count + 1);

    *has_chain = false;
    for (unsigned l = 0; l < g->cfg.loop_count; l++) {
        chains[l] = is_innermost(g, l) ? cycles_of_round(g, l) : 0;
        *has_chain |= chains[l] > 0;
    }
    return chains;
}

static uint64_t cost_per_lane(struct gang *g, unsigned width, const int *chains)
{
    const unsigned before = g->width;
    uint64_t cost;

    g->width = width;
    cost = gang_lanes_cost(g, chains) * MAX_WIDTH / width;
    g->width = before;
    return cost;
}

uint64_t gang_cost_per_lane(struct gang *g, unsigned width)
{
    bool has_chain;

    return cost_per_lane(g, width, find_chains(g, &has_chain));
}

// Of variables that stay in memory, for all lanes.
static uint64_t private_bytes(const struct gang *g)
{
    uint64_t bytes = 0;

    for (unsigned i = 0; i < g->shapes.value_count; i++) {
        const struct tf_value *v = &g->shapes.values[i];

        if (v->opcode == LLVMAlloca)
            bytes += tf_private_bytes(&g->shapes.privates, v->instruction) * g->width;
    }
    return bytes;
}

bool gang_has_room(struct gang *g, unsigned width)
{
    // Of AVX-512; half of them with less.
    const uint64_t registers = g->wg->vector_bits >= 512 ? 28 : 13;
    const unsigned before = g->width;
    bool has;

    g->width = width;
    has = !gang_has_wide_values(g) && most_registers(g) <= registers &&
          instructions(g) <= MAX_INSTRUCTIONS && private_bytes(g) <= MAX_PRIVATE_BYTES;
    g->width = before;
    return has;
}

unsigned gang_best_width(struct gang *g)
{
    const unsigned width = MAX_TIMES * g->width;
    const int *chains;
    uint64_t once, twice;
    bool has_chain;

    if (width > MAX_WIDTH)
        return g->width;
    chains = find_chains(g, &has_chain);
    once = cost_per_lane(g, g->width, chains);
    twice = cost_per_lane(g, width, chains);
    // Chains take longer than the table says: work on other gangs fills the time.
    if (!has_chain)
        twice += twice * GAIN_PERCENT / 100;
    return twice <= once && gang_has_room(g, width) ? width : g->width;
}
