// SPDX-License-Identifier: MIT
// What nearly all gangs have in common: `if (x < n)` is true for all lanes or for none,
// clamp(x - 1, 0, n - 1) clamps no lane, x % n passes no multiple of n. The function of
// all lanes takes that for granted, so that it needs no masks and no gathers, and looks
// whether it is so; a gang that is different starts again in the masked function, which
// takes nothing for granted. So all that may be looked at is what comes before anybody
// could notice a second start.
#include <string.h>

#include "compiler/ir/elementwise.h"
#include "compiler/ir/ir_util.h"
#include "compiler/workgroup/analysis/access.h"
#include "compiler/workgroup/analysis/facts.h"
#include "compiler/workgroup/analysis/index.h"
#include "compiler/workgroup/analysis/place.h"

enum {
    MAX_TURNS = 4,        // what is assumed may let more be assumed
    MAX_STRIDE = 1 << 20, // 64 lanes wrap once at most
};

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

static bool is_index(const struct tf_facts *f, const struct tf_value *v)
{
    return v->shape.kind == TF_SHAPE_VARYING &&
           f->usual.region_of[v->block] == TF_CFG_NONE &&
           tf_is_index(&f->usual, v, f->of.lanes);
}

static bool is_own(const struct tf_shapes *s, LLVMValueRef pointer)
{
    return LLVMIsAAllocaInst(tf_place_of(s->layout, pointer).root) != NULL;
}

// Sums and the like over the elements of a vector: arithmetic by another name.
static bool is_fold(LLVMValueRef call)
{
    static const char fold[] = "llvm.vector.reduce.";
    const char *name = tf_ir_called_name(call);

    return name && !strncmp(name, fold, strlen(fold));
}

bool tf_is_effect(const struct tf_shapes *s, const struct tf_value *v)
{
    const LLVMValueRef i = v->instruction;

    switch ((int)v->opcode) {
    case LLVMLoad:
        return tf_access_is_ordered(i);
    case LLVMStore:
        return tf_access_is_ordered(i) || !is_own(s, LLVMGetOperand(i, 1));
    case LLVMCall:
        return !tf_is_marker(i) && tf_shape_root(i) < 0 && !tf_is_elementwise(i) &&
               !is_fold(i);
    case LLVMFence:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        return true;
    default:
        return false;
    }
}

void tf_facts_find_effects(struct tf_facts *f)
{
    const struct tf_shapes *s = &f->shapes;
    bool *reached = TF_ARENA_NEW(&f->arena, bool, f->cfg.block_count);

    f->acts = TF_ARENA_NEW(&f->arena, bool, f->cfg.block_count);
    f->late = TF_ARENA_NEW(&f->arena, bool, f->cfg.block_count);
    for (unsigned i = 0; i < s->value_count; i++)
        f->acts[s->values[i].block] |= tf_is_effect(s, &s->values[i]);
    for (unsigned b = 0; b < f->cfg.block_count; b++) {
        if (!f->acts[b] || f->late[b]) // what a late block reaches is late
            continue;
        tf_cfg_reach(&f->cfg, b, TF_CFG_NONE, reached);
        for (unsigned r = 0; r < f->cfg.block_count; r++)
            f->late[r] |= reached[r];
    }
}

// Adds what can be assumed; true if there was anything new.
static bool add_candidates(struct tf_facts *f)
{
    const struct tf_shapes *s = &f->usual;
    unsigned behind = TF_CFG_NONE; // block in which an effect was seen
    bool added = false;

    for (unsigned i = 0; i < s->value_count; i++) { // block by block, in order
        const struct tf_value *v = &s->values[i];

        if (f->late[v->block] || behind == v->block)
            continue;
        if (tf_is_effect(s, v)) {
            behind = v->block;
        } else if ((is_candidate(s, v) || is_index(f, v)) &&
                   tf_map_get(&f->assumed, v->instruction) == TF_MAP_NONE) {
            tf_map_put(&f->assumed, v->instruction, 1);
            added = true;
        }
    }
    return added;
}

void tf_facts_assume(struct tf_facts *f)
{
    f->assumed.arena = &f->arena;
    for (unsigned turn = 0; turn < MAX_TURNS && add_candidates(f); turn++) {
        tf_shapes_init_assuming(&f->usual, &f->shapes, &f->assumed);
        f->fixpoints++;
    }
}
