// SPDX-License-Identifier: MIT
// Lane 0's share of signed indices in 64 bits, where the plan says so (plan/exact.c).
#include "compiler/workgroup/gang/value/gang_emit.h"

static bool is_marked(const struct gang *g, const struct tf_value *v)
{
    return v && g->plan->values[v - g->shapes->values].exact;
}

static LLVMValueRef operand(struct gang *g, const struct tf_value *v, unsigned at)
{
    return gang_exact(g, LLVMGetOperand(v->instruction, at));
}

static LLVMValueRef compute(struct gang *g, const struct tf_value *v)
{
    switch ((int)v->opcode) {
    case LLVMAdd:
    case LLVMOr:
        return LLVMBuildAdd(g->b, operand(g, v, 0), operand(g, v, 1), "");
    case LLVMSub:
        return LLVMBuildSub(g->b, operand(g, v, 0), operand(g, v, 1), "");
    case LLVMMul:
        return LLVMBuildMul(g->b, operand(g, v, 0), operand(g, v, 1), "");
    case LLVMShl:
        return LLVMBuildShl(g->b, operand(g, v, 0), operand(g, v, 1), "");
    case LLVMSelect:
        return LLVMBuildSelect(g->b, gang_scalar(g, LLVMGetOperand(v->instruction, 0)),
                               operand(g, v, 1), operand(g, v, 2), "");
    case LLVMFreeze:
        return operand(g, v, 0);
    default: // a phi: its edges have left it
        return LLVMBuildLoad2(g->b, g->i64, gang_exact_input(g, v), "");
    }
}

static LLVMValueRef slot_of(struct gang *g, struct gang_value *state)
{
    if (!state->exact_slot)
        state->exact_slot = gang_slot(g, g->i64, "exact");
    return state->exact_slot;
}

LLVMValueRef gang_exact_input(struct gang *g, const struct tf_value *phi)
{
    struct gang_value *state = &g->values[phi - g->shapes->values];

    if (!is_marked(g, phi))
        return NULL;
    if (!state->exact_input)
        state->exact_input = gang_slot(g, g->i64, "exact");
    return state->exact_input;
}

LLVMValueRef gang_exact(struct gang *g, LLVMValueRef value)
{
    const struct tf_value *v = tf_shape_value(g->shapes, value);
    struct gang_value *state;

    if (!is_marked(g, v))
        return LLVMBuildSExtOrBitCast(g->b, gang_scalar(g, value), g->i64, "");
    (void)gang_scalar(g, value); // drops what is of an older epoch
    state = &g->values[v - g->shapes->values];
    if (!state->exact_now)
        state->exact_now = gang_is_free(g, v)
                               ? compute(g, v)
                               : LLVMBuildLoad2(g->b, g->i64, slot_of(g, state), "");
    return state->exact_now;
}

void gang_define_exact(struct gang *g, const struct tf_value *v)
{
    struct gang_value *state = &g->values[v - g->shapes->values];

    if (!is_marked(g, v) || gang_is_free(g, v))
        return;
    state->exact_now = compute(g, v);
    if (v->crosses)
        LLVMBuildStore(g->b, state->exact_now, slot_of(g, state));
}

LLVMValueRef gang_extend_exact(struct gang *g, LLVMValueRef instruction)
{
    const LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
    LLVMValueRef from, made;

    if (opcode != LLVMSExt && opcode != LLVMAShr &&
        !(opcode == LLVMZExt && LLVMGetNNeg(instruction)))
        return NULL;
    from = LLVMGetOperand(instruction, 0);
    if (!is_marked(g, tf_shape_value(g->shapes, from)))
        return NULL;
    // Of what is known to be positive, and needs no sign.
    if (opcode == LLVMZExt && tf_lanes_keep_order(g->shapes, from, false))
        return NULL;
    made = gang_exact(g, from);
    if (opcode == LLVMAShr)
        made =
            LLVMBuildAShr(g->b, made, gang_exact(g, LLVMGetOperand(instruction, 1)), "");
    return LLVMBuildTruncOrBitCast(g->b, made, LLVMTypeOf(instruction), "");
}
