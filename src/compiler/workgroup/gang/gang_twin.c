// SPDX-License-Identifier: MIT
// Regions that are made twice. A processor without masked memory goes from lane to lane
// for each access under a mask, and one that has it cannot forward what was stored under
// a mask to a load. Where all lanes enter a region they run a copy of it that has no
// masks. Not for branches inside: the region must be uniform once all lanes are in it.
#include "compiler/workgroup/gang/gang_access.h"

enum {
    MAX_REGION = 100, // instructions
    MAX_ALL = 300,    // of all copies in a function
};

struct twins {
    struct gang *g;
    bool has_barrier; // somewhere in the function
    unsigned copied;  // instructions
};

static unsigned region_of(const struct gang *g, unsigned block)
{
    return block < g->cfg.block_count ? g->shapes.region_of[block] : TF_CFG_NONE;
}

// Whether masks make the access much slower.
static bool suffers(const struct twins *t, const struct tf_value *v)
{
    const struct gang *g = t->g;
    struct gang_access a;
    struct tf_shape at;

    if ((v->opcode != LLVMLoad && v->opcode != LLVMStore) ||
        gang_is_ordered(v->instruction))
        return false;
    a = gang_access_of(g, v->instruction);
    at = tf_shape_of(&g->shapes, a.pointer);
    if (at.kind == TF_SHAPE_AFFINE && at.stride == 0)
        return false;
    // AVX2 has masks for elements of 4 and 8 bytes only, and stores under them slowly.
    return g->wg->vector_bits < 256 ||
           (g->wg->vector_bits < 512 &&
            (a.element_bytes < 4 || v->opcode == LLVMStore)) ||
           (t->has_barrier && v->opcode == LLVMStore);
}

// All lanes that are in the block go on together, in the region or out of all.
static bool stays_together(const struct gang *g, unsigned block, unsigned region)
{
    const struct tf_cfg_block *b = &g->cfg.blocks[block];
    const LLVMValueRef condition = tf_cfg_condition(&g->cfg, block);

    if (condition && !tf_is_uniform(&g->shapes, condition))
        return false;
    for (unsigned k = 0; k < b->succ_count; k++) {
        if (region_of(g, b->succs[k]) != region &&
            region_of(g, b->succs[k]) != TF_CFG_NONE)
            return false;
    }
    return b->succ_count == 0 ||
           LLVMGetInstructionOpcode(LLVMGetBasicBlockTerminator(b->block)) == LLVMBr;
}

static bool pays(struct twins *t, unsigned region)
{
    struct gang *g = t->g;
    unsigned count = 0;
    bool gains = false;

    for (unsigned b = 0; b < g->cfg.block_count; b++) {
        if (region_of(g, b) == region && !stays_together(g, b, region))
            return false;
    }
    for (unsigned i = 0; i < g->shapes.value_count; i++) {
        const struct tf_value *v = &g->shapes.values[i];

        if (region_of(g, v->block) != region)
            continue;
        gains |= suffers(t, v);
        count++;
    }
    if (!gains || count > MAX_REGION || t->copied + count > MAX_ALL)
        return false;
    t->copied += count;
    return true;
}

static void add_twins(struct gang *g, unsigned region)
{
    for (unsigned b = 0; b < g->cfg.block_count; b++) {
        if (region_of(g, b) == region)
            g->blocks[b].twin =
                LLVMAppendBasicBlockInContext(g->wg->context, g->to, "twin");
    }
}

// Behind a branch that lanes take differently, outside of all regions.
static void plan(struct twins *t, unsigned block)
{
    struct gang *g = t->g;
    const struct tf_cfg_block *b = &g->cfg.blocks[block];
    const LLVMValueRef condition = tf_cfg_condition(&g->cfg, block);

    if (!condition || tf_is_uniform(&g->shapes, condition) ||
        region_of(g, block) != TF_CFG_NONE)
        return;
    for (unsigned k = 0; k < b->succ_count; k++) {
        const unsigned region = region_of(g, b->succs[k]);

        if (region == TF_CFG_NONE || g->blocks[b->succs[k]].twin ||
            g->shapes.regions[region].has_barrier)
            continue;
        if (pays(t, region))
            add_twins(g, region);
        return; // the other side is of the same region, if of any
    }
}

void gang_plan_twins(struct gang *g)
{
    struct twins t = {.g = g};

    if (g->masked) // few lanes are a whole gang there
        return;
    for (unsigned i = 0; i < g->shapes.value_count; i++)
        t.has_barrier |= tf_shape_is_barrier(g->shapes.values[i].instruction);
    for (unsigned b = 0; b < g->cfg.block_count; b++)
        plan(&t, b);
}
