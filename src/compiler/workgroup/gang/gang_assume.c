// SPDX-License-Identifier: MIT
// What nearly all gangs have in common: `if (x < n)` is true for all lanes or for none,
// clamp(x - 1, 0, n - 1) clamps no lane, x % n passes no multiple of n. The function of
// all lanes takes that for granted, so that it needs no masks and no gathers, and looks
// whether it is so; a gang that is different starts again in the masked function, which
// takes nothing for granted. So all that may be looked at is what comes before anybody
// could notice a second start.
#include <string.h>

#include "compiler/ir/elementwise.h"
#include "compiler/workgroup/gang/gang_access.h"
#include "compiler/workgroup/gang/gang_index.h"
#include "compiler/workgroup/plan/pack.h"

enum {
    MAX_TURNS = 4,        // what is assumed may let more be assumed
    MAX_STRIDE = 1 << 20, // 64 lanes wrap once at most
};

// ---- what can be assumed

static bool has_lanes(const struct tf_shapes *s, LLVMValueRef value)
{
    const struct tf_shape shape = tf_shape_of(s, value);

    return shape.kind == TF_SHAPE_AFFINE && shape.stride != 0 &&
           shape.stride < MAX_STRIDE && shape.stride > -MAX_STRIDE;
}

static bool is_candidate(const struct tf_shapes *s, const struct tf_value *v)
{
    const LLVMValueRef i = v->instruction;
    LLVMValueRef a, b;

    if (v->shape.kind != TF_SHAPE_VARYING || s->region_of[v->block] != TF_CFG_NONE ||
        (v->opcode != LLVMICmp && !(v->opcode == LLVMCall && tf_shape_is_limit(i))))
        return false;
    a = LLVMGetOperand(i, 0);
    b = LLVMGetOperand(i, 1);
    if (LLVMGetTypeKind(LLVMTypeOf(a)) != LLVMIntegerTypeKind ||
        LLVMGetIntTypeWidth(LLVMTypeOf(a)) < 32)
        return false;
    return (has_lanes(s, a) && tf_is_uniform(s, b)) ||
           (has_lanes(s, b) && tf_is_uniform(s, a));
}

static bool is_index(const struct gang *g, const struct tf_value *v)
{
    return v->shape.kind == TF_SHAPE_VARYING &&
           g->shapes.region_of[v->block] == TF_CFG_NONE && gang_is_index(g, v);
}

static bool is_own(const struct tf_shapes *s, LLVMValueRef pointer)
{
    return LLVMIsAAllocaInst(tf_place_of(s->layout, pointer).root) != NULL;
}

// What must not happen twice.
static bool is_effect(const struct tf_shapes *s, const struct tf_value *v)
{
    const LLVMValueRef i = v->instruction;

    switch ((int)v->opcode) {
    case LLVMLoad:
        return gang_is_ordered(i);
    case LLVMStore:
        return gang_is_ordered(i) || !is_own(s, LLVMGetOperand(i, 1));
    case LLVMCall:
        return !tf_is_marker(i) && tf_shape_root(i) < 0 && !tf_is_elementwise(i);
    case LLVMFence:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        return true;
    default:
        return false;
    }
}

// Marks the blocks that are reached behind an effect.
static bool *find_late(struct gang *g)
{
    bool *late = TF_ARENA_NEW(&g->arena, bool, g->cfg.block_count);
    bool *reached = TF_ARENA_NEW(&g->arena, bool, g->cfg.block_count);
    unsigned done = TF_CFG_NONE;

    for (unsigned i = 0; i < g->shapes.value_count; i++) {
        const struct tf_value *v = &g->shapes.values[i];

        if (v->block == done || late[v->block] || !is_effect(&g->shapes, v))
            continue;
        done = v->block;
        tf_cfg_reach(&g->cfg, v->block, TF_CFG_NONE, reached);
        for (unsigned b = 0; b < g->cfg.block_count; b++)
            late[b] |= reached[b];
    }
    return late;
}

// Adds what can be assumed; true if there was anything new.
static bool add_candidates(struct gang *g, const bool *late)
{
    unsigned behind = TF_CFG_NONE; // block in which an effect was seen
    bool added = false;

    for (unsigned i = 0; i < g->shapes.value_count; i++) { // block by block, in order
        const struct tf_value *v = &g->shapes.values[i];

        if (late[v->block] || behind == v->block)
            continue;
        if (is_effect(&g->shapes, v)) {
            behind = v->block;
        } else if ((is_candidate(&g->shapes, v) || is_index(g, v)) &&
                   tf_map_get(&g->assumed, v->instruction) == TF_MAP_NONE) {
            tf_map_put(&g->assumed, v->instruction, 1);
            added = true;
        }
    }
    return added;
}

void gang_assume(struct gang *g)
{
    const bool *late;

    if (g->masked || g->linear)
        return;
    for (unsigned i = 0; i < g->shapes.value_count; i++) {
        if (tf_shape_is_barrier(g->shapes.values[i].instruction))
            return; // the gangs of a group go through barriers together
    }
    g->assumed.arena = &g->arena;
    late = find_late(g);
    for (unsigned turn = 0; turn < MAX_TURNS && add_candidates(g, late); turn++)
        tf_shapes_init_assuming(&g->shapes, &g->arena, &g->cfg, g->from, &g->assumed);
}

// ---- whether it is so

static LLVMValueRef last_lane(struct gang *g, LLVMValueRef value)
{
    const int64_t stride = tf_shape_of(&g->shapes, value).stride;
    const uint64_t steps = (uint64_t)stride * (g->width - 1);
    const LLVMValueRef first = gang_scalar(g, value);

    if (stride == 0)
        return first;
    return LLVMBuildAdd(g->b, first, LLVMConstInt(LLVMTypeOf(first), steps, true), "");
}

// The lanes between the first and the last have values between theirs.
static LLVMValueRef in_order(struct gang *g, LLVMValueRef value, bool with_sign)
{
    const int64_t stride = tf_shape_of(&g->shapes, value).stride;
    const LLVMValueRef first = gang_scalar(g, value), last = last_lane(g, value);

    return LLVMBuildICmp(g->b, with_sign ? LLVMIntSLE : LLVMIntULE,
                         stride > 0 ? first : last, stride > 0 ? last : first, "");
}

static bool is_signed(LLVMIntPredicate predicate)
{
    return predicate == LLVMIntSLT || predicate == LLVMIntSLE ||
           predicate == LLVMIntSGT || predicate == LLVMIntSGE;
}

// No lane has the other value.
static LLVMValueRef all_differ(struct gang *g, LLVMValueRef value, LLVMValueRef other)
{
    const bool up = tf_shape_of(&g->shapes, value).stride > 0;
    const LLVMValueRef first = gang_scalar(g, value), last = last_lane(g, value);
    const LLVMValueRef low = up ? first : last, high = up ? last : first;

    return LLVMBuildICmp(g->b, LLVMIntUGT,
                         LLVMBuildSub(g->b, gang_scalar(g, other), low, ""),
                         LLVMBuildSub(g->b, high, low, ""), "");
}

static LLVMValueRef lanes_agree(struct gang *g, LLVMValueRef compare)
{
    const LLVMIntPredicate predicate = LLVMGetICmpPredicate(compare);
    const LLVMValueRef a = LLVMGetOperand(compare, 0), b = LLVMGetOperand(compare, 1);
    const LLVMValueRef lanes = has_lanes(&g->shapes, a) ? a : b;
    LLVMValueRef first, last;

    if (predicate == LLVMIntEQ || predicate == LLVMIntNE)
        return all_differ(g, lanes, lanes == a ? b : a);
    first = LLVMBuildICmp(g->b, predicate, gang_scalar(g, a), gang_scalar(g, b), "");
    last = LLVMBuildICmp(g->b, predicate, last_lane(g, a), last_lane(g, b), "");
    return LLVMBuildAnd(g->b, LLVMBuildICmp(g->b, LLVMIntEQ, first, last, ""),
                        in_order(g, lanes, is_signed(predicate)), "");
}

static LLVMValueRef limits_none(struct gang *g, LLVMValueRef call)
{
    const bool with_sign = tf_elementwise_of(call)->name[0] == 's';
    const bool is_min = tf_elementwise_of(call)->name[2] == 'i';
    const LLVMValueRef a = LLVMGetOperand(call, 0), b = LLVMGetOperand(call, 1);
    const LLVMValueRef lanes = has_lanes(&g->shapes, a) ? a : b;
    const LLVMValueRef limit = gang_scalar(g, lanes == a ? b : a);
    const LLVMIntPredicate inside = is_min ? (with_sign ? LLVMIntSLE : LLVMIntULE)
                                           : (with_sign ? LLVMIntSGE : LLVMIntUGE);
    const LLVMValueRef first =
        LLVMBuildICmp(g->b, inside, gang_scalar(g, lanes), limit, "");
    const LLVMValueRef last = LLVMBuildICmp(g->b, inside, last_lane(g, lanes), limit, "");

    return LLVMBuildAnd(g->b, LLVMBuildAnd(g->b, first, last, ""),
                        in_order(g, lanes, with_sign), "");
}

static void add_attr(struct gang *g, LLVMValueRef call, const char *name)
{
    const unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));

    LLVMAddCallSiteAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                             LLVMCreateEnumAttribute(g->wg->context, kind, 0));
}

static void start_again(struct gang *g)
{
    LLVMValueRef masked, args[TF_ITEM_PARAMS + 1], call;

    if (g->rows) {
        gang_run_apart(g);
        LLVMBuildBr(g->b, g->end);
        return;
    }
    masked = gang_function(g, true);
    for (unsigned i = 0; i < TF_ITEM_PARAMS; i++)
        args[i] = LLVMGetParam(g->to, i);
    args[TF_ITEM_PARAMS] = LLVMConstInt(g->i64, g->width, false);
    call = LLVMBuildCall2(g->b, LLVMGlobalGetValueType(masked), masked, args,
                          TF_ITEM_PARAMS + 1, "");
    add_attr(g, call, "noinline");
    add_attr(g, call, "cold");
    LLVMBuildBr(g->b, g->end);
}

void gang_check_assumed(struct gang *g, const struct tf_value *v)
{
    LLVMBasicBlockRef different, same;
    LLVMValueRef is_so;

    if (!g->assumed.count || v->shape.kind == TF_SHAPE_VARYING ||
        tf_map_get(&g->assumed, v->instruction) == TF_MAP_NONE)
        return;
    different = LLVMAppendBasicBlockInContext(g->wg->context, g->to, "different");
    same = LLVMAppendBasicBlockInContext(g->wg->context, g->to, "same");
    if (v->opcode == LLVMCall)
        is_so = limits_none(g, v->instruction);
    else if (v->opcode == LLVMICmp)
        is_so = lanes_agree(g, v->instruction);
    else
        is_so = gang_index_keeps(g, v);
    // Frozen: LLVM may have moved the value to where nobody needs it to be one.
    is_so = LLVMBuildFreeze(g->b, is_so, "");
    LLVMBuildCondBr(g->b, is_so, same, different);
    LLVMPositionBuilderAtEnd(g->b, different);
    start_again(g);
    LLVMPositionBuilderAtEnd(g->b, same);
}
