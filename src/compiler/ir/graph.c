// SPDX-License-Identifier: MIT
// Dominators by the iteration of Cooper, Harvey and Kennedy, "A simple, fast dominance
// algorithm" (2001); post-dominators by the same on the reverse graph.
#include "compiler/ir/graph.h"

#include <string.h>

#include <llvm-c/Core.h>

struct visit {
    LLVMBasicBlockRef block;
    unsigned next; // successor
};

// Appends the blocks that can be reached to `out`, each after all that it leads to.
static unsigned postorder(struct tf_graph *g, LLVMValueRef fn, bool first_first,
                          LLVMBasicBlockRef *out)
{
    const unsigned count = LLVMCountBasicBlocks(fn);
    struct visit *stack = TF_ARENA_NEW(g->arena, struct visit, count);
    struct tf_map seen = {.arena = g->arena};
    unsigned depth = 1, done = 0;

    stack[0].block = LLVMGetEntryBasicBlock(fn);
    tf_map_put(&seen, stack[0].block, 0);
    while (depth) {
        struct visit *top = &stack[depth - 1];
        const LLVMValueRef end = LLVMGetBasicBlockTerminator(top->block);
        const unsigned succs = LLVMGetNumSuccessors(end), k = top->next++;
        LLVMBasicBlockRef next;

        if (k == succs) {
            out[done++] = top->block;
            depth--;
            continue;
        }
        next = LLVMGetSuccessor(end, first_first ? succs - 1 - k : k);
        if (tf_map_get(&seen, next) == TF_MAP_NONE) {
            tf_map_put(&seen, next, 0);
            stack[depth++] = (struct visit){.block = next};
        }
    }
    return done;
}

static void link_nodes(struct tf_graph *g)
{
    for (unsigned i = 0; i < g->count; i++) {
        struct tf_graph_node *n = &g->nodes[i];
        const LLVMValueRef end = LLVMGetBasicBlockTerminator(n->block);

        n->succ_count = LLVMGetNumSuccessors(end);
        n->succs = TF_ARENA_NEW(g->arena, unsigned, n->succ_count);
        for (unsigned k = 0; k < n->succ_count; k++) {
            n->succs[k] = tf_graph_number(g, LLVMGetSuccessor(end, k));
            g->nodes[n->succs[k]].pred_count++;
        }
    }
    for (unsigned i = 0; i < g->count; i++) {
        g->nodes[i].preds = TF_ARENA_NEW(g->arena, unsigned, g->nodes[i].pred_count);
        g->nodes[i].pred_count = 0;
    }
    for (unsigned i = 0; i < g->count; i++) {
        for (unsigned k = 0; k < g->nodes[i].succ_count; k++) {
            struct tf_graph_node *to = &g->nodes[g->nodes[i].succs[k]];

            to->preds[to->pred_count++] = i;
        }
    }
}

void tf_graph_init(struct tf_graph *g, struct tf_arena *arena, LLVMValueRef fn,
                   bool first_first)
{
    LLVMBasicBlockRef *post =
        TF_ARENA_NEW(arena, LLVMBasicBlockRef, LLVMCountBasicBlocks(fn));

    memset(g, 0, sizeof(*g));
    g->arena = g->number.arena = arena;
    g->count = postorder(g, fn, first_first, post);
    g->nodes = TF_ARENA_NEW(arena, struct tf_graph_node, g->count);
    for (unsigned i = 0; i < g->count; i++) {
        g->nodes[i].block = post[g->count - 1 - i];
        tf_map_put(&g->number, g->nodes[i].block, i);
    }
    link_nodes(g);
}

unsigned tf_graph_number(const struct tf_graph *g, LLVMBasicBlockRef block)
{
    return tf_map_get(&g->number, block);
}

// ---- dominators

unsigned tf_graph_common_dominator(const unsigned *idom, unsigned a, unsigned b)
{
    while (a != b) {
        while (a > b)
            a = idom[a];
        while (b > a)
            b = idom[b];
    }
    return a;
}

unsigned *tf_graph_find_dominators(const struct tf_graph *g)
{
    unsigned *idom = TF_ARENA_NEW(g->arena, unsigned, g->count);
    bool changed = true;

    for (unsigned i = 1; i < g->count; i++)
        idom[i] = TF_GRAPH_NONE;
    while (changed) {
        changed = false;
        for (unsigned i = 1; i < g->count; i++) {
            const struct tf_graph_node *n = &g->nodes[i];
            unsigned d = TF_GRAPH_NONE;

            for (unsigned k = 0; k < n->pred_count; k++) {
                const unsigned p = n->preds[k];

                if (idom[p] == TF_GRAPH_NONE)
                    continue;
                d = d == TF_GRAPH_NONE ? p : tf_graph_common_dominator(idom, d, p);
            }
            changed |= d != idom[i];
            idom[i] = d;
        }
    }
    return idom;
}

// ---- post-dominators

struct reverse {
    const struct tf_graph *g;
    struct tf_graph_ends *ends;
    bool *is_end, *seen;
    unsigned *stack, *next; // of a walk
    unsigned number;
};

static bool is_in(const struct reverse *r, unsigned node)
{
    return !r->ends->in || r->ends->in[node];
}

// Whether no way leads on from the node.
static bool is_last(const struct reverse *r, unsigned node)
{
    const struct tf_graph_node *n = &r->g->nodes[node];

    for (unsigned k = 0; k < n->succ_count; k++) {
        if (is_in(r, n->succs[k]))
            return false;
    }
    return true;
}

static void number_from(struct reverse *r, unsigned start)
{
    unsigned depth = 1;

    r->is_end[start] = r->seen[start] = true;
    r->stack[0] = start;
    while (depth) {
        const unsigned at = r->stack[depth - 1];
        const struct tf_graph_node *n = &r->g->nodes[at];
        unsigned pred;

        if (r->next[at] == n->pred_count) {
            r->ends->post[at] = r->number++;
            depth--;
            continue;
        }
        pred = n->preds[r->next[at]++];
        if (is_in(r, pred) && !r->seen[pred]) {
            r->seen[pred] = true;
            r->stack[depth++] = pred;
        }
    }
}

static void number_backwards(struct reverse *r)
{
    const unsigned count = r->g->count;

    for (unsigned i = 0; i < count; i++)
        r->ends->post[i] = TF_GRAPH_NONE;
    for (unsigned i = 0; i < count; i++) {
        if (is_in(r, i) && !r->seen[i] && is_last(r, i))
            number_from(r, i);
    }
    for (unsigned i = count; r->ends->closed && i-- > 0;) {
        if (is_in(r, i) && !r->seen[i]) // the last block of an endless loop
            number_from(r, i);
    }
    r->ends->post[count] = r->number;
}

static unsigned common_post_dominator(const struct tf_graph_ends *e, unsigned a,
                                      unsigned b)
{
    while (a != b) {
        while (e->post[a] < e->post[b])
            a = e->ipdom[a];
        while (e->post[b] < e->post[a])
            b = e->ipdom[b];
    }
    return a;
}

static unsigned post_dominator_of(const struct reverse *r, unsigned node)
{
    const struct tf_graph_node *n = &r->g->nodes[node];
    unsigned ipdom = r->is_end[node] ? r->g->count : TF_GRAPH_NONE;

    for (unsigned k = 0; k < n->succ_count; k++) {
        const unsigned to = n->succs[k];

        if (!is_in(r, to) || r->ends->ipdom[to] == TF_GRAPH_NONE)
            continue;
        ipdom = ipdom == TF_GRAPH_NONE ? to : common_post_dominator(r->ends, ipdom, to);
    }
    return ipdom;
}

void tf_graph_find_ends(const struct tf_graph *g, struct tf_graph_ends *ends)
{
    struct reverse r = {.g = g,
                        .ends = ends,
                        .is_end = TF_ARENA_NEW(g->arena, bool, g->count),
                        .seen = TF_ARENA_NEW(g->arena, bool, g->count),
                        .stack = TF_ARENA_NEW(g->arena, unsigned, g->count),
                        .next = TF_ARENA_NEW(g->arena, unsigned, g->count)};
    bool changed = true;

    ends->post = TF_ARENA_NEW(g->arena, unsigned, g->count + 1);
    ends->ipdom = TF_ARENA_NEW(g->arena, unsigned, g->count);
    number_backwards(&r);
    for (unsigned i = 0; i < g->count; i++)
        ends->ipdom[i] = TF_GRAPH_NONE;
    while (changed) {
        changed = false;
        for (unsigned i = g->count; i-- > 0;) {
            unsigned ipdom;

            if (ends->post[i] == TF_GRAPH_NONE)
                continue;
            ipdom = post_dominator_of(&r, i);
            if (ipdom == TF_GRAPH_NONE)
                continue;
            changed |= ipdom != ends->ipdom[i];
            ends->ipdom[i] = ipdom;
        }
    }
}
