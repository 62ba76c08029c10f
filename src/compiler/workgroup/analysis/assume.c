// SPDX-License-Identifier: MIT
// What nearly all gangs have in common: `if (x < n)` is true for all lanes or for none,
// clamp(x - 1, 0, n - 1) clamps no lane, x % n passes no multiple of n. The function of
// all lanes takes that for granted, so that it needs no masks and no gathers, and looks
// whether it is so; a gang that is different starts again in the masked function, which
// takes nothing for granted. So all that may be looked at is what comes before anybody
// could notice a second start.
#include <string.h>

#include "compiler/ir/ir_util.h"
#include "compiler/workgroup/analysis/facts.h"
#include "compiler/workgroup/analysis/place.h"

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
        return v->is_ordered;
    case LLVMStore:
        return v->is_ordered || !is_own(s, LLVMGetOperand(i, 1));
    case LLVMCall:
        return !tf_touches_no_memory(v) && !is_fold(i);
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

// Lanes that leave a loop one by one do not agree about what it asks.
static bool is_left_apart(const struct tf_facts *f, unsigned block)
{
    unsigned l = f->cfg.blocks[block].loop;

    for (; l != TF_CFG_NONE; l = f->cfg.loops[l].parent) {
        if (f->shapes.divergent && f->shapes.divergent[l])
            return true;
    }
    return false;
}

static bool is_kind(const struct tf_value *v)
{
    switch ((int)v->opcode) {
    case LLVMICmp:
    case LLVMAnd:
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
    case LLVMFPToSI:
        return true;
    case LLVMCall:
        return tf_shape_is_limit(v->instruction);
    default:
        return false;
    }
}

// As far as all gangs were looked at.
static bool may_vary(const struct tf_facts *f, unsigned value)
{
    const struct tf_shape shape = f->shapes.values[value].shape;

    return shape.kind == TF_SHAPE_TOP ||
           (shape.kind == TF_SHAPE_VARYING && !shape.unless);
}

unsigned tf_facts_assume(struct tf_facts *f)
{
    struct tf_shapes *s = &f->usual;
    unsigned behind = TF_CFG_NONE; // block in which an effect was seen
    unsigned count = 0;

    for (unsigned i = 0; i < s->value_count; i++) { // block by block, in order
        struct tf_value *v = &s->values[i];

        if (f->late[v->block] || behind == v->block)
            continue;
        if (tf_is_effect(s, v)) {
            behind = v->block;
        } else if (is_kind(v) && may_vary(f, i) && !is_left_apart(f, v->block)) {
            v->assumable = true;
            count++;
        }
    }
    s->gang_lanes = f->of.lanes;
    return count;
}
