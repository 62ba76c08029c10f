// SPDX-License-Identifier: MIT
// Chains of operations, from round to round of a loop or from the start of a function to
// its end: a processor waits for each of them, however many registers it works on.
#include "compiler/workgroup/plan/plan.h"

enum {
    UNKNOWN = -1,
    ON_WAY = -2,
    NO_WAY = -3,      // does not depend on the phi
    A_LOAD = 1 << 16, // more than all that a way takes: of ways, those with most loads
};

struct chain {
    const struct tf_shapes *s;
    const struct tf_costs *costs;
    unsigned (*latency)(const struct tf_costs *costs, const struct tf_value *v);
    unsigned loop;
    const struct tf_value *from;
    int *tenths; // per value: of the longest way from the phi, or one of the above
};

static unsigned latency(const struct tf_costs *costs, const struct tf_value *v)
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
        return costs->add_latency;
    case LLVMCall:
        return v->elementwise ? costs->add_latency : 0;
    case LLVMFDiv:
    case LLVMFRem:
        return costs->division_latency;
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
        return 0; // lane by lane: long, but not a matter of chains
    case LLVMLoad:
        return costs->load_latency;
    case LLVMPHI:
    case LLVMBitCast:
        return 0;
    default:
        return costs->move_latency;
    }
}

static bool is_small(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) < 32;
}

// Of an item by itself: addresses are part of accesses, as the conversion of a number of
// 32 bits to one mostly is.
static unsigned item_latency(const struct tf_costs *costs, const struct tf_value *v)
{
    switch ((int)v->opcode) {
    case LLVMGetElementPtr:
    case LLVMTrunc:
        return 0;
    case LLVMZExt:
    case LLVMSExt:
        return is_small(LLVMTypeOf(LLVMGetOperand(v->instruction, 0)))
                   ? costs->move_latency
                   : 0;
    case LLVMLoad:
        return A_LOAD + costs->item_load_latency;
    default:
        return latency(costs, v);
    }
}

static int longest_way(struct chain *c, const struct tf_value *v)
{
    int best = NO_WAY, its;
    int *known;

    if (!v || v->shape.kind != TF_SHAPE_VARYING ||
        !tf_cfg_in_loop(c->s->cfg, c->loop, v->block))
        return NO_WAY;
    if (v == c->from)
        return 0;
    known = &c->tenths[v - c->s->values];
    if (*known == ON_WAY) // another cycle
        return NO_WAY;
    if (*known != UNKNOWN)
        return *known;
    *known = ON_WAY;
    its = (int)c->latency(c->costs, v);
    for (unsigned i = 0; i < v->operand_count; i++) {
        const int way = longest_way(c, tf_operand(c->s, v, i));

        if (way >= 0 && way + its > best)
            best = way + its;
    }
    *known = best;
    return best;
}

// What a round of the loop takes at least, because each needs what the one before has
// made.
static int time_of_round(const struct chain *all, unsigned loop)
{
    const struct tf_shapes *s = all->s;
    const unsigned head = s->cfg->loops[loop].head;
    LLVMValueRef i = LLVMGetFirstInstruction(s->cfg->blocks[head].block);
    int most = 0;

    for (; i && LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i)) {
        struct chain c = *all;

        c.loop = loop;
        c.from = tf_shape_value(s, i);
        if (c.from->shape.kind != TF_SHAPE_VARYING)
            continue;
        for (unsigned k = 0; k < s->value_count; k++)
            c.tenths[k] = UNKNOWN;
        for (unsigned k = 0; k < LLVMCountIncoming(i); k++) {
            const int way = longest_way(&c, tf_operand(s, c.from, k));

            most = way > most ? way : most;
        }
    }
    return most;
}

static bool is_innermost(const struct tf_cfg *cfg, unsigned loop)
{
    for (unsigned l = 0; l < cfg->loop_count; l++) {
        if (cfg->loops[l].parent == loop)
            return false;
    }
    return true;
}

// Gangs of a group take turns between barriers: while one waits others go on.
static bool has_barrier(const struct tf_shapes *s, unsigned loop)
{
    for (unsigned i = 0; i < s->value_count; i++) {
        const struct tf_value *v = &s->values[i];

        if (s->cfg->loops[loop].has[v->block] && tf_is_barrier(v))
            return true;
    }
    return false;
}

const int *tf_find_chains(struct tf_arena *arena, const struct tf_shapes *s,
                          const struct tf_costs *costs)
{
    const struct chain c = {.s = s,
                            .costs = costs,
                            .latency = latency,
                            .tenths = TF_ARENA_NEW(arena, int, s->value_count)};
    int *chains = TF_ARENA_NEW(arena, int, s->cfg->loop_count + 1);

    for (unsigned l = 0; l < s->cfg->loop_count; l++)
        chains[l] =
            is_innermost(s->cfg, l) && !has_barrier(s, l) ? time_of_round(&c, l) : 0;
    return chains;
}

const int *tf_find_item_waits(struct tf_arena *arena, const struct tf_shapes *s,
                              const struct tf_costs *costs)
{
    const struct chain c = {.s = s,
                            .costs = costs,
                            .latency = item_latency,
                            .tenths = TF_ARENA_NEW(arena, int, s->value_count)};
    int *waits = TF_ARENA_NEW(arena, int, s->cfg->loop_count + 1);

    for (unsigned l = 0; l < s->cfg->loop_count; l++) {
        const bool counts =
            is_innermost(s->cfg, l) && !has_barrier(s, l) && !s->divergent[l];
        const int way = counts ? time_of_round(&c, l) : 0;

        waits[l] = way >= A_LOAD ? way % A_LOAD : 0;
    }
    return waits;
}

// ---- without loops

// The longest way to an operand.
static int way_to(const struct tf_plan *p, const int *ways, const struct tf_value *v)
{
    int most = 0;

    for (unsigned i = 0; i < v->operand_count; i++) {
        const struct tf_value *operand = tf_operand(p->shapes, v, i);
        const int way = operand ? ways[operand - p->shapes->values] : 0;

        most = way > most ? way : most;
    }
    return most;
}

uint64_t tf_plan_way(const struct tf_plan *p)
{
    struct tf_arena arena = {0};
    int *ways = TF_ARENA_NEW(&arena, int, p->shapes->value_count), most = 0;

    for (unsigned i = 0; i < p->shapes->value_count; i++) {
        const struct tf_value *v = &p->shapes->values[i];

        if (v->shape.kind != TF_SHAPE_VARYING || p->of.facts->seldom[v->block])
            continue;
        ways[i] = way_to(p, ways, v) + (int)latency(&p->target.costs, v);
        most = ways[i] > most ? ways[i] : most;
    }
    tf_arena_finish(&arena);
    return (uint64_t)most;
}
