// SPDX-License-Identifier: MIT
// Divergence: what a branch does that lanes take differently. Blocks that only some lanes
// execute belong to a divergent region (here: region), a part of the graph with one entry
// block before it and one exit block behind it; regions do not overlap.
#include "compiler/workgroup/analysis/shape.h"

#include <string.h>

static void make_phis_vary(struct tf_shapes *s, unsigned block)
{
    LLVMValueRef i = LLVMGetFirstInstruction(s->cfg->blocks[block].block);

    for (; i && LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i))
        tf_shape_value(s, i)->shape = (struct tf_shape){.kind = TF_SHAPE_VARYING};
}

// Lanes that merge in `block` may bring different values. At the head of a loop
// with one way in and one way round all come from the same side.
static bool merges(const struct tf_shapes *s, unsigned block)
{
    const unsigned preds = s->cfg->blocks[block].pred_count;

    return preds >= 2 && !(tf_cfg_is_head(s->cfg, block) && preds == 2);
}

static void make_merges_vary(struct tf_shapes *s, unsigned exit, const bool *reached)
{
    for (unsigned b = 0; b < s->cfg->block_count; b++) {
        if ((reached[b] || b == exit) && merges(s, b))
            make_phis_vary(s, b);
    }
}

// Lanes leave the loop at different times: what it passes out is of different iterations.
static void make_exits_vary(struct tf_shapes *s, const struct tf_cfg_loop *loop)
{
    for (unsigned b = 0; b < s->cfg->block_count; b++) {
        for (unsigned k = 0; loop->has[b] && k < s->cfg->blocks[b].succ_count; k++) {
            if (!loop->has[s->cfg->blocks[b].succs[k]])
                make_phis_vary(s, s->cfg->blocks[b].succs[k]);
        }
    }
}

static void mark_loops(struct tf_shapes *s, unsigned block, unsigned exit)
{
    for (unsigned l = 0; l < s->cfg->loop_count; l++) {
        if (!tf_cfg_in_loop(s->cfg, l, block) || tf_cfg_in_loop(s->cfg, l, exit))
            continue;
        s->divergent[l] = true;
        make_exits_vary(s, &s->cfg->loops[l]);
    }
}

struct growth {
    unsigned entry, exit;
    bool *reached; // the blocks between them
    bool *wanted;  // those that must be among them
};

// The block through which all ways into the region go, when it is not the entry itself.
// *again: some come from behind the region, by a loop that has the exit in it, if the
// entry stays what it was.
static unsigned find_entry(const struct tf_shapes *s, const struct growth *g, bool *again)
{
    unsigned entry = g->entry;

    *again = false;
    for (unsigned b = 0; b < s->cfg->block_count; b++) {
        for (unsigned k = 0; g->reached[b] && k < s->cfg->blocks[b].pred_count; k++) {
            const unsigned p = s->cfg->blocks[b].preds[k];

            if (!g->reached[p] && p != g->entry) {
                entry = tf_cfg_common_dominator(s->cfg, entry, p);
                *again = true;
            }
        }
    }
    if (entry == g->entry && g->reached[entry])
        entry = s->cfg->blocks[entry].idom;
    return entry;
}

// Takes a region that overlaps in, if there is one, and dissolves it.
static bool merge_region(struct tf_shapes *s, struct growth *g)
{
    unsigned region = TF_CFG_NONE, head = TF_CFG_NONE, before;

    for (unsigned b = 0; b < s->cfg->block_count && region == TF_CFG_NONE; b++) {
        if (g->reached[b])
            region = s->region_of[b];
    }
    if (region == TF_CFG_NONE)
        return false;
    for (unsigned b = 0; b < s->cfg->block_count; b++) {
        if (s->region_of[b] == region)
            head = head == TF_CFG_NONE ? b : tf_cfg_common_dominator(s->cfg, head, b);
    }
    if (s->region_of[head] == region) // else it is the region's entry
        head = s->cfg->blocks[head].idom;
    for (unsigned b = 0; b < s->cfg->block_count; b++) {
        if (s->region_of[b] != region)
            continue;
        s->region_of[b] = TF_CFG_NONE;
        g->wanted[b] = true;
    }
    g->exit = tf_cfg_common_post_dominator(s->cfg, s->regions[region].exit, g->exit);
    before = tf_cfg_common_dominator(s->cfg, g->entry, head);
    if (!g->reached[before])
        g->entry = before;
    return true;
}

static void move_exit(const struct tf_shapes *s, struct growth *g)
{
    while (g->exit != s->cfg->block_count &&
           !tf_cfg_post_dominates(s->cfg, g->exit, g->entry))
        g->exit = s->cfg->blocks[g->exit].ipdom;
}

// From an entry above the head of a loop the exit may come before what was reached by the
// way round the loop: it is not behind the region then.
static void reach(const struct tf_shapes *s, struct growth *g)
{
    for (;;) {
        bool all = true;

        tf_cfg_reach(s->cfg, g->entry, g->exit, g->reached);
        for (unsigned b = 0; b < s->cfg->block_count; b++)
            all = all && (!g->wanted[b] || g->reached[b]);
        if (all || g->exit == s->cfg->block_count)
            break;
        g->exit = s->cfg->blocks[g->exit].ipdom;
    }
    memcpy(g->wanted, g->reached, s->cfg->block_count * sizeof(bool));
}

static void make_region(struct tf_shapes *s, struct growth *g)
{
    for (;;) {
        unsigned entry;
        bool again;

        reach(s, g);
        entry = find_entry(s, g, &again);
        if (entry != g->entry)
            g->entry = entry;
        else if (again && g->exit != s->cfg->block_count) // they do not all meet there
            g->exit = s->cfg->blocks[g->exit].ipdom;
        else if (!merge_region(s, g))
            break;
        move_exit(s, g);
    }
    s->regions[s->region_count].exit = g->exit;
    for (unsigned b = 0; b < s->cfg->block_count; b++) {
        if (g->reached[b])
            s->region_of[b] = s->region_count;
    }
    s->region_count++;
}

// True if lanes leave a loop and come back to it by a loop round it, before they meet in
// `exit`.
static bool comes_back(const struct tf_shapes *s, unsigned block, unsigned exit,
                       const bool *reached)
{
    for (unsigned l = 0; l < s->cfg->loop_count; l++) {
        if (!tf_cfg_in_loop(s->cfg, l, block) || !tf_cfg_in_loop(s->cfg, l, exit))
            continue;
        for (unsigned b = 0; b < s->cfg->block_count; b++) {
            if (reached[b] && !s->cfg->loops[l].has[b])
                return true;
        }
    }
    return false;
}

void tf_region_diverge(struct tf_shapes *s, unsigned block)
{
    struct growth g = {
        .entry = block,
        .exit = s->cfg->blocks[block].ipdom,
        .reached = s->reached,
        .wanted = s->wanted,
    };

    memset(g.wanted, 0, s->cfg->block_count * sizeof(bool));
    tf_cfg_reach(s->cfg, block, g.exit, g.reached);
    // The head of an inner loop is no place to meet for lanes that left the loop for one
    // round it (`continue` makes such a pair of loops): who left waits for the others.
    while (comes_back(s, block, g.exit, g.reached)) {
        g.exit = s->cfg->blocks[g.exit].ipdom;
        tf_cfg_reach(s->cfg, block, g.exit, g.reached);
    }
    make_merges_vary(s, g.exit, g.reached);
    mark_loops(s, block, g.exit);
    make_region(s, &g);
}
