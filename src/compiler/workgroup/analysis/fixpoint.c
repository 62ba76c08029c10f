// SPDX-License-Identifier: MIT
// The fixpoint: shapes only fall from TOP to AFFINE to VARYING, branches only become
// divergent.
#include "compiler/workgroup/analysis/shape.h"

#include <string.h>

#include "compiler/workgroup/analysis/access.h"

static uint64_t bytes_of(const struct tf_shapes *s, const struct tf_value *v)
{
    const LLVMTypeRef type = LLVMTypeOf(
        v->opcode == LLVMStore ? LLVMGetOperand(v->instruction, 0) : v->instruction);

    return tf_size_bytes(s->layout, type);
}

static void number_values(struct tf_shapes *s)
{
    unsigned count = 0;
    LLVMValueRef i;

    for (unsigned b = 0; b < s->cfg->block_count; b++) {
        i = LLVMGetFirstInstruction(s->cfg->blocks[b].block);
        for (; i; i = LLVMGetNextInstruction(i))
            count++;
    }
    s->values = TF_ARENA_NEW(s->arena, struct tf_value, count);
    s->first = TF_ARENA_NEW(s->arena, unsigned, s->cfg->block_count + 1);
    s->first[s->cfg->block_count] = count;
    for (unsigned b = 0; b < s->cfg->block_count; b++) {
        s->first[b] = s->value_count;
        i = LLVMGetFirstInstruction(s->cfg->blocks[b].block);
        for (; i; i = LLVMGetNextInstruction(i)) {
            struct tf_value *v = &s->values[s->value_count];

            v->instruction = i;
            v->opcode = LLVMGetInstructionOpcode(i);
            v->block = b;
            v->bytes = bytes_of(s, v);
            tf_map_put(&s->number, i, s->value_count++);
        }
    }
}

// True if the shape changed. It never rises, and a second stride makes it varying.
static bool lower(struct tf_value *v, struct tf_shape to)
{
    struct tf_shape *at = &v->shape;

    if (to.kind < at->kind)
        return false;
    if (to.kind == at->kind && to.stride == at->stride && to.unless == at->unless)
        return false;
    if (to.kind == at->kind && at->kind == TF_SHAPE_VARYING) {
        if (!at->unless)
            return false;
        to.unless = NULL;
    }
    if (to.kind == at->kind && at->kind == TF_SHAPE_AFFINE)
        to.kind = TF_SHAPE_VARYING;
    if (to.kind == TF_SHAPE_VARYING && !to.unless)
        to.stride = 0;
    *at = to;
    return true;
}

// With what most gangs see, as long as all lanes come there.
static struct tf_shape transfer(const struct tf_shapes *s, struct tf_value *v)
{
    struct tf_shape shape = tf_shape_transfer(s, v);

    v->assumed = v->assumable && shape.kind == TF_SHAPE_VARYING && !shape.unless &&
                 s->region_of[v->block] == TF_CFG_NONE && tf_shape_assume(s, v, &shape);
    return shape;
}

static bool run_transfers(struct tf_shapes *s)
{
    bool changed = false;

    for (unsigned at = 0; at < s->cfg->block_count; at++) {
        struct tf_value *v = tf_block_first(s, s->cfg->order[at]);
        const struct tf_value *const end = tf_block_end(s, s->cfg->order[at]);

        for (; v < end; v++) {
            if (v->shape.kind != TF_SHAPE_VARYING || v->shape.unless)
                changed |= lower(v, transfer(s, v));
            v->assumed &= v->shape.kind == TF_SHAPE_AFFINE;
        }
    }
    return changed;
}

static void find_fixpoint(struct tf_shapes *s)
{
    bool *done = TF_ARENA_NEW(s->arena, bool, s->cfg->block_count);
    bool changed = true;

    while (changed) {
        while (run_transfers(s))
            continue;
        changed = false;
        for (unsigned b = 0; b < s->cfg->block_count; b++) {
            const LLVMValueRef condition = tf_cfg_condition(s->cfg, b);

            if (done[b] || !condition || tf_is_uniform(s, condition) ||
                tf_pack_asks(s->cfg, b))
                continue;
            done[b] = changed = true;
            tf_region_diverge(s, b);
        }
    }
}

// Values whose operands never got a shape are in code that no lane executes.
static void settle(struct tf_shapes *s)
{
    for (unsigned i = 0; i < s->value_count; i++) {
        if (s->values[i].shape.kind == TF_SHAPE_TOP)
            s->values[i].shape.kind = TF_SHAPE_AFFINE;
    }
}

static bool is_used_elsewhere(const struct tf_shapes *s, const struct tf_value *v)
{
    LLVMUseRef use = LLVMGetFirstUse(v->instruction);

    for (; use; use = LLVMGetNextUse(use)) {
        const LLVMValueRef user = LLVMGetUser(use);
        const struct tf_value *u = tf_shape_value(s, user);

        if (!u)
            continue; // not reachable
        if (u->opcode != LLVMPHI) {
            if (u->block != v->block)
                return true;
            continue;
        }
        for (unsigned k = 0; k < LLVMCountIncoming(user); k++) {
            if (LLVMGetIncomingValue(user, k) == v->instruction &&
                tf_cfg_number(s->cfg, LLVMGetIncomingBlock(user, k)) != v->block)
                return true;
        }
    }
    return false;
}

// Lane 0's of a value that is regular unless an index wraps is computed anew where it is
// used, so its operands are used there. True if that made another value cross.
static bool pass_crossing_on(struct tf_shapes *s)
{
    bool changed = false;

    for (unsigned i = s->value_count; i-- > 0;) {
        const struct tf_value *v = &s->values[i];

        if (!v->crosses || !v->shape.unless)
            continue;
        for (int k = 0; k < LLVMGetNumOperands(v->instruction); k++) {
            struct tf_value *operand =
                tf_shape_value(s, LLVMGetOperand(v->instruction, (unsigned)k));

            if (operand && !operand->crosses) {
                operand->crosses = true;
                changed = true;
            }
        }
    }
    return changed;
}

static void find_crossing(struct tf_shapes *s)
{
    bool *has_barrier = TF_ARENA_NEW(s->arena, bool, s->cfg->block_count);

    for (unsigned i = 0; i < s->value_count; i++) {
        const struct tf_value *v = &s->values[i];

        if (!tf_shape_is_barrier(v->instruction))
            continue;
        has_barrier[v->block] = true;
        if (s->region_of[v->block] != TF_CFG_NONE)
            s->regions[s->region_of[v->block]].has_barrier = true;
    }
    for (unsigned i = 0; i < s->value_count; i++) {
        struct tf_value *v = &s->values[i];

        v->crosses = LLVMGetTypeKind(LLVMTypeOf(v->instruction)) != LLVMVoidTypeKind &&
                     (has_barrier[v->block] || is_used_elsewhere(s, v));
    }
    while (pass_crossing_on(s))
        ;
}

void tf_shapes_find(struct tf_shapes *s)
{
    const unsigned blocks = s->cfg->block_count;

    s->region_of = TF_ARENA_NEW(s->arena, unsigned, blocks);
    s->regions = TF_ARENA_NEW(s->arena, struct tf_region, blocks + 1);
    s->region_count = 0;
    s->divergent = TF_ARENA_NEW(s->arena, bool, s->cfg->loop_count);
    s->reached = TF_ARENA_NEW(s->arena, bool, blocks);
    s->wanted = TF_ARENA_NEW(s->arena, bool, blocks);
    for (unsigned b = 0; b < blocks; b++)
        s->region_of[b] = TF_CFG_NONE;
    find_fixpoint(s);
    settle(s);
    find_crossing(s);
}

void tf_shapes_start(struct tf_shapes *s, struct tf_arena *arena,
                     const struct tf_cfg *cfg, LLVMValueRef fn, bool turned)
{
    memset(s, 0, sizeof(*s));
    s->arena = arena;
    s->cfg = cfg;
    s->layout = LLVMGetModuleDataLayout(LLVMGetGlobalParent(fn));
    s->number.arena = arena;
    s->turned = turned;
    tf_privates_init(&s->privates, arena, s->layout, fn);
    number_values(s);
}

void tf_shapes_init(struct tf_shapes *s, struct tf_arena *arena, const struct tf_cfg *cfg,
                    LLVMValueRef fn, bool turned)
{
    tf_shapes_start(s, arena, cfg, fn, turned);
    tf_shapes_find(s);
}

void tf_shapes_start_again(struct tf_shapes *s, const struct tf_shapes *other)
{
    *s = *other;
    s->values = TF_ARENA_NEW(s->arena, struct tf_value, s->value_count);
    for (unsigned i = 0; i < s->value_count; i++)
        s->values[i] = (struct tf_value){.instruction = other->values[i].instruction,
                                         .opcode = other->values[i].opcode,
                                         .block = other->values[i].block,
                                         .bytes = other->values[i].bytes};
}
