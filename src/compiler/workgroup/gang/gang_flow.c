// SPDX-License-Identifier: MIT
// Control: blocks that all lanes execute or none keep their branches; the blocks of a
// region are laid out one after the other, each under its mask.
//
// A block of a divergent region takes the lanes that its predecessors left in its mask
// slot, clears the slot, and keeps the mask in its saved slot. An edge gives the phis
// their values and adds its lanes to the mask of its target. A loop of the region runs
// again while its head's slot has lanes; a uniform loop keeps its branch back.
#include "compiler/workgroup/gang/gang_steps.h"

#include "compiler/ir/ir_util.h"

enum {
    SELDOM_OF = 2000, // as LLVM has it of __builtin_expect
    ASIDE_OF = 32,    // of what some lane of a gang may ask for
};

static bool is_twin(const struct gang *g, unsigned block)
{
    return g->twin && block < g->cfg->block_count &&
           g->shapes->region_of[block] == (unsigned)(g->twin - g->shapes->regions);
}

// While the copy of a region is made, it is none.
static unsigned region_of(const struct gang *g, unsigned block)
{
    return block < g->cfg->block_count && !is_twin(g, block) ? g->shapes->region_of[block]
                                                             : TF_CFG_NONE;
}

static bool in_region(const struct gang *g, unsigned block)
{
    return region_of(g, block) != TF_CFG_NONE;
}

static LLVMBasicBlockRef add_block(struct gang *g, const char *name)
{
    return LLVMAppendBasicBlockInContext(g->wg->context, g->to, name);
}

// ---- masks

static void add_mask_slots(struct gang *g, unsigned block)
{
    struct gang_block *b = &g->blocks[block];
    const bool keep = g->shapes->regions[region_of(g, block)].has_barrier;

    b->mask = gang_slot(g, g->mask_type, keep ? "mask.kept" : "mask");
    b->saved = gang_slot(g, g->mask_type, keep ? "mask.kept" : "mask");
    LLVMPositionBuilderBefore(g->b, g->entry_end);
    LLVMBuildStore(g->b, LLVMConstNull(g->mask_type), b->mask);
    LLVMBuildStore(g->b, LLVMConstNull(g->mask_type), b->saved);
}

void gang_start_blocks(struct gang *g)
{
    for (unsigned i = 0; i < g->cfg->block_count; i++)
        g->blocks[i].start = add_block(g, "block");
    for (unsigned i = 0; i < g->cfg->block_count; i++) {
        if (in_region(g, i))
            add_mask_slots(g, i);
        if (g->plan->blocks[i].twin)
            g->blocks[i].twin = add_block(g, "twin");
    }
}

// ---- edges

// What an edge gives the phis of its target, made before any phi changes.
struct edge {
    unsigned from, to;
    LLVMValueRef lanes; // NULL: all
    // Those whose inputs may be replaced: of an edge out of a loop all that are in it,
    // which are known before the condition is. Lanes that stay come by such an edge
    // later.
    LLVMValueRef writes;
    const struct tf_value **phis;
    LLVMValueRef *inputs, *exact; // the same in 64 bits, or NULL
    unsigned count;
};

static LLVMValueRef incoming(const struct gang *g, LLVMValueRef phi, unsigned from)
{
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        if (tf_cfg_number(g->cfg, LLVMGetIncomingBlock(phi, i)) == from)
            return LLVMGetIncomingValue(phi, i);
    }
    return NULL;
}

static struct edge make_edge(struct gang *g, unsigned from, unsigned to,
                             LLVMValueRef lanes)
{
    struct edge e = {.from = from, .to = to, .lanes = lanes, .writes = lanes};
    const LLVMValueRef first = LLVMGetFirstInstruction(g->cfg->blocks[to].block);
    unsigned count = 0;

    for (LLVMValueRef i = first; i && LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i))
        count++;
    e.phis = TF_ARENA_NEW(&g->arena, const struct tf_value *, count);
    e.inputs = TF_ARENA_NEW(&g->arena, LLVMValueRef, count);
    e.exact = TF_ARENA_NEW(&g->arena, LLVMValueRef, count);
    for (LLVMValueRef i = first; i && LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i)) {
        const struct tf_value *v = tf_shape_value(g->shapes, i);
        const LLVMValueRef value = incoming(g, i, from);

        e.phis[e.count] = v;
        if (gang_exact_input(g, v))
            e.exact[e.count] = gang_exact(g, value);
        e.inputs[e.count++] = v->shape.kind == TF_SHAPE_VARYING ? gang_vector(g, value)
                                                                : gang_scalar(g, value);
    }
    return e;
}

// Whether what was there before may be lost: no lane of an earlier edge needs it.
static bool may_overwrite(const struct gang *g, const struct edge *e)
{
    const struct tf_cfg_block *to = &g->cfg->blocks[e->to];

    if (!e->lanes)
        return true;
    // The head of a loop: all lanes that go on in it come by this edge.
    if (tf_cfg_is_head(g->cfg, e->to) && to->pred_count == 2)
        return true;
    // The first edge of several; an edge out of a loop may be taken more than once.
    if (g->cfg->blocks[e->from].loop != to->loop || tf_cfg_is_head(g->cfg, e->to))
        return false;
    for (unsigned k = 0; k < to->pred_count; k++) {
        if (g->cfg->blocks[to->preds[k]].place < g->cfg->blocks[e->from].place)
            return false;
    }
    // Both sides of one branch: the second comes after the first.
    return g->cfg->blocks[e->from].succ_count < 2 ||
           g->cfg->blocks[e->from].succs[0] != g->cfg->blocks[e->from].succs[1];
}

// `any`: whether the edge brings lanes; NULL: what was there before may be lost.
static void store_scalar(struct gang *g, LLVMValueRef value, LLVMValueRef slot,
                         LLVMValueRef any)
{
    if (any)
        value = LLVMBuildSelect(g->b, any, value,
                                LLVMBuildLoad2(g->b, LLVMTypeOf(value), slot, ""), "");
    LLVMBuildStore(g->b, value, slot);
}

static void store_inputs(struct gang *g, const struct edge *e)
{
    const bool overwrite = may_overwrite(g, e);
    LLVMValueRef any = NULL;

    for (unsigned i = 0; i < e->count; i++) {
        const struct tf_value *v = e->phis[i];
        const LLVMValueRef slot = gang_input(g, v);
        LLVMValueRef value = e->inputs[i], old;

        if (v->shape.kind != TF_SHAPE_VARYING) {
            any = any || overwrite ? any : gang_any(g, e->lanes);
            store_scalar(g, value, slot, any);
            if (e->exact[i])
                store_scalar(g, e->exact[i], gang_exact_input(g, v), any);
            continue;
        }
        if (!overwrite) {
            old = LLVMBuildLoad2(g->b, LLVMTypeOf(value), slot, "");
            value = gang_blend(g, e->writes, value, old, LLVMTypeOf(v->instruction));
        }
        LLVMBuildStore(g->b, value, slot);
    }
}

static void add_lanes(struct gang *g, unsigned from, unsigned to, LLVMValueRef lanes)
{
    const struct gang_block *b = &g->blocks[to];
    LLVMValueRef old;

    if (g->plan->blocks[to].like != TF_CFG_NONE)
        return;
    lanes = lanes ? lanes : gang_all_lanes(g);
    // An edge out of a loop brings lanes more than once.
    if (g->cfg->blocks[to].pred_count > 1 ||
        g->cfg->blocks[from].loop != g->cfg->blocks[to].loop) {
        old = LLVMBuildLoad2(g->b, g->mask_type, b->mask, "");
        lanes = LLVMBuildOr(g->b, old, lanes, "");
    }
    LLVMBuildStore(g->b, lanes, b->mask);
}

// ---- from block to block

static LLVMBasicBlockRef start_of(struct gang *g, unsigned block)
{
    if (is_twin(g, block))
        return g->blocks[block].twin;
    return block < g->cfg->block_count ? g->blocks[block].start : g->end;
}

static LLVMBasicBlockRef next_in_region(struct gang *g, unsigned block)
{
    const unsigned region = region_of(g, block);

    for (unsigned at = g->cfg->blocks[block].place + 1; at < g->cfg->block_count; at++) {
        if (region_of(g, g->cfg->order[at]) == region)
            return g->blocks[g->cfg->order[at]].start;
    }
    return start_of(g, g->shapes->regions[region].exit);
}

static LLVMBasicBlockRef first_of_region(struct gang *g, unsigned region)
{
    for (unsigned at = 0; at < g->cfg->block_count; at++) {
        if (region_of(g, g->cfg->order[at]) == region)
            return g->blocks[g->cfg->order[at]].start;
    }
    return g->end;
}

// Control leaves `block`, the last of its loops from `loop` outwards: each runs again if
// its head has lanes.
static void fall_through(struct gang *g, unsigned block, unsigned loop)
{
    for (; loop != TF_CFG_NONE; loop = g->cfg->loops[loop].parent) {
        const unsigned head = g->cfg->loops[loop].head;
        LLVMBasicBlockRef left;
        LLVMValueRef mask;

        if (g->cfg->loops[loop].last != block || !in_region(g, head))
            break;
        left = add_block(g, "left");
        mask = LLVMBuildLoad2(g->b, g->mask_type, g->blocks[head].mask, "");
        LLVMBuildCondBr(g->b, gang_any(g, mask), g->blocks[head].start, left);
        LLVMPositionBuilderAtEnd(g->b, left);
    }
    LLVMBuildBr(g->b, next_in_region(g, block));
}

// The last of the blocks that follow `block` without a gap and have no lanes where it has
// none: those that it dominates. In its loop, where blocks outside may have lanes of
// rounds before. Gangs come to every barrier.
static unsigned last_without_lanes(struct gang *g, unsigned block, unsigned last,
                                   unsigned loop)
{
    const unsigned region = region_of(g, block);

    if (g->shapes->regions[region].has_barrier)
        return last;
    for (unsigned at = g->cfg->blocks[last].place + 1; at < g->cfg->block_count; at++) {
        const unsigned next = g->cfg->order[at];

        if (region_of(g, next) != region)
            continue;
        if (!tf_cfg_dominates(g->cfg, block, next) ||
            (loop != TF_CFG_NONE && !tf_cfg_in_loop(g->cfg, loop, next)))
            break;
        last = next;
    }
    return last;
}

// Passes over a block without lanes, and what has none, then, either; over its whole loop
// if it is the head of one.
static void skip(struct gang *g, unsigned block)
{
    const unsigned own = g->cfg->blocks[block].loop;
    const bool head = tf_cfg_is_head(g->cfg, block);
    const unsigned loop = head ? g->cfg->loops[own].parent : own;
    const unsigned first = head ? g->cfg->loops[own].last : block;
    const unsigned last = last_without_lanes(g, block, first, loop);
    const LLVMValueRef none = LLVMConstNull(g->mask_type);

    // Others may have the lanes of one that is not come to.
    for (unsigned at = g->cfg->blocks[first].place + 1; at <= g->cfg->blocks[last].place;
         at++) {
        if (region_of(g, g->cfg->order[at]) == region_of(g, block))
            LLVMBuildStore(g->b, none, g->blocks[g->cfg->order[at]].saved);
    }
    fall_through(g, last, loop);
}

static LLVMValueRef saved_mask(struct gang *g, unsigned block)
{
    const unsigned like = g->plan->blocks[block].like;

    return LLVMBuildLoad2(g->b, g->mask_type,
                          g->blocks[like == TF_CFG_NONE ? block : like].saved, "");
}

static LLVMValueRef take_mask(struct gang *g, unsigned block)
{
    const struct gang_block *b = &g->blocks[block];
    LLVMValueRef mask;

    if (g->plan->blocks[block].like != TF_CFG_NONE)
        return saved_mask(g, block);
    mask = LLVMBuildLoad2(g->b, g->mask_type, b->mask, "");
    LLVMBuildStore(g->b, LLVMConstNull(g->mask_type), b->mask);
    LLVMBuildStore(g->b, mask, b->saved);
    return mask;
}

// What hardly any lane enters, or few do, is nothing to keep registers for, nor to lay in
// the way.
static void mark_unlikely(struct gang *g, unsigned block, LLVMValueRef branch)
{
    if (g->plan->of.facts->seldom[block])
        tf_ir_weigh(branch, 1, SELDOM_OF);
    else if (tf_facts_lies_aside(g->plan->of.facts, block))
        tf_ir_weigh(branch, 1, ASIDE_OF);
}

static void enter_masked(struct gang *g, unsigned block)
{
    struct gang_block *b = &g->blocks[block];
    const LLVMValueRef mask = take_mask(g, block);

    b->body = b->start;
    if (g->plan->blocks[block].guarded) {
        const LLVMBasicBlockRef over = add_block(g, "skip");

        b->body = add_block(g, "body");
        mark_unlikely(g, block, LLVMBuildCondBr(g->b, gang_any(g, mask), b->body, over));
        LLVMPositionBuilderAtEnd(g->b, over);
        skip(g, block);
        LLVMPositionBuilderAtEnd(g->b, b->body);
    }
    // Again from the slot: a barrier, or the branch back of a uniform loop, comes here
    // without what was loaded above.
    g->mask = saved_mask(g, block);
}

// ---- ends of blocks

// Into a region from outside: if all lanes go, to its copy that has no masks.
static void leave_for_twin(struct gang *g, const struct edge *e)
{
    const LLVMBasicBlockRef all = add_block(g, "all"), some = add_block(g, "some");
    LLVMValueRef lanes = e->lanes;
    struct edge whole = *e;

    whole.lanes = NULL;
    LLVMBuildCondBr(
        g->b, gang_intrinsic(g, "llvm.vector.reduce.and", &g->mask_type, 1, &lanes, 1),
        all, some);
    LLVMPositionBuilderAtEnd(g->b, all);
    store_inputs(g, &whole);
    LLVMBuildBr(g->b, g->blocks[e->to].twin);
    LLVMPositionBuilderAtEnd(g->b, some);
}

// Whether nobody in the loops that an edge leaves reads what it gives the phis of its
// target.
static bool leaves_for_good(const struct gang *g, unsigned from, unsigned to)
{
    const unsigned loop = g->cfg->blocks[from].loop;

    return loop != TF_CFG_NONE && to < g->cfg->block_count &&
           !tf_cfg_in_loop(g->cfg, loop, to) && !tf_cfg_is_head(g->cfg, to);
}

static void leave_masked(struct gang *g, unsigned block)
{
    const struct tf_cfg_block *b = &g->cfg->blocks[block];
    const LLVMValueRef condition = tf_cfg_condition(g->cfg, block);
    LLVMValueRef lanes[2] = {g->mask, NULL};
    unsigned region = region_of(g, block);
    struct edge edges[2];

    if (condition) {
        const LLVMValueRef taken = gang_vector(g, condition);
        const LLVMValueRef none = LLVMConstNull(g->mask_type);
        const LLVMValueRef other = LLVMBuildNot(g->b, taken, "");

        lanes[0] = g->mask ? LLVMBuildSelect(g->b, g->mask, taken, none, "") : taken;
        lanes[1] = g->mask ? LLVMBuildSelect(g->b, g->mask, other, none, "") : other;
    }
    for (unsigned k = 0; k < b->succ_count; k++) {
        if (region == TF_CFG_NONE)
            region = region_of(g, b->succs[k]);
        edges[k] = make_edge(g, block, b->succs[k], lanes[k]);
        if (g->mask && lanes[k] && leaves_for_good(g, block, b->succs[k]))
            edges[k].writes = g->mask;
    }
    for (unsigned k = 0; !in_region(g, block) && k < b->succ_count; k++) {
        if (edges[k].lanes && b->succs[k] < g->cfg->block_count &&
            g->blocks[b->succs[k]].twin)
            leave_for_twin(g, &edges[k]);
    }
    for (unsigned k = 0; k < b->succ_count; k++) {
        store_inputs(g, &edges[k]);
        if (region_of(g, b->succs[k]) == region && region != TF_CFG_NONE)
            add_lanes(g, block, b->succs[k], lanes[k]);
    }
    if (in_region(g, block))
        fall_through(g, block, b->loop);
    else
        LLVMBuildBr(g->b, region == TF_CFG_NONE ? g->blocks[b->succs[0]].start
                                                : first_of_region(g, region));
}

static void leave_uniform_loop(struct gang *g, unsigned block)
{
    const struct tf_cfg_block *b = &g->cfg->blocks[block];
    const unsigned loop = b->loop, head = g->cfg->loops[loop].head;
    const unsigned back = b->succs[0] == head ? 0 : 1;
    const LLVMValueRef condition = gang_scalar(g, tf_cfg_condition(g->cfg, block));
    const LLVMBasicBlockRef again = add_block(g, "again"), left = add_block(g, "left");
    const struct edge round = make_edge(g, block, head, NULL);
    const struct edge out = make_edge(g, block, b->succs[1 - back], g->mask);

    LLVMBuildCondBr(g->b, condition, back == 0 ? again : left, back == 0 ? left : again);
    LLVMPositionBuilderAtEnd(g->b, again);
    store_inputs(g, &round);
    LLVMBuildBr(g->b, g->blocks[head].body);
    LLVMPositionBuilderAtEnd(g->b, left);
    store_inputs(g, &out);
    if (region_of(g, out.to) == region_of(g, block))
        add_lanes(g, block, out.to, g->mask);
    fall_through(g, block, g->cfg->loops[loop].parent);
}

static void leave_together(struct gang *g, unsigned block)
{
    const struct tf_cfg_block *b = &g->cfg->blocks[block];
    const LLVMValueRef condition = tf_cfg_condition(g->cfg, block);
    const LLVMValueRef scalar = condition ? gang_scalar(g, condition) : NULL;
    LLVMBasicBlockRef targets[2] = {NULL, NULL};
    struct edge edges[2];

    for (unsigned k = 0; k < b->succ_count; k++)
        edges[k] = make_edge(g, block, b->succs[k], NULL);
    for (unsigned k = 0; k < b->succ_count; k++)
        targets[k] = edges[k].count ? add_block(g, "edge") : start_of(g, b->succs[k]);
    if (condition)
        LLVMBuildCondBr(g->b, scalar, targets[0], targets[1]);
    else
        LLVMBuildBr(g->b, targets[0]);
    for (unsigned k = 0; k < b->succ_count; k++) {
        if (!edges[k].count)
            continue;
        LLVMPositionBuilderAtEnd(g->b, targets[k]);
        store_inputs(g, &edges[k]);
        LLVMBuildBr(g->b, start_of(g, b->succs[k]));
    }
}

static void leave(struct gang *g, unsigned block)
{
    const struct tf_cfg_block *b = &g->cfg->blocks[block];
    const LLVMValueRef condition = tf_cfg_condition(g->cfg, block);
    bool masked = in_region(g, block);

    if (b->succ_count == 0) { // lanes end here
        if (masked)
            fall_through(g, block, b->loop);
        else
            LLVMBuildBr(g->b, g->end);
        return;
    }
    for (unsigned k = 0; k < b->succ_count; k++)
        masked |= in_region(g, b->succs[k]);
    if (condition && !tf_is_uniform(g->shapes, condition))
        masked = true;
    if (g->plan->blocks[block].loops_back && in_region(g, block))
        leave_uniform_loop(g, block);
    else if (masked)
        leave_masked(g, block);
    else
        leave_together(g, block);
}

static void emit_block(struct gang *g, unsigned block)
{
    struct tf_value *v = tf_block_first(g->shapes, block);
    const struct tf_value *const last = tf_block_end(g->shapes, block) - 1;

    g->block = block;
    g->epoch++;
    gang_at_line(g, v);
    LLVMPositionBuilderAtEnd(g->b, start_of(g, block));
    g->mask = NULL;
    if (in_region(g, block))
        enter_masked(g, block);
    else
        g->mask = gang_entry_mask(g);
    for (; v < last; v++)
        gang_instruction(g, v);
    gang_at_line(g, last);
    leave(g, block);
}

static void emit_twin(struct gang *g, const struct tf_region *region)
{
    g->twin = region;
    gang_forget_bundles(g);
    for (unsigned at = 0; at < g->cfg->block_count; at++) {
        if (is_twin(g, g->cfg->order[at]) && g->blocks[g->cfg->order[at]].twin)
            emit_block(g, g->cfg->order[at]);
    }
    g->twin = NULL;
}

void gang_emit_blocks(struct gang *g)
{
    for (unsigned at = 0; at < g->cfg->block_count; at++)
        emit_block(g, g->cfg->order[at]);
    for (unsigned r = 0; r < g->shapes->region_count; r++)
        emit_twin(g, &g->shapes->regions[r]);
}
