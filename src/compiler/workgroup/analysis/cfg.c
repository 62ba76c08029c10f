// SPDX-License-Identifier: MIT
// Dominators by the iteration of Cooper, Harvey and Kennedy, "A simple, fast dominance
// algorithm" (2001): functions are small, and it needs nothing but the order of blocks.
#include "compiler/workgroup/analysis/cfg.h"

#include <string.h>

#include <llvm-c/Core.h>

#include "compiler/ir/graph.h"

// ---- blocks

static void number_blocks(struct tf_cfg *cfg, const struct tf_graph *graph)
{
    cfg->block_count = graph->count;
    cfg->blocks = TF_ARENA_NEW(cfg->arena, struct tf_cfg_block, graph->count);
    cfg->stack = TF_ARENA_NEW(cfg->arena, unsigned, graph->count + 1);
    cfg->number = graph->number;
    for (unsigned i = 0; i < graph->count; i++) {
        const struct tf_graph_node *n = &graph->nodes[i];

        cfg->blocks[i] = (struct tf_cfg_block){.block = n->block,
                                               .preds = n->preds,
                                               .succs = n->succs,
                                               .pred_count = n->pred_count,
                                               .succ_count = n->succ_count,
                                               .loop = TF_CFG_NONE};
    }
}

// ---- dominators

// While the tree grows.
static unsigned common_dominator(const struct tf_cfg *cfg, unsigned a, unsigned b)
{
    while (a != b) {
        while (a > b)
            a = cfg->blocks[a].idom;
        while (b > a)
            b = cfg->blocks[b].idom;
    }
    return a;
}

// Numbers the nodes of a tree; each comes in `order` behind its parent, the root first.
static struct tf_cfg_span *number_tree(const struct tf_cfg *cfg, const unsigned *order,
                                       const unsigned *parents, unsigned count)
{
    struct tf_cfg_span *spans = TF_ARENA_NEW(cfg->arena, struct tf_cfg_span, count);
    unsigned *next = TF_ARENA_NEW(cfg->arena, unsigned, count);

    for (unsigned i = count; i-- > 0;) {
        spans[order[i]].count++;
        if (i)
            spans[parents[order[i]]].count += spans[order[i]].count;
    }
    next[order[0]] = 1;
    for (unsigned i = 1; i < count; i++) {
        const unsigned node = order[i], parent = parents[node];

        spans[node].first = next[parent];
        next[parent] += spans[node].count;
        next[node] = spans[node].first + 1;
    }
    return spans;
}

static bool is_under(const struct tf_cfg_span *spans, unsigned top, unsigned node)
{
    return spans[node].first - spans[top].first < spans[top].count;
}

static void number_dominators(struct tf_cfg *cfg)
{
    unsigned *order = TF_ARENA_NEW(cfg->arena, unsigned, cfg->block_count);
    unsigned *parents = TF_ARENA_NEW(cfg->arena, unsigned, cfg->block_count);

    for (unsigned i = 0; i < cfg->block_count; i++) {
        order[i] = i;
        parents[i] = cfg->blocks[i].idom;
    }
    cfg->dominated = number_tree(cfg, order, parents, cfg->block_count);
}

static void find_dominators(struct tf_cfg *cfg)
{
    bool changed = true;

    for (unsigned i = 1; i < cfg->block_count; i++)
        cfg->blocks[i].idom = TF_CFG_NONE;
    while (changed) {
        changed = false;
        for (unsigned i = 1; i < cfg->block_count; i++) {
            struct tf_cfg_block *b = &cfg->blocks[i];
            unsigned idom = TF_CFG_NONE;

            for (unsigned k = 0; k < b->pred_count; k++) {
                const unsigned p = b->preds[k];

                if (p && cfg->blocks[p].idom == TF_CFG_NONE)
                    continue;
                idom = idom == TF_CFG_NONE ? p : common_dominator(cfg, idom, p);
            }
            changed |= idom != b->idom;
            b->idom = idom;
        }
    }
    number_dominators(cfg);
}

static void number_post_dominators(struct tf_cfg *cfg, const struct tf_graph_ends *e)
{
    const unsigned end = cfg->block_count;
    unsigned *order = TF_ARENA_NEW(cfg->arena, unsigned, end + 1);
    unsigned *parents = TF_ARENA_NEW(cfg->arena, unsigned, end + 1);

    order[0] = end;
    for (unsigned i = 0; i < end; i++) {
        order[end - e->post[i]] = i;
        parents[i] = cfg->blocks[i].ipdom;
    }
    cfg->post_dominated = number_tree(cfg, order, parents, end + 1);
}

static void find_post_dominators(struct tf_cfg *cfg, const struct tf_graph *graph)
{
    struct tf_graph_ends ends = {.closed = true};

    tf_graph_find_ends(graph, &ends);
    for (unsigned i = 0; i < cfg->block_count; i++)
        cfg->blocks[i].ipdom = ends.ipdom[i];
    number_post_dominators(cfg, &ends);
}

// ---- loops

static void fill_loop(const struct tf_cfg *cfg, struct tf_cfg_loop *loop, unsigned latch)
{
    unsigned *const stack = cfg->stack;
    unsigned depth = 0;

    if (!loop->has[latch]) {
        loop->has[latch] = true;
        stack[depth++] = latch;
    }
    while (depth) {
        const struct tf_cfg_block *b = &cfg->blocks[stack[--depth]];

        for (unsigned k = 0; k < b->pred_count; k++) {
            if (!loop->has[b->preds[k]]) {
                loop->has[b->preds[k]] = true;
                stack[depth++] = b->preds[k];
            }
        }
    }
}

static void nest_loops(struct tf_cfg *cfg)
{
    // Heads come in reverse postorder: the loops round one lie before it, innermost last.
    for (unsigned i = 0; i < cfg->loop_count; i++) {
        struct tf_cfg_loop *loop = &cfg->loops[i];

        loop->parent = TF_CFG_NONE;
        loop->depth = 1;
        for (unsigned j = 0; j < i; j++) {
            if (cfg->loops[j].has[loop->head]) {
                loop->parent = j;
                loop->depth = cfg->loops[j].depth + 1;
            }
        }
        for (unsigned b = 0; b < cfg->block_count; b++) {
            if (loop->has[b])
                cfg->blocks[b].loop = i;
        }
    }
}

static void find_loops(struct tf_cfg *cfg)
{
    cfg->loops = TF_ARENA_NEW(cfg->arena, struct tf_cfg_loop, cfg->block_count);
    for (unsigned head = 0; head < cfg->block_count; head++) {
        const struct tf_cfg_block *b = &cfg->blocks[head];
        struct tf_cfg_loop *loop = NULL;

        for (unsigned k = 0; k < b->pred_count; k++) {
            if (!tf_cfg_dominates(cfg, head, b->preds[k]))
                continue;
            if (!loop) {
                loop = &cfg->loops[cfg->loop_count++];
                loop->head = head;
                loop->has = TF_ARENA_NEW(cfg->arena, bool, cfg->block_count);
                loop->has[head] = true;
            }
            loop->latch_count++;
            fill_loop(cfg, loop, b->preds[k]);
        }
    }
    nest_loops(cfg);
}

// ---- order

struct ordering {
    unsigned *open; // edges into a block, back edges left out, from what is not placed
    bool *placed;
    unsigned *left;   // per loop: blocks not placed
    unsigned current; // loop
};

static void start_ordering(const struct tf_cfg *cfg, struct ordering *o)
{
    o->open = TF_ARENA_NEW(cfg->arena, unsigned, cfg->block_count);
    o->placed = TF_ARENA_NEW(cfg->arena, bool, cfg->block_count);
    o->left = TF_ARENA_NEW(cfg->arena, unsigned, cfg->loop_count);
    o->current = TF_CFG_NONE;
    for (unsigned i = 0; i < cfg->block_count; i++) {
        for (unsigned k = 0; k < cfg->blocks[i].pred_count; k++)
            o->open[i] += !tf_cfg_dominates(cfg, i, cfg->blocks[i].preds[k]);
        for (unsigned l = 0; l < cfg->loop_count; l++)
            o->left[l] += cfg->loops[l].has[i];
    }
}

static unsigned next_block(const struct tf_cfg *cfg, const struct ordering *o)
{
    for (unsigned i = 0; i < cfg->block_count; i++) {
        if (!o->placed[i] && o->open[i] == 0 &&
            (o->current == TF_CFG_NONE || cfg->loops[o->current].has[i]))
            return i;
    }
    return TF_CFG_NONE;
}

static void place(struct tf_cfg *cfg, struct ordering *o, unsigned block, unsigned at)
{
    struct tf_cfg_block *b = &cfg->blocks[block];

    cfg->order[at] = block;
    b->place = at;
    o->placed[block] = true;
    for (unsigned k = 0; k < b->succ_count; k++) {
        if (!tf_cfg_dominates(cfg, b->succs[k], block))
            o->open[b->succs[k]]--;
    }
    o->current = b->loop;
    for (unsigned l = b->loop; l != TF_CFG_NONE; l = cfg->loops[l].parent) {
        o->left[l]--;
        if (o->left[l] == 0) {
            cfg->loops[l].last = block;
            o->current = cfg->loops[l].parent;
        }
    }
}

static bool order_blocks(struct tf_cfg *cfg)
{
    struct ordering o;

    cfg->order = TF_ARENA_NEW(cfg->arena, unsigned, cfg->block_count);
    start_ordering(cfg, &o);
    for (unsigned at = 0; at < cfg->block_count; at++) {
        const unsigned block = next_block(cfg, &o);

        // Within a loop every block comes after its head: only an entry past the head, or
        // a cycle that has none, leaves nothing to place.
        if (block == TF_CFG_NONE)
            return false;
        place(cfg, &o, block, at);
    }
    return true;
}

bool tf_cfg_init(struct tf_cfg *cfg, struct tf_arena *arena, LLVMValueRef fn)
{
    struct tf_graph graph;

    memset(cfg, 0, sizeof(*cfg));
    cfg->arena = arena;
    tf_graph_init(&graph, arena, fn, true);
    number_blocks(cfg, &graph);
    find_dominators(cfg);
    find_post_dominators(cfg, &graph);
    find_loops(cfg);
    return order_blocks(cfg);
}

// ---- queries

unsigned tf_cfg_number(const struct tf_cfg *cfg, LLVMBasicBlockRef block)
{
    return tf_map_get(&cfg->number, block);
}

bool tf_cfg_dominates(const struct tf_cfg *cfg, unsigned a, unsigned b)
{
    return is_under(cfg->dominated, a, b);
}

bool tf_cfg_post_dominates(const struct tf_cfg *cfg, unsigned a, unsigned b)
{
    return is_under(cfg->post_dominated, a, b);
}

unsigned tf_cfg_common_dominator(const struct tf_cfg *cfg, unsigned a, unsigned b)
{
    while (!tf_cfg_dominates(cfg, a, b))
        a = cfg->blocks[a].idom;
    return a;
}

unsigned tf_cfg_common_post_dominator(const struct tf_cfg *cfg, unsigned a, unsigned b)
{
    while (a != cfg->block_count && !tf_cfg_post_dominates(cfg, a, b))
        a = cfg->blocks[a].ipdom;
    return a;
}

bool tf_cfg_is_head(const struct tf_cfg *cfg, unsigned block)
{
    const unsigned loop = cfg->blocks[block].loop;

    return loop != TF_CFG_NONE && cfg->loops[loop].head == block;
}

bool tf_cfg_in_loop(const struct tf_cfg *cfg, unsigned loop, unsigned block)
{
    return loop != TF_CFG_NONE && block < cfg->block_count && cfg->loops[loop].has[block];
}

bool tf_cfg_makes(const struct tf_cfg *cfg, unsigned loop, LLVMValueRef value)
{
    return LLVMIsAInstruction(value) &&
           tf_cfg_in_loop(cfg, loop, tf_cfg_number(cfg, LLVMGetInstructionParent(value)));
}

void tf_cfg_reach(const struct tf_cfg *cfg, unsigned from, unsigned stop, bool *reached)
{
    unsigned *const stack = cfg->stack;
    unsigned depth = 1;

    memset(reached, 0, cfg->block_count * sizeof(*reached));
    stack[0] = from;
    while (depth) {
        const struct tf_cfg_block *b = &cfg->blocks[stack[--depth]];

        for (unsigned k = 0; k < b->succ_count; k++) {
            const unsigned s = b->succs[k];

            if (s != stop && !reached[s]) {
                reached[s] = true;
                stack[depth++] = s;
            }
        }
    }
}

LLVMValueRef tf_cfg_condition(const struct tf_cfg *cfg, unsigned block)
{
    const LLVMValueRef end = LLVMGetBasicBlockTerminator(cfg->blocks[block].block);

    if (LLVMGetInstructionOpcode(end) != LLVMBr || !LLVMIsConditional(end))
        return NULL;
    return LLVMGetCondition(end);
}
