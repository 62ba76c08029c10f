// SPDX-License-Identifier: MIT
// What becomes of control: which blocks of a divergent region have the same lanes, which
// are skipped when no lane is active, and which loops lanes go round together.
#include <string.h>

#include "compiler/workgroup/analysis/access.h"
#include "compiler/workgroup/plan/bundle.h"
#include "compiler/workgroup/plan/planning.h"

// Where skipping pays when half of the gangs have no lane active: a branch that is
// predicted badly costs about as much as 16 vector operations.
// What is seldom run is predicted well: there it costs the test alone.
enum {
    GUARD_COST = 16,
    SELDOM_GUARD_COST = 4,
    COSTLY_OPERATION = 8,
    MUST_GUARD = 1000,
};

static unsigned region_of(const struct tf_plan *p, unsigned block)
{
    return block < p->cfg->block_count ? p->shapes->region_of[block] : TF_CFG_NONE;
}

static bool in_region(const struct tf_plan *p, unsigned block)
{
    return region_of(p, block) != TF_CFG_NONE;
}

// ---- guards

static unsigned memory_cost(const struct tf_plan *p, const struct tf_value *v)
{
    const struct tf_access a = tf_access_of(p->shapes->layout, v->instruction);
    const struct tf_shape at = tf_shape_of(p->shapes, a.pointer);

    switch ((int)tf_plan_form(p, v)) {
    case TF_FORM_ROW: // of local memory: near that of an active lane
        return tf_access_is_local(&a) ? MUST_GUARD : COSTLY_OPERATION;
    case TF_FORM_BUNDLE:
        return p->values[v - p->shapes->values].bundle->is_row ? MUST_GUARD
                                                               : COSTLY_OPERATION;
    case TF_FORM_TABLE: // no access of memory
    case TF_FORM_SIDE_BY_SIDE:
    case TF_FORM_EITHER_WAY:
    case TF_FORM_STRIP:
        return COSTLY_OPERATION;
    case TF_FORM_WINDOW:
    case TF_FORM_RISING:
    case TF_FORM_GATHER:
    case TF_FORM_SCATTER:
        return at.stride ? COSTLY_OPERATION : MUST_GUARD;
    default:
        return MUST_GUARD;
    }
}

// A scalar instruction of a block that no lane executes must not trap or touch memory;
// the rest is a matter of time.
static unsigned cost_of(const struct tf_plan *p, const struct tf_value *v)
{
    switch ((int)v->opcode) {
    case LLVMLoad:
    case LLVMStore:
        return memory_cost(p, v);
    case LLVMFDiv:
    case LLVMFRem:
        return COSTLY_OPERATION;
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
        return v->shape.kind == TF_SHAPE_VARYING ? COSTLY_OPERATION : MUST_GUARD;
    case LLVMCall:
        if (v->elementwise)
            return 2;
        return v->is_marker || tf_plan_form(p, v) == TF_FORM_NONE ? 0 : MUST_GUARD;
    case LLVMFence:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        return MUST_GUARD;
    default:
        break;
    }
    switch ((int)tf_plan_form(p, v)) {
    case TF_FORM_NONE:
    case TF_FORM_PHI:
    case TF_FORM_FREE:
        return 0;
    default:
        return 1;
    }
}

static bool should_guard(const struct tf_plan *p, unsigned block)
{
    const struct tf_value *v = tf_block_first(p->shapes, block);
    const struct tf_value *const end = tf_block_end(p->shapes, block);
    uint64_t cost = 0;

    if (tf_cfg_is_head(p->cfg, block))
        return true;
    for (; v < end; v++) {
        const bool wide = v->shape.kind == TF_SHAPE_VARYING;

        cost +=
            cost_of(p, v) * (wide ? tf_plan_registers(p, LLVMTypeOf(v->instruction)) : 1);
    }
    return cost >= (p->of.facts->seldom[block] ? SELDOM_GUARD_COST : GUARD_COST);
}

// ---- the same lanes

// Marks in `parts` the blocks of the loop round `block` from which lanes may end the
// round before they come to `block`.
static void find_partings(const struct tf_plan *p, unsigned block, bool *parts)
{
    unsigned *const stack = p->cfg->stack;
    const unsigned loop = p->cfg->blocks[block].loop;
    const struct tf_cfg_loop *const l = &p->cfg->loops[loop];
    unsigned depth = 0;

    memset(parts, 0, p->cfg->block_count * sizeof(*parts));
    for (unsigned b = l->head; b < p->cfg->block_count; b++) {
        const struct tf_cfg_block *const from = &p->cfg->blocks[b];

        for (unsigned k = 0; l->has[b] && b != block && k < from->succ_count; k++) {
            if (from->succs[k] == l->head || !l->has[from->succs[k]])
                parts[b] = true;
        }
        if (parts[b])
            stack[depth++] = b;
    }
    while (depth) {
        const struct tf_cfg_block *const to = &p->cfg->blocks[stack[--depth]];

        for (unsigned k = 0; k < to->pred_count; k++) {
            const unsigned from = to->preds[k];

            if (from != block && l->has[from] && !parts[from]) {
                parts[from] = true;
                stack[depth++] = from;
            }
        }
    }
}

// The block above whose lanes are those of `block`: all come to it, and before any goes
// round the loop. Of several the first one, whose mask the others share.
static unsigned find_like(struct tf_planning *m, unsigned block, bool *parts)
{
    const struct tf_plan *p = m->p;
    const unsigned loop = p->cfg->blocks[block].loop;

    if (loop != TF_CFG_NONE)
        find_partings(p, block, parts);
    for (unsigned above = block; above != 0;) {
        above = p->cfg->blocks[above].idom;
        if (region_of(p, above) != region_of(p, block))
            break;
        if (p->cfg->blocks[above].loop == loop &&
            !(loop != TF_CFG_NONE && parts[above]) &&
            tf_cfg_post_dominates(p->cfg, block, above))
            return m->blocks[above].like != TF_CFG_NONE ? m->blocks[above].like : above;
    }
    return TF_CFG_NONE;
}

static unsigned count_exits(const struct tf_plan *p, const struct tf_cfg_loop *loop)
{
    unsigned exits = 0;

    for (unsigned b = 0; b < p->cfg->block_count; b++) {
        for (unsigned k = 0; loop->has[b] && k < p->cfg->blocks[b].succ_count; k++)
            exits += !loop->has[p->cfg->blocks[b].succs[k]];
    }
    return exits;
}

// A loop of a region whose lanes all go round together needs no masks of its own: the
// branch back stays, and jumps past the guard.
static void find_uniform_loop(struct tf_planning *m, unsigned l)
{
    const struct tf_plan *p = m->p;
    const struct tf_cfg_loop *loop = &p->cfg->loops[l];
    const unsigned latch = loop->last;
    const unsigned head_like = m->blocks[loop->head].like;
    const LLVMValueRef condition = tf_cfg_condition(p->cfg, latch);
    bool same;

    if (!in_region(p, loop->head) || p->shapes->divergent[l] || loop->latch_count != 1 ||
        !condition || !tf_is_uniform(p->shapes, condition) || count_exits(p, loop) != 1)
        return;
    if (p->cfg->blocks[latch].succs[0] == p->cfg->blocks[latch].succs[1] ||
        (p->cfg->blocks[latch].succs[0] != loop->head &&
         p->cfg->blocks[latch].succs[1] != loop->head))
        return;
    same = latch == loop->head || m->blocks[latch].like == loop->head ||
           (head_like != TF_CFG_NONE && m->blocks[latch].like == head_like);
    m->blocks[latch].loops_back = same;
}

void tf_plan_flow(struct tf_planning *m)
{
    const struct tf_plan *p = m->p;
    bool *parts = TF_ARENA_NEW(&m->p->arena, bool, p->cfg->block_count);

    for (unsigned i = 0; i < p->cfg->block_count; i++)
        m->blocks[i].like = TF_CFG_NONE;
    for (unsigned i = 0; i < p->cfg->block_count; i++) { // what dominates comes first
        if (!in_region(p, i))
            continue;
        m->blocks[i].like = find_like(m, i, parts);
        m->blocks[i].guarded = should_guard(p, i);
    }
    for (unsigned l = 0; l < p->cfg->loop_count; l++)
        find_uniform_loop(m, l);
}
