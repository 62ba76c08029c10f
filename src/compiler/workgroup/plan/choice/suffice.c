// SPDX-License-Identifier: MIT
// Whether the lanes need no function for whole gangs: with masks they cost the same where
// nothing but stores at the end asks for them. One function is half of the code, and half
// of the compiler's time.
#include "compiler/workgroup/analysis/access.h"
#include "compiler/workgroup/plan/choice/choose.h"

enum {
    LEAST_COST = 1000,  // of a gang, in tenths of cycles: the mask itself takes a few
    MORE_PERMILLE = 15, // that masks may cost
    FORK_COST = 10,     // of a branch that all gangs but one take the same way
    TOO_MUCH = 1 << 24,
    LEAST_WORD = 4, // bytes that processors gather
};

static unsigned cost_of_mask(const struct tf_plan *p, const struct tf_value *v)
{
    const struct tf_target *t = &p->target;
    const bool is_store = v->opcode == LLVMStore;
    const struct tf_access a = tf_access_of(p->shapes->layout, v->instruction);
    const uint64_t registers = tf_plan_registers(p, a.type);

    switch ((int)tf_plan_form(p, v)) {
    case TF_FORM_SIDE_BY_SIDE:
        if (t->masks_free)
            return 0;
        if (is_store)
            return FORK_COST;
        return tf_target_masks(t, a.element_bytes) ? (unsigned)registers * t->costs.masked
                                                   : TOO_MUCH;
    case TF_FORM_ROW: // read, blended, written
        return is_store ? (unsigned)registers * 2 * t->costs.vector : 0;
    case TF_FORM_BUNDLE:
    case TF_FORM_STRIP:
    case TF_FORM_EITHER_WAY:
    case TF_FORM_WINDOW:
    case TF_FORM_RISING:
    case TF_FORM_OWN_WORDS:
    case TF_FORM_OWN_SINGLY:
        return TOO_MUCH;
    case TF_FORM_SCATTER:
        return t->scatters ? 0 : TOO_MUCH;
    default:
        return 0;
    }
}

// What no instruction gathers under a mask LLVM loads lane by lane, behind a branch each.
static bool gathers_by_branches(const struct tf_plan *p, const struct tf_value *v)
{
    const struct tf_access a = tf_access_of(p->shapes->layout, v->instruction);

    return !p->target.masks_free || tf_access_in_words(&a).element_bytes < LEAST_WORD;
}

static bool goes_to_memory(const struct tf_plan *p, const struct tf_value *v)
{
    const enum tf_form form = tf_plan_form(p, v);

    return form == TF_FORM_SIDE_BY_SIDE || form == TF_FORM_ROW ||
           (form == TF_FORM_GATHER && gathers_by_branches(p, v));
}

// More than without masks, where all lanes are active. Regions that only some lanes of a
// whole gang enter have masks anyway.
static uint64_t more_of(const struct tf_plan *all, const struct tf_plan *p,
                        const struct tf_value *v)
{
    const uint64_t weight = tf_facts_weight(p->of.facts, v->block);

    if (all->shapes->region_of[v->block] != TF_CFG_NONE)
        return 0;
    // Under a mask no access is part of another instruction, and loads wait for what was
    // stored (filter_short 0.57, sha256 0.58): not round after round.
    if (v->opcode == LLVMLoad || v->opcode == LLVMStore)
        return weight > 1 && goes_to_memory(p, v) ? TOO_MUCH : cost_of_mask(p, v);
    if (tf_plan_form(p, v) == TF_FORM_REAL_DIVISION ||
        tf_plan_form(p, v) ==
            TF_FORM_LONG_DIVISION) // the divisors of others are replaced
        return weight * tf_plan_registers(p, LLVMTypeOf(v->instruction)) *
               p->target.costs.vector;
    return 0;
}

// Where gangs do most of their work without end, what is round it matters less. Without
// loops, what the processor has under way from gang to gang does (black_scholes 0.8).
static bool works_in_loops(const struct tf_plan *p)
{
    uint64_t inside = 0;

    for (unsigned b = 0; b < p->cfg->block_count; b++) {
        if (p->cfg->blocks[b].loop != TF_CFG_NONE)
            inside += p->block_costs[b];
    }
    return inside > p->lanes_cost / 4 * 3;
}

// Gangs with masks are never in the interior.
static bool has_interior(const struct tf_plan *p)
{
    for (unsigned i = 0; i < p->shapes->value_count; i++) {
        if (p->shapes->values[i].root == TF_ROOT_INSIDE)
            return true;
    }
    return false;
}

bool tf_plan_masks_suffice(const struct tf_plan *all, const struct tf_plan *masked)
{
    uint64_t cost = masked->lanes_cost;

    if (all->lanes_cost < LEAST_COST || all->of.facts->has_barrier || has_interior(all) ||
        !works_in_loops(all))
        return false;
    for (unsigned b = 0; b < all->cfg->block_count; b++) {
        if (all->blocks[b].twin)
            return false;
    }
    for (unsigned i = 0; i < masked->shapes->value_count; i++)
        cost += more_of(all, masked, &masked->shapes->values[i]);
    return cost <= all->lanes_cost + all->lanes_cost * MORE_PERMILLE / 1000;
}
