// SPDX-License-Identifier: MIT
// What a plan costs, for one gang as lanes and for its items one by one: sums over
// blocks, chains, and whether lanes pay. What matters is the ratio.
#include <math.h>

#include "compiler/workgroup/analysis/access.h"
#include "compiler/workgroup/kernel/wg.h"
#include "compiler/workgroup/plan/costing.h"
#include "compiler/workgroup/plan/planning.h"

enum {
    MAX_REGISTERS = 4, // of one value
};

bool tf_plan_is_gather(const struct tf_plan *p, const struct tf_value *v)
{
    switch ((int)tf_plan_form(p, v)) {
    case TF_FORM_GATHER:
    case TF_FORM_SCATTER:
    case TF_FORM_OWN_GATHER:
    case TF_FORM_OWN_WORDS:
    case TF_FORM_OWN_SINGLY:
        return true;
    default:
        return false;
    }
}

static void count_form(struct tf_plan *p, const struct tf_value *v)
{
    if (tf_plan_form(p, v) == TF_FORM_LANE_LOOP)
        p->counts.lane_loops++;
    else if (tf_plan_form(p, v) == TF_FORM_STRIP)
        p->counts.strips++;
    else if (tf_plan_is_gather(p, v))
        *(v->opcode == LLVMStore ? &p->counts.scatters : &p->counts.gathers) += 1;
}

// ---- blocks

// Whether the lanes that leave a loop by this branch do so in neighbouring rounds: what
// they count lies at equal distances, and all count up to the same end.
static bool leave_in_turn(const struct tf_shapes *s, LLVMValueRef condition)
{
    return LLVMIsAICmpInst(condition) &&
           tf_shape_of(s, LLVMGetOperand(condition, 0)).kind == TF_SHAPE_AFFINE &&
           tf_shape_of(s, LLVMGetOperand(condition, 1)).kind == TF_SHAPE_AFFINE;
}

static bool thins_out(const struct tf_plan *p, unsigned loop)
{
    for (unsigned b = 0; b < p->cfg->block_count; b++) {
        const struct tf_cfg_block *block = &p->cfg->blocks[b];
        const LLVMValueRef condition = tf_cfg_condition(p->cfg, b);

        if (!p->cfg->loops[loop].has[b] || !condition ||
            tf_is_uniform(p->shapes, condition) || leave_in_turn(p->shapes, condition))
            continue;
        for (unsigned i = 0; i < block->succ_count; i++) {
            if (!p->cfg->loops[loop].has[block->succs[i]])
                return true;
        }
    }
    return false;
}

static const bool *find_thinning(struct tf_plan *p)
{
    bool *thins = TF_ARENA_NEW(&p->arena, bool, p->cfg->loop_count + 1);

    for (unsigned l = 0; l < p->cfg->loop_count; l++)
        thins[l] = p->shapes->divergent[l] && thins_out(p, l);
    return thins;
}

static bool is_in_thinning_loop(const struct tf_costing *k, unsigned block)
{
    const struct tf_cfg *cfg = k->p->cfg;
    unsigned loop = cfg->blocks[block].loop;

    for (; loop != TF_CFG_NONE; loop = cfg->loops[loop].parent) {
        if (k->thins[loop])
            return true;
    }
    return false;
}

// How often the scatter goes to other places than the last time: memory is what these
// cost, while the same places again lie in the cache.
static uint64_t weight_of_places(const struct tf_plan *p, const struct tf_value *scatter)
{
    const struct tf_value *pointer = tf_operand(p->shapes, scatter, 1);

    return tf_facts_weight(p->of.facts, pointer ? pointer->block : 0);
}

// Of the rounds of a loop that lanes leave one by one: the last of more lanes leaves
// later. Lengths of Collatz sequences up to 2^20: 132 rounds on average, the last of 8,
// 16, 32 and 64 neighbours after 191, 211, 232 and 254.
static unsigned empty_eighths(unsigned width)
{
    return (unsigned)__builtin_ctz(width);
}

static bool is_order(const struct tf_value *comparison)
{
    const LLVMValueRef i = comparison->instruction;

    if (comparison->opcode == LLVMICmp)
        return LLVMGetICmpPredicate(i) != LLVMIntEQ &&
               LLVMGetICmpPredicate(i) != LLVMIntNE;
    return comparison->opcode == LLVMFCmp && LLVMGetFCmpPredicate(i) != LLVMRealOEQ &&
           LLVMGetFCmpPredicate(i) != LLVMRealUNE;
}

// Whether the order of what a comparison compares is asked, too: by itself, or, where it
// is asked first whether they are equal, by another.
static bool asks_for_order(const struct tf_plan *p, const struct tf_value *comparison)
{
    const LLVMValueRef a = LLVMGetOperand(comparison->instruction, 0),
                       b = LLVMGetOperand(comparison->instruction, 1);

    if (is_order(comparison))
        return true;
    for (LLVMUseRef use = LLVMGetFirstUse(a); use; use = LLVMGetNextUse(use)) {
        const LLVMValueRef user = LLVMGetUser(use);
        const struct tf_value *v = tf_shape_value(p->shapes, user);

        if (v && v->opcode == comparison->opcode && is_order(v) &&
            (LLVMGetOperand(user, 0) == b || LLVMGetOperand(user, 1) == b))
            return true;
    }
    return false;
}

// A number out of memory, or one more or less by another.
static bool is_out_of_memory(const struct tf_plan *p, const struct tf_value *v,
                             unsigned depth)
{
    enum { MOST_DEPTH = 2 };

    if (!v || tf_is_uniform(p->shapes, v->instruction))
        return false;
    switch ((int)v->opcode) {
    case LLVMLoad:
        return true;
    case LLVMAdd:
    case LLVMSub:
    case LLVMFAdd:
    case LLVMFSub:
        return depth < MOST_DEPTH &&
               (is_out_of_memory(p, tf_operand(p->shapes, v, 0), depth + 1) ||
                is_out_of_memory(p, tf_operand(p->shapes, v, 1), depth + 1));
    default:
        return false;
    }
}

// Numbers out of memory that are compared with each other, as where lists are merged or
// sorted: nobody guesses which is less. Where neighbours are the same, the next are.
static bool compares_numbers(const struct tf_plan *p, LLVMValueRef condition)
{
    const struct tf_value *v = tf_shape_value(p->shapes, condition);

    return v && (v->opcode == LLVMICmp || v->opcode == LLVMFCmp) &&
           asks_for_order(p, v) && is_out_of_memory(p, tf_operand(p->shapes, v, 0), 0) &&
           is_out_of_memory(p, tf_operand(p->shapes, v, 1), 0);
}

static uint64_t cost_of_missed(const struct tf_costing *k, LLVMValueRef condition)
{
    return compares_numbers(k->p, condition) ? k->c->unguessed : k->c->missed;
}

static uint64_t add_block(const struct tf_costing *k, unsigned block)
{
    struct tf_plan *p = k->p;
    const LLVMValueRef condition = tf_cfg_condition(p->cfg, block);
    const uint64_t weight = tf_facts_weight(p->of.facts, block);
    const struct tf_value *const last = tf_block_end(p->shapes, block) - 1;
    uint64_t lanes = 0, items = 0;

    for (const struct tf_value *v = tf_block_first(p->shapes, block); v < last; v++) {
        const uint64_t cost = tf_cost_of_lanes(k, v);

        lanes += cost;
        p->spaced_cost += tf_cost_of_spacing(k, v) * weight;
        if (tf_plan_form(p, v) == TF_FORM_SCATTER && tf_is_far(p, v))
            p->scatters_cost += cost * weight_of_places(p, v);
        if (tf_plan_form(p, v) == TF_FORM_STRIP)
            p->strips_cost += cost * weight;
        items += tf_cost_of_item(k, v);
        if (weight)
            count_form(p, v);
    }
    if (condition) {
        const bool diverges = !tf_is_uniform(p->shapes, condition);

        p->counts.divergent_branches += diverges && weight;
        lanes += diverges ? k->c->branch : k->c->scalar;
        items += k->c->scalar + (diverges ? cost_of_missed(k, condition) : 0);
    }
    if (is_in_thinning_loop(k, block))
        lanes += lanes * empty_eighths(p->width) / 8;
    if (tf_cost_rounds_are_apart(p, block))
        items = tf_cost_in_vectors(k, block, items);
    k->items[block] = items * weight;
    p->items_cost += items * weight * p->width;
    return lanes * weight;
}

// Of what is hardly reached none counts.
static unsigned widest(const struct tf_plan *p)
{
    uint64_t most = 0;

    for (unsigned i = 0; i < p->shapes->value_count; i++) {
        const struct tf_value *v = &p->shapes->values[i];

        if (v->shape.kind == TF_SHAPE_VARYING && tf_is_program_vector(v) &&
            tf_registers_for(p, v->bytes) > most &&
            tf_facts_weight(p->of.facts, v->block))
            most = tf_registers_for(p, v->bytes);
    }
    return (unsigned)most;
}

// Kernels written with wide vectors fill the registers by themselves; lanes would cost
// much time of the compiler and gain little.
bool tf_plan_has_wide_values(const struct tf_plan *p)
{
    return p->widest > MAX_REGISTERS;
}

// Numbers that an operation has beside its operands: they lie in memory, and are fetched
// for all registers of the operation at once.
static unsigned constants_of(const struct tf_plan *p, const struct tf_value *v)
{
    const enum tf_form form = tf_plan_form(p, v);
    unsigned count = 0;

    if (form != TF_FORM_VECTOR && form != TF_FORM_INTRINSIC)
        return 0;
    for (unsigned i = 0; i < v->operand_count; i++) {
        const LLVMValueRef operand = LLVMGetOperand(v->instruction, i);

        count += LLVMIsAConstantFP(operand) && !LLVMIsNull(operand);
    }
    return count;
}

// None where registers keep them all.
static uint64_t cost_of_constants(const struct tf_plan *p)
{
    uint64_t cost = 0;
    unsigned all = 0;

    for (unsigned i = 0; i < p->shapes->value_count; i++) {
        const struct tf_value *v = &p->shapes->values[i];
        const unsigned count = constants_of(p, v);

        all += count;
        cost += count * tf_facts_weight(p->of.facts, v->block) * p->target.costs.scalar;
    }
    return all > p->target.registers ? cost : 0;
}

void tf_plan_costs(struct tf_planning *m)
{
    struct tf_plan *p = m->p;
    const struct tf_costing k = {
        .p = p,
        .c = &p->target.costs,
        .thins = find_thinning(p),
        .items = TF_ARENA_NEW(&p->arena, uint64_t, p->cfg->block_count)};
    uint64_t *blocks = TF_ARENA_NEW(&p->arena, uint64_t, p->cfg->block_count);

    for (unsigned b = 0; b < p->cfg->block_count; b++) {
        blocks[b] = add_block(&k, b);
        p->lanes_cost += blocks[b];
    }
    p->items_cost += tf_cost_waits_of_item(&k) * p->width;
    p->block_costs = blocks;
    if (p->of.item_cost) // vectors were taken apart: not in the form of items
        p->items_cost = p->of.item_cost * p->width;
    p->widest = widest(p);
    p->constants_cost = cost_of_constants(p);
}

bool tf_plan_pays(const struct tf_plan *p)
{
    // Where scatters are much of it, memory is, and lanes make nothing of that faster.
    const uint64_t margin =
        p->scatters_cost > p->lanes_cost / 4 ? p->lanes_cost : p->lanes_cost / 8;

    return p->lanes_cost + margin < p->items_cost && !tf_plan_has_wide_values(p);
}

// ---- chains

// What the rounds of a loop cost more than the table says, because of a chain: so many
// operations could have started while it waits. Where both take about as long neither
// hides the other: together they take the root of the sum of their squares (on Zen 5
// within a tenth of what mandelbrot and hash_ulong take with 16, 32 and 64 lanes).
static uint64_t cost_of_chain(const struct tf_plan *p, unsigned loop, int tenths)
{
    uint64_t made = 0, least = (uint64_t)tenths * p->target.at_once;
    double both;

    for (unsigned b = 0; b < p->cfg->block_count; b++) {
        if (p->cfg->loops[loop].has[b])
            made += p->block_costs[b];
    }
    least *= tf_facts_weight(p->of.facts, p->cfg->loops[loop].head);
    both = sqrt((double)made * (double)made + (double)least * (double)least);
    return (uint64_t)both - made;
}

uint64_t tf_plan_cost_per_lane(const struct tf_plan *p, const int *chains)
{
    uint64_t cost = p->lanes_cost + p->constants_cost;

    for (unsigned l = 0; l < p->cfg->loop_count; l++)
        cost += cost_of_chain(p, l, chains[l]);
    return cost * TF_MOST_LANES / p->width;
}

// Of a function without loops the next gangs fill what its longest way leaves, as far as
// the processor looks ahead.
uint64_t tf_plan_wait(const struct tf_plan *p)
{
    const uint64_t operations = p->cfg->loop_count ? 0 : tf_plan_operations(p);
    const uint64_t least = operations ? tf_plan_way(p) * p->target.at_once : 0;
    const uint64_t waited = operations < TF_AHEAD ? least * operations / TF_AHEAD : least;
    const uint64_t made = p->lanes_cost + p->constants_cost;

    return waited > made ? waited - made : 0;
}
