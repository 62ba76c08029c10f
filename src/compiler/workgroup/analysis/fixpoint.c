// SPDX-License-Identifier: MIT
// The fixpoint: shapes only fall from TOP to AFFINE to VARYING, branches only become
// divergent.
#include "compiler/workgroup/analysis/shape.h"

#include <string.h>

#include "compiler/ir/elementwise.h"
#include "compiler/workgroup/analysis/access.h"

static uint64_t bytes_of(const struct tf_shapes *s, const struct tf_value *v)
{
    const LLVMTypeRef type = LLVMTypeOf(
        v->opcode == LLVMStore ? LLVMGetOperand(v->instruction, 0) : v->instruction);

    return tf_size_bytes(s->layout, type);
}

static void find_call(struct tf_value *v)
{
    v->root = tf_root_of(v->instruction);
    v->elementwise = tf_elementwise_of(v->instruction);
    v->is_marker = tf_is_marker(v->instruction);
}

static struct tf_value value_of(const struct tf_shapes *s, LLVMValueRef instruction,
                                unsigned block)
{
    struct tf_value v = {.instruction = instruction,
                         .opcode = LLVMGetInstructionOpcode(instruction),
                         .block = block,
                         .operand_count = (unsigned)LLVMGetNumOperands(instruction)};

    v.bytes = bytes_of(s, &v);
    if (v.opcode == LLVMCall)
        find_call(&v);
    else if (v.opcode == LLVMLoad || v.opcode == LLVMStore)
        v.is_ordered = tf_access_is_ordered(instruction);
    return v;
}

static void number_operands(struct tf_shapes *s)
{
    unsigned count = 0, *at;

    for (unsigned i = 0; i < s->value_count; i++)
        count += s->values[i].operand_count;
    at = TF_ARENA_NEW(s->arena, unsigned, count);
    for (unsigned i = 0; i < s->value_count; i++) {
        struct tf_value *v = &s->values[i];

        v->operands = at;
        for (unsigned k = 0; k < v->operand_count; k++) {
            const LLVMValueRef operand = LLVMGetOperand(v->instruction, k);

            *at++ = LLVMIsAInstruction(operand) ? tf_map_get(&s->number, operand)
                                                : TF_MAP_NONE;
        }
    }
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
    tf_map_reserve(&s->number, count);
    s->first = TF_ARENA_NEW(s->arena, unsigned, s->cfg->block_count + 1);
    s->first[s->cfg->block_count] = count;
    for (unsigned b = 0; b < s->cfg->block_count; b++) {
        s->first[b] = s->value_count;
        i = LLVMGetFirstInstruction(s->cfg->blocks[b].block);
        for (; i; i = LLVMGetNextInstruction(i)) {
            s->values[s->value_count] = value_of(s, i, b);
            tf_map_put(&s->number, i, s->value_count++);
        }
    }
    number_operands(s);
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

static bool run_block(struct tf_shapes *s, unsigned block)
{
    const struct tf_value *const end = tf_block_end(s, block);
    bool changed = false;

    for (struct tf_value *v = tf_block_first(s, block); v < end; v++) {
        if (v->shape.kind != TF_SHAPE_VARYING || v->shape.unless)
            changed |= lower(v, transfer(s, v));
        v->assumed &= v->shape.kind == TF_SHAPE_AFFINE;
    }
    return changed;
}

// All blocks in their order. What comes later is seen only round a loop: what changes in
// one is a reason to look again, from the first loop on.
static void run_transfers(struct tf_shapes *s)
{
    const struct tf_cfg *cfg = s->cfg;
    unsigned first = 0;
    bool again = true;

    while (again) {
        unsigned at = first;

        again = false;
        first = cfg->block_count;
        for (; at < cfg->block_count; at++) {
            const bool changed = run_block(s, cfg->order[at]);

            if (cfg->blocks[cfg->order[at]].loop == TF_CFG_NONE)
                continue;
            first = first < at ? first : at;
            again |= changed;
        }
    }
}

static void find_fixpoint(struct tf_shapes *s)
{
    bool *done = TF_ARENA_NEW(s->arena, bool, s->cfg->block_count);
    bool changed = true;

    while (changed) {
        run_transfers(s);
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

// Marks what it uses of other blocks: a phi, at the end of the block before.
static void mark_crossing(const struct tf_shapes *s, const struct tf_value *user)
{
    for (unsigned k = 0; k < user->operand_count; k++) {
        struct tf_value *v = tf_operand(s, user, k);
        unsigned block = user->block;

        if (!v || v->crosses)
            continue;
        if (user->opcode == LLVMPHI)
            block = tf_cfg_number(s->cfg, LLVMGetIncomingBlock(user->instruction, k));
        v->crosses = v->block != block;
    }
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
        for (unsigned k = 0; k < v->operand_count; k++) {
            struct tf_value *operand = tf_operand(s, v, k);

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

        if (!tf_is_barrier(v))
            continue;
        has_barrier[v->block] = true;
        if (s->region_of[v->block] != TF_CFG_NONE)
            s->regions[s->region_of[v->block]].has_barrier = true;
    }
    for (unsigned i = 0; i < s->value_count; i++) {
        struct tf_value *v = &s->values[i];

        v->crosses |= has_barrier[v->block] &&
                      LLVMGetTypeKind(LLVMTypeOf(v->instruction)) != LLVMVoidTypeKind;
        mark_crossing(s, v);
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

void tf_shapes_start_again(struct tf_shapes *s, const struct tf_shapes *other,
                           struct tf_arena *arena)
{
    *s = *other;
    s->arena = arena;
    s->values = TF_ARENA_NEW(s->arena, struct tf_value, s->value_count);
    for (unsigned i = 0; i < s->value_count; i++) {
        struct tf_value *v = &s->values[i];

        *v = other->values[i];
        v->shape = (struct tf_shape){.kind = TF_SHAPE_TOP};
        v->crosses = v->assumable = v->assumed = false;
    }
}
