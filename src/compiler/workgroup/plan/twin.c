// SPDX-License-Identifier: MIT
// Regions that are made twice. A processor without masked memory goes from lane to lane
// for each access under a mask, and one that has it cannot forward what was stored under
// a mask to a load. Where all lanes enter a divergent region they run a copy of it that
// has no masks. Not for branches inside: the region must be uniform once all lanes are in
// it.
#include "compiler/workgroup/analysis/access.h"
#include "compiler/workgroup/plan/planning.h"

enum {
    MAX_REGION = 100, // instructions
    MAX_ALL = 300,    // of all copies in a function
};

struct twins {
    struct tf_planning *m;
    const struct tf_plan *p;
    unsigned copied; // instructions
};

static unsigned region_of(const struct tf_plan *p, unsigned block)
{
    return block < p->cfg->block_count ? p->shapes->region_of[block] : TF_CFG_NONE;
}

static bool goes_to_memory(enum tf_form form)
{
    switch ((int)form) {
    case TF_FORM_SIDE_BY_SIDE:
    case TF_FORM_ROW:
    case TF_FORM_EITHER_WAY:
    case TF_FORM_BUNDLE:
    case TF_FORM_STRIP:
    case TF_FORM_WINDOW:
    case TF_FORM_RISING:
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

// Whether masks make the access much slower.
static bool suffers(const struct twins *t, const struct tf_value *v)
{
    const struct tf_plan *p = t->p;
    const bool is_store = v->opcode == LLVMStore;
    struct tf_access a;

    if (!goes_to_memory(tf_plan_form(p, v)))
        return false;
    a = tf_access_of(p->shapes->layout, v->instruction);
    // AVX2 has masks for elements of 4 and 8 bytes only, and stores under them slowly.
    return !tf_target_masks(&p->target, a.element_bytes) ||
           (is_store && (!p->target.masks_free || p->of.facts->has_barrier));
}

// All lanes that are in the block go on together, in the region or out of all.
static bool stays_together(const struct tf_plan *p, unsigned block, unsigned region)
{
    const struct tf_cfg_block *b = &p->cfg->blocks[block];
    const LLVMValueRef condition = tf_cfg_condition(p->cfg, block);

    if (condition && !tf_is_uniform(p->shapes, condition))
        return false;
    for (unsigned k = 0; k < b->succ_count; k++) {
        if (region_of(p, b->succs[k]) != region &&
            region_of(p, b->succs[k]) != TF_CFG_NONE)
            return false;
    }
    return b->succ_count == 0 ||
           LLVMGetInstructionOpcode(LLVMGetBasicBlockTerminator(b->block)) == LLVMBr;
}

static bool pays(struct twins *t, unsigned region)
{
    const struct tf_plan *p = t->p;
    unsigned count = 0;
    bool gains = false;

    for (unsigned b = 0; b < p->cfg->block_count; b++) {
        if (region_of(p, b) == region && !stays_together(p, b, region))
            return false;
    }
    for (unsigned i = 0; i < p->shapes->value_count; i++) {
        const struct tf_value *v = &p->shapes->values[i];

        if (region_of(p, v->block) != region)
            continue;
        gains |= suffers(t, v);
        count++;
    }
    if (!gains || count > MAX_REGION || t->copied + count > MAX_ALL)
        return false;
    t->copied += count;
    return true;
}

static void add_twins(struct twins *t, unsigned region)
{
    for (unsigned b = 0; b < t->p->cfg->block_count; b++)
        t->m->blocks[b].twin |= region_of(t->p, b) == region;
}

// Behind a branch that lanes take differently, outside of all regions.
static void look_behind(struct twins *t, unsigned block)
{
    const struct tf_plan *p = t->p;
    const struct tf_cfg_block *b = &p->cfg->blocks[block];
    const LLVMValueRef condition = tf_cfg_condition(p->cfg, block);

    if (!condition || tf_is_uniform(p->shapes, condition) ||
        region_of(p, block) != TF_CFG_NONE)
        return;
    for (unsigned k = 0; k < b->succ_count; k++) {
        const unsigned region = region_of(p, b->succs[k]);

        if (region == TF_CFG_NONE || p->blocks[b->succs[k]].twin ||
            p->shapes->regions[region].has_barrier)
            continue;
        if (pays(t, region))
            add_twins(t, region);
        return; // the other side is of the same region, if of any
    }
}

void tf_plan_twins(struct tf_planning *m)
{
    struct twins t = {.m = m, .p = m->p};

    if (m->p->of.masked) // few lanes are a whole gang there
        return;
    for (unsigned b = 0; b < m->p->cfg->block_count; b++)
        look_behind(&t, b);
}
