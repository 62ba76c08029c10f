// SPDX-License-Identifier: MIT
// Dominators by the iteration of Cooper, Harvey and Kennedy, "A simple, fast dominance
// algorithm" (2001): functions are small, and it needs nothing but the order of blocks.
#include "compiler/workgroup/analysis/cfg.h"

#include <string.h>

#include <llvm-c/Core.h>

// ---- blocks

struct visit {
    LLVMBasicBlockRef block;
    unsigned next; // successor
};

// Appends the blocks that can be reached to `out`, each after all that it leads to.
static unsigned postorder(struct tf_cfg *cfg, LLVMValueRef fn, LLVMBasicBlockRef *out)
{
    const unsigned count = LLVMCountBasicBlocks(fn);
    struct visit *stack = TF_ARENA_NEW(cfg->arena, struct visit, count);
    struct tf_map seen = {.arena = cfg->arena};
    unsigned depth = 1, done = 0;

    stack[0].block = LLVMGetEntryBasicBlock(fn);
    tf_map_put(&seen, stack[0].block, 0);
    while (depth) {
        struct visit *top = &stack[depth - 1];
        const LLVMValueRef end = LLVMGetBasicBlockTerminator(top->block);
        const unsigned succs = LLVMGetNumSuccessors(end);
        LLVMBasicBlockRef next;

        if (top->next == succs) {
            out[done++] = top->block;
            depth--;
            continue;
        }
        next = LLVMGetSuccessor(end, succs - 1 - top->next++);
        if (tf_map_get(&seen, next) == TF_MAP_NONE) {
            tf_map_put(&seen, next, 0);
            stack[depth++] = (struct visit){.block = next};
        }
    }
    return done;
}

static void number_blocks(struct tf_cfg *cfg, LLVMValueRef fn)
{
    LLVMBasicBlockRef *post =
        TF_ARENA_NEW(cfg->arena, LLVMBasicBlockRef, LLVMCountBasicBlocks(fn));
    const unsigned count = postorder(cfg, fn, post);

    cfg->block_count = count;
    cfg->blocks = TF_ARENA_NEW(cfg->arena, struct tf_cfg_block, count);
    cfg->stack = TF_ARENA_NEW(cfg->arena, unsigned, count + 1);
    cfg->number.arena = cfg->arena;
    for (unsigned i = 0; i < count; i++) {
        cfg->blocks[i].block = post[count - 1 - i];
        cfg->blocks[i].loop = TF_CFG_NONE;
        tf_map_put(&cfg->number, cfg->blocks[i].block, i);
    }
}

static void link_blocks(struct tf_cfg *cfg)
{
    for (unsigned i = 0; i < cfg->block_count; i++) {
        struct tf_cfg_block *b = &cfg->blocks[i];
        const LLVMValueRef end = LLVMGetBasicBlockTerminator(b->block);

        b->succ_count = LLVMGetNumSuccessors(end);
        b->succs = TF_ARENA_NEW(cfg->arena, unsigned, b->succ_count);
        for (unsigned k = 0; k < b->succ_count; k++) {
            b->succs[k] = tf_cfg_number(cfg, LLVMGetSuccessor(end, k));
            cfg->blocks[b->succs[k]].pred_count++;
        }
    }
    for (unsigned i = 0; i < cfg->block_count; i++) {
        cfg->blocks[i].preds =
            TF_ARENA_NEW(cfg->arena, unsigned, cfg->blocks[i].pred_count);
        cfg->blocks[i].pred_count = 0;
    }
    for (unsigned i = 0; i < cfg->block_count; i++) {
        for (unsigned k = 0; k < cfg->blocks[i].succ_count; k++) {
            struct tf_cfg_block *to = &cfg->blocks[cfg->blocks[i].succs[k]];

            to->preds[to->pred_count++] = i;
        }
    }
}

// ---- dominators

// While the tree grows.
static unsigned join(const struct tf_cfg *cfg, unsigned a, unsigned b)
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
                idom = idom == TF_CFG_NONE ? p : join(cfg, idom, p);
            }
            changed |= idom != b->idom;
            b->idom = idom;
        }
    }
    number_dominators(cfg);
}

// Numbers of the reverse graph, from the end of the function (the highest number). A loop
// that is never left would have none: one of its blocks counts as an end, too.
struct reverse {
    unsigned *post; // per block, and the end
    bool *ends;     // leads to the end of the function
};

static unsigned reverse_from(const struct tf_cfg *cfg, unsigned start, unsigned number,
                             bool *seen, struct reverse *r)
{
    unsigned *stack = TF_ARENA_NEW(cfg->arena, unsigned, cfg->block_count);
    unsigned *next = TF_ARENA_NEW(cfg->arena, unsigned, cfg->block_count);
    unsigned depth = 1;

    stack[0] = start;
    seen[start] = true;
    while (depth) {
        const unsigned at = stack[depth - 1];
        const struct tf_cfg_block *b = &cfg->blocks[at];

        if (next[at] == b->pred_count) {
            r->post[at] = number++;
            depth--;
            continue;
        }
        if (!seen[b->preds[next[at]++]]) {
            stack[depth++] = b->preds[next[at] - 1];
            seen[stack[depth - 1]] = true;
        }
    }
    return number;
}

static void number_reverse(const struct tf_cfg *cfg, struct reverse *r)
{
    bool *seen = TF_ARENA_NEW(cfg->arena, bool, cfg->block_count);
    unsigned number = 0;

    r->post = TF_ARENA_NEW(cfg->arena, unsigned, cfg->block_count + 1);
    r->ends = TF_ARENA_NEW(cfg->arena, bool, cfg->block_count);
    for (unsigned i = 0; i < cfg->block_count; i++) {
        if (cfg->blocks[i].succ_count == 0) {
            r->ends[i] = true;
            number = reverse_from(cfg, i, number, seen, r);
        }
    }
    for (unsigned i = cfg->block_count; i-- > 0;) {
        if (!seen[i]) { // the last block of an endless loop
            r->ends[i] = true;
            number = reverse_from(cfg, i, number, seen, r);
        }
    }
    r->post[cfg->block_count] = number;
}

static unsigned join_reverse(const struct tf_cfg *cfg, const struct reverse *r,
                             unsigned a, unsigned b)
{
    while (a != b) {
        while (r->post[a] < r->post[b])
            a = cfg->blocks[a].ipdom;
        while (r->post[b] < r->post[a])
            b = cfg->blocks[b].ipdom;
    }
    return a;
}

static unsigned post_dominator_of(const struct tf_cfg *cfg, const struct reverse *r,
                                  unsigned block)
{
    const struct tf_cfg_block *b = &cfg->blocks[block];
    unsigned ipdom = r->ends[block] ? cfg->block_count : TF_CFG_NONE;

    for (unsigned k = 0; k < b->succ_count; k++) {
        const unsigned s = b->succs[k];

        if (cfg->blocks[s].ipdom == TF_CFG_NONE)
            continue;
        ipdom = ipdom == TF_CFG_NONE ? s : join_reverse(cfg, r, ipdom, s);
    }
    return ipdom;
}

static void number_post_dominators(struct tf_cfg *cfg, const struct reverse *r)
{
    const unsigned end = cfg->block_count;
    unsigned *order = TF_ARENA_NEW(cfg->arena, unsigned, end + 1);
    unsigned *parents = TF_ARENA_NEW(cfg->arena, unsigned, end + 1);

    order[0] = end;
    for (unsigned i = 0; i < end; i++) {
        order[end - r->post[i]] = i;
        parents[i] = cfg->blocks[i].ipdom;
    }
    cfg->post_dominated = number_tree(cfg, order, parents, end + 1);
}

static void find_post_dominators(struct tf_cfg *cfg)
{
    struct reverse r;
    bool changed = true;

    number_reverse(cfg, &r);
    for (unsigned i = 0; i < cfg->block_count; i++)
        cfg->blocks[i].ipdom = TF_CFG_NONE;
    while (changed) {
        changed = false;
        for (unsigned i = cfg->block_count; i-- > 0;) {
            const unsigned ipdom = post_dominator_of(cfg, &r, i);

            if (ipdom == TF_CFG_NONE)
                continue;
            changed |= ipdom != cfg->blocks[i].ipdom;
            cfg->blocks[i].ipdom = ipdom;
        }
    }
    number_post_dominators(cfg, &r);
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
    memset(cfg, 0, sizeof(*cfg));
    cfg->arena = arena;
    number_blocks(cfg, fn);
    link_blocks(cfg);
    find_dominators(cfg);
    find_post_dominators(cfg);
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
