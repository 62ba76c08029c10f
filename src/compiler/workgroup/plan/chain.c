// SPDX-License-Identifier: MIT
// Chains of operations, from round to round of a loop or from the start of a function to
// its end: a processor waits for each of them, however many registers it works on.
#include "compiler/ir/vector/high_product.h"
#include "compiler/workgroup/analysis/access.h"
#include "compiler/workgroup/plan/plan.h"

enum {
    // Beside one product, of those that a high half waits for: the half of a factor
    // before it, and the sums of the four products behind it.
    HIGH_MOVES = 7,

    UNKNOWN = -1,
    ON_WAY = -2,
    NO_WAY = -3, // does not depend on the phi
};

// More than all that a way takes: of ways, those with most loads count.
static const int64_t A_LOAD = INT64_C(1) << 32;

struct way {
    int64_t tenths; // or one of the above
    // That it takes: a way through another phi of the loop's head goes on in the next.
    int rounds;
};

struct chain {
    const struct tf_shapes *s;
    const struct tf_costs *costs;
    int64_t (*latency)(const struct tf_costs *costs, const struct tf_value *v);
    unsigned loop;
    const struct tf_value *from;
    bool one_round;   // ways through other phis of the head do not count
    struct way *ways; // per value: the longest from the phi
};

static bool is_integer(LLVMTypeRef type)
{
    return LLVMGetTypeKind(LLVMGetTypeKind(type) == LLVMVectorTypeKind
                               ? LLVMGetElementType(type)
                               : type) == LLVMIntegerTypeKind;
}

// By a constant that LLVM makes of a shift or two and a sum or difference: 2^a + 2^b,
// 2^a - 2^b, -2^a, and -2^a with 1 more or less.
static bool is_short_product(LLVMValueRef product)
{
    enum { TWO = 2 };
    const LLVMValueRef by = LLVMGetOperand(product, 1);
    uint64_t bits, opposite;

    if (!LLVMIsAConstantInt(by) || LLVMGetIntTypeWidth(LLVMTypeOf(by)) > 64)
        return false;
    bits = (uint64_t)LLVMConstIntGetSExtValue(by);
    opposite = -bits;
    if (!(opposite & (opposite - 1)) || !((opposite - 1) & (opposite - 2)) ||
        !((opposite + 1) & opposite))
        return true;
    return __builtin_popcountll(bits) <= TWO || !(bits & (bits + (bits & -bits)));
}

static int64_t latency_of_product(const struct tf_costs *costs, LLVMValueRef product)
{
    LLVMTypeRef type = LLVMTypeOf(product);

    if (is_short_product(product))
        return costs->add_latency;
    if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
        type = LLVMGetElementType(type);
    if (LLVMGetIntTypeWidth(type) < 32)
        return costs->add_latency;
    return LLVMGetIntTypeWidth(type) > 32 ? costs->long_product_latency
                                          : costs->product_latency;
}

static int64_t latency(const struct tf_costs *costs, const struct tf_value *v)
{
    struct tf_high_product high;

    if (tf_is_within_high_products(v->instruction))
        return 0;
    if (tf_high_product_of(v->instruction, &high))
        return costs->add_latency + HIGH_MOVES * costs->move_latency;
    switch ((int)v->opcode) {
    case LLVMMul:
        return latency_of_product(costs, v->instruction);
    case LLVMFAdd:
    case LLVMFSub:
    case LLVMFMul:
    case LLVMFPToSI:
    case LLVMFPToUI:
    case LLVMSIToFP:
    case LLVMUIToFP:
    case LLVMFPExt:
    case LLVMFPTrunc:
        return costs->add_latency;
    case LLVMCall:
        if (!v->elementwise)
            return 0;
        return is_integer(LLVMTypeOf(v->instruction)) ? costs->move_latency
                                                      : costs->add_latency;
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

// What says where the next look goes, into something large: smaller numbers count what
// the first cache mostly holds.
static bool is_far_look(const struct tf_value *load)
{
    return tf_access_is_of_buffer(load->instruction) && load->bytes >= sizeof(int32_t);
}

// Of an item by itself: addresses are part of accesses, as the conversion of a number of
// 32 bits to one mostly is.
static int64_t item_latency(const struct tf_costs *costs, const struct tf_value *v)
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
    case LLVMMul: // of scalars: about as long on every processor
        return costs->add_latency;
    case LLVMLoad:
        return A_LOAD +
               (is_far_look(v) ? costs->item_far_latency : costs->item_load_latency);
    default:
        return latency(costs, v);
    }
}

static bool begins_round(const struct chain *c, const struct tf_value *v)
{
    return v->opcode == LLVMPHI && v->block == c->s->cfg->loops[c->loop].head;
}

static struct way longest_way(struct chain *c, const struct tf_value *v)
{
    struct way best = {.tenths = NO_WAY}, *known;
    int64_t its;

    if (!v || v->shape.kind != TF_SHAPE_VARYING ||
        !tf_cfg_in_loop(c->s->cfg, c->loop, v->block))
        return best;
    if (v == c->from)
        return (struct way){.rounds = 1};
    if (c->one_round && begins_round(c, v))
        return best;
    known = &c->ways[v - c->s->values];
    if (known->tenths == ON_WAY) // another cycle
        return best;
    if (known->tenths != UNKNOWN)
        return *known;
    known->tenths = ON_WAY;
    its = c->latency(c->costs, v);
    for (unsigned i = 0; i < v->operand_count; i++) {
        const struct way way = longest_way(c, tf_operand(c->s, v, i));

        if (way.tenths >= 0 && way.tenths + its > best.tenths)
            best = (struct way){way.tenths + its, way.rounds + begins_round(c, v)};
    }
    *known = best;
    return best;
}

static int64_t time_of_way(struct way way)
{
    if (way.tenths < 0)
        return 0;
    return (way.tenths >= A_LOAD ? A_LOAD : 0) + way.tenths % A_LOAD / way.rounds;
}

// From c->from back to it.
static int64_t time_of_cycle(struct chain *c)
{
    int64_t most = 0;

    for (unsigned k = 0; k < c->s->value_count; k++)
        c->ways[k].tenths = UNKNOWN;
    for (unsigned k = 0; k < c->from->operand_count; k++) {
        const int64_t time = time_of_way(longest_way(c, tf_operand(c->s, c->from, k)));

        most = time > most ? time : most;
    }
    return most;
}

// What a round of the loop takes at least, because each needs what the one before has
// made: within one round, and in several, in which values move from phi to phi.
static int64_t time_of_round(const struct chain *all, unsigned loop)
{
    const struct tf_shapes *s = all->s;
    const unsigned head = s->cfg->loops[loop].head;
    LLVMValueRef i = LLVMGetFirstInstruction(s->cfg->blocks[head].block);
    int64_t most = 0;

    for (; i && LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i)) {
        struct chain c = *all;

        c.loop = loop;
        c.from = tf_shape_value(s, i);
        if (c.from->shape.kind != TF_SHAPE_VARYING)
            continue;
        for (unsigned turn = 0; turn < 2; turn++) {
            int64_t time;

            c.one_round = turn == 0;
            time = time_of_cycle(&c);
            most = time > most ? time : most;
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
                            .ways = TF_ARENA_NEW(arena, struct way, s->value_count)};
    int *chains = TF_ARENA_NEW(arena, int, s->cfg->loop_count + 1);

    for (unsigned l = 0; l < s->cfg->loop_count; l++)
        chains[l] =
            is_innermost(s->cfg, l) && !has_barrier(s, l) ? (int)time_of_round(&c, l) : 0;
    return chains;
}

const int *tf_find_item_waits(struct tf_arena *arena, const struct tf_shapes *s,
                              const struct tf_costs *costs)
{
    const struct chain c = {.s = s,
                            .costs = costs,
                            .latency = item_latency,
                            .ways = TF_ARENA_NEW(arena, struct way, s->value_count)};
    int *waits = TF_ARENA_NEW(arena, int, s->cfg->loop_count + 1);

    for (unsigned l = 0; l < s->cfg->loop_count; l++) {
        const bool counts = is_innermost(s->cfg, l) && !has_barrier(s, l);
        const int64_t way = counts ? time_of_round(&c, l) : 0;

        waits[l] = way >= A_LOAD ? (int)(way % A_LOAD) : 0;
    }
    return waits;
}

// ---- without loops

// The longest way to an operand.
static int64_t way_to(const struct tf_shapes *s, const int64_t *ways,
                      const struct tf_value *v)
{
    int64_t most = 0;

    for (unsigned i = 0; i < v->operand_count; i++) {
        const struct tf_value *operand = tf_operand(s, v, i);
        const int64_t way = operand ? ways[operand - s->values] : 0;

        most = way > most ? way : most;
    }
    return most;
}

uint64_t tf_plan_way(const struct tf_plan *p)
{
    struct tf_arena arena = {0};
    int64_t *ways = TF_ARENA_NEW(&arena, int64_t, p->shapes->value_count), most = 0;

    for (unsigned i = 0; i < p->shapes->value_count; i++) {
        const struct tf_value *v = &p->shapes->values[i];

        if (v->shape.kind != TF_SHAPE_VARYING || p->of.facts->seldom[v->block])
            continue;
        ways[i] = way_to(p->shapes, ways, v) + latency(&p->target.costs, v);
        most = ways[i] > most ? ways[i] : most;
    }
    tf_arena_finish(&arena);
    return (uint64_t)most;
}

uint64_t tf_item_way(struct tf_arena *arena, const struct tf_shapes *s,
                     const struct tf_costs *costs)
{
    enum { LOOKS = 3 };
    int64_t *ways = TF_ARENA_NEW(arena, int64_t, s->value_count), most = 0;

    for (unsigned i = 0; i < s->value_count; i++) {
        const struct tf_value *v = &s->values[i];

        if (v->shape.kind != TF_SHAPE_VARYING)
            continue;
        ways[i] = way_to(s, ways, v) + item_latency(costs, v);
        most = ways[i] > most ? ways[i] : most;
    }
    return most / A_LOAD >= LOOKS ? (uint64_t)(most % A_LOAD) : 0;
}
