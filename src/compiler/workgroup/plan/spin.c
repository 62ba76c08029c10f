// SPDX-License-Identifier: MIT
// Loops that wait for another work-item. The lane that would end the wait may be one of
// the gang, held up until all lanes have left the loop: such kernels run item by item.
#include "compiler/workgroup/gang/gang_emit.h"

struct search {
    const struct gang *g;
    unsigned loop;
    bool *seen; // per value
};

static bool is_in(const struct search *s, const struct tf_value *v)
{
    return v && tf_cfg_in_loop(&s->g->cfg, s->loop, v->block);
}

// A retry brings the value that it expects from the round before: some lane succeeds in
// each. One that waits for a constant may wait for ever.
static bool is_retry(const struct search *s, LLVMValueRef exchange)
{
    return is_in(s, tf_shape_value(&s->g->shapes, LLVMGetOperand(exchange, 1)));
}

static bool waits(const struct search *s, LLVMValueRef value)
{
    const struct tf_value *v = tf_shape_value(&s->g->shapes, value);

    if (!is_in(s, v) || s->seen[v - s->g->shapes.values])
        return false;
    s->seen[v - s->g->shapes.values] = true;
    switch ((int)v->opcode) {
    case LLVMAtomicRMW:
        return true;
    case LLVMAtomicCmpXchg:
        return !is_retry(s, value);
    case LLVMLoad:
        return LLVMGetVolatile(value) ||
               LLVMGetOrdering(value) != LLVMAtomicOrderingNotAtomic;
    default:
        break;
    }
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value); i++) {
        const LLVMValueRef operand = LLVMGetOperand(value, i);

        if (!LLVMValueIsBasicBlock(operand) && waits(s, operand))
            return true;
    }
    return false;
}

bool gang_spins(struct gang *g)
{
    for (unsigned l = 0; l < g->cfg.loop_count; l++) {
        struct search s = {.g = g, .loop = l};

        if (!g->shapes.divergent[l])
            continue;
        s.seen = TF_ARENA_NEW(&g->arena, bool, g->shapes.value_count);
        for (unsigned b = 0; b < g->cfg.block_count; b++) {
            const LLVMValueRef condition = tf_cfg_condition(&g->cfg, b);

            if (g->cfg.loops[l].has[b] && condition && waits(&s, condition))
                return true;
        }
    }
    return false;
}
