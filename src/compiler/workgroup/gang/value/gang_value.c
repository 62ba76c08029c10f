// SPDX-License-Identifier: MIT
// Values of the old function in the new one: scalars and vectors, made where they are
// asked for, kept in slots where they cross blocks.
#include <stddef.h>
#include <string.h>

#include "abi/cpu_abi.h"
#include "compiler/ir/ir_util.h"
#include "compiler/ir/llvm_version.h"
#include "compiler/workgroup/gang/value/gang_emit.h"

enum tf_form gang_form(const struct gang *g, const struct tf_value *v)
{
    return g->plan->values[v - g->shapes->values].form;
}

// ---- types

static LLVMTypeRef struct_type(struct gang *g, LLVMTypeRef type)
{
    const unsigned count = LLVMCountStructElementTypes(type);
    LLVMTypeRef *members = TF_ARENA_NEW(&g->arena, LLVMTypeRef, count);

    for (unsigned i = 0; i < count; i++)
        members[i] = gang_type(g, LLVMStructGetTypeAtIndex(type, i));
    return LLVMStructTypeInContext(g->wg->context, members, count, false);
}

LLVMTypeRef gang_type(struct gang *g, LLVMTypeRef type)
{
    if (tf_ir_is_scalar(type))
        return LLVMVectorType(type, g->width);
    switch ((int)LLVMGetTypeKind(type)) {
    case LLVMVectorTypeKind:
        return LLVMVectorType(LLVMGetElementType(type),
                              g->width * LLVMGetVectorSize(type));
    case LLVMStructTypeKind:
        return struct_type(g, type);
    case LLVMArrayTypeKind:
        return LLVMArrayType2(gang_type(g, LLVMGetElementType(type)),
                              LLVMGetArrayLength2(type));
    default: // the plan knows no others
        return type;
    }
}

// ---- the same in all lanes

static LLVMValueRef make_splat(struct gang *g, LLVMValueRef scalar)
{
    LLVMValueRef *lanes = TF_ARENA_NEW(&g->arena, LLVMValueRef, g->width);

    for (unsigned i = 0; i < g->width; i++)
        lanes[i] = scalar;
    return LLVMConstVector(lanes, g->width);
}

static void keep_splat(struct tf_gang_kept *k, LLVMValueRef scalar, LLVMValueRef vector)
{
    if (k->splat_count == k->splat_room) {
        LLVMValueRef *const old = k->splat_list;

        k->splat_room = old ? 2 * k->splat_room : 32;
        k->splat_list = TF_ARENA_NEW(&k->arena, LLVMValueRef, k->splat_room);
        if (old)
            memcpy(k->splat_list, old, k->splat_count * sizeof(LLVMValueRef));
    }
    tf_map_put(&k->splats, scalar, k->splat_count);
    k->splat_list[k->splat_count++] = vector;
}

// LLVM compares the lanes with each other and looks for the vector by its bytes.
static LLVMValueRef splat_constant(struct gang *g, LLVMValueRef scalar)
{
    const unsigned number = tf_map_get(&g->kept->splats, scalar);
    LLVMValueRef vector;

    if (number != TF_MAP_NONE)
        return g->kept->splat_list[number];
    vector = make_splat(g, scalar);
    keep_splat(g->kept, scalar, vector);
    return vector;
}

static LLVMValueRef splat_vector(struct gang *g, LLVMValueRef vector)
{
    const unsigned size = LLVMGetVectorSize(LLVMTypeOf(vector));
    int *from = TF_ARENA_NEW(&g->arena, int, size * g->width);

    for (unsigned i = 0; i < size * g->width; i++)
        from[i] = (int)(i % size);
    return gang_permute(g, vector, NULL, from, size * g->width);
}

static LLVMValueRef splat_aggregate(struct gang *g, LLVMValueRef value, unsigned count)
{
    LLVMValueRef result = LLVMGetPoison(gang_type(g, LLVMTypeOf(value)));

    for (unsigned i = 0; i < count; i++) {
        const LLVMValueRef member = LLVMBuildExtractValue(g->b, value, i, "");

        result = LLVMBuildInsertValue(g->b, result, gang_splat(g, member), i, "");
    }
    return result;
}

LLVMValueRef gang_splat(struct gang *g, LLVMValueRef scalar)
{
    const LLVMTypeRef type = LLVMTypeOf(scalar);
    LLVMValueRef none;

    switch ((int)LLVMGetTypeKind(type)) {
    case LLVMVectorTypeKind:
        return splat_vector(g, scalar);
    case LLVMStructTypeKind:
        return splat_aggregate(g, scalar, LLVMCountStructElementTypes(type));
    case LLVMArrayTypeKind:
        return splat_aggregate(g, scalar, (unsigned)LLVMGetArrayLength2(type));
    default:
        break;
    }
    if (LLVMIsConstant(scalar) && !LLVMIsAGlobalValue(scalar) &&
        !LLVMIsAConstantExpr(scalar))
        return splat_constant(g, scalar);
    none = LLVMGetPoison(LLVMVectorType(type, g->width));
    return LLVMBuildShuffleVector(
        g->b, LLVMBuildInsertElement(g->b, none, scalar, gang_int(g, 0), ""), none,
        LLVMConstNull(LLVMVectorType(g->i32, g->width)), "");
}

static LLVMValueRef make_ramp(struct gang *g, LLVMTypeRef element, int64_t stride)
{
    LLVMValueRef *lanes = TF_ARENA_NEW(&g->arena, LLVMValueRef, g->width);

    for (unsigned i = 0; i < g->width; i++)
        lanes[i] = LLVMConstInt(element, (uint64_t)stride * i, true);
    return LLVMConstVector(lanes, g->width);
}

LLVMValueRef gang_ramp(struct gang *g, LLVMTypeRef element, int64_t stride)
{
    struct gang_ramp_of *one;

    for (unsigned i = 0; i < GANG_KEPT_RAMPS; i++) {
        one = &g->kept->ramps[i];
        if (one->vector && one->element == element && one->stride == stride)
            return one->vector;
    }
    one = &g->kept->ramps[g->kept->ramp_count++ % GANG_KEPT_RAMPS];
    *one = (struct gang_ramp_of){element, stride, make_ramp(g, element, stride)};
    return one->vector;
}

static LLVMValueRef affine_vector(struct gang *g, LLVMValueRef scalar, int64_t stride)
{
    const LLVMTypeRef type = LLVMTypeOf(scalar);
    LLVMValueRef steps;

    if (LLVMGetTypeKind(type) != LLVMPointerTypeKind)
        return LLVMBuildAdd(g->b, gang_splat(g, scalar), gang_ramp(g, type, stride), "");
    steps = gang_ramp(g, g->i64, stride);
    return LLVMBuildGEP2(g->b, g->wg->i8, scalar, &steps, 1, "");
}

// ---- clones

// Flags that make poison would hold for lane 0 only when it is active (M4).
static void drop_flags(LLVMValueRef instruction)
{
    switch ((int)LLVMGetInstructionOpcode(instruction)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
    case LLVMTrunc:
        LLVMSetNSW(instruction, false);
        LLVMSetNUW(instruction, false);
        break;
    case LLVMLShr:
    case LLVMAShr:
    case LLVMUDiv:
    case LLVMSDiv:
        LLVMSetExact(instruction, false);
        break;
    case LLVMOr:
        LLVMSetIsDisjoint(instruction, false);
        break;
    case LLVMZExt:
    case LLVMUIToFP:
        LLVMSetNNeg(instruction, false);
        break;
    case LLVMICmp:
        tf_llvm_drop_same_sign(instruction);
        break;
    case LLVMGetElementPtr:
        LLVMGEPSetNoWrapFlags(instruction, 0);
        break;
    default:
        break;
    }
}

// An extension that fills in zeros because the number is known to be positive. Lane 0's
// may be negative where lane 0 is not active: with its sign it still is what the others
// count from.
static bool needs_sign(struct gang *g, LLVMValueRef instruction)
{
    LLVMValueRef from;

    if (LLVMGetInstructionOpcode(instruction) != LLVMZExt || !LLVMGetNNeg(instruction))
        return false;
    from = LLVMGetOperand(instruction, 0);
    return tf_shape_of(g->shapes, from).stride &&
           !tf_lanes_keep_order(g->shapes, from, false);
}

// An `or` that stands for a sum, as LLVM knows of the lanes that are active. Lane 0, from
// which the others are counted, may not be one of them.
static bool is_sum(LLVMValueRef instruction)
{
    return LLVMGetInstructionOpcode(instruction) == LLVMOr &&
           LLVMGetIsDisjoint(instruction);
}

LLVMValueRef gang_clone(struct gang *g, LLVMValueRef instruction)
{
    const int count = LLVMGetNumOperands(instruction);
    LLVMValueRef *operands = TF_ARENA_NEW(&g->arena, LLVMValueRef, count);
    LLVMValueRef clone = gang_extend_exact(g, instruction);

    if (clone)
        return clone;
    for (int i = 0; i < count; i++)
        operands[i] = gang_scalar(g, LLVMGetOperand(instruction, (unsigned)i));
    if (tf_private_of(&g->shapes->privates, instruction).unit_bytes &&
        LLVMIsAGetElementPtrInst(instruction))
        return gang_private_address(g, instruction);
    if (needs_sign(g, instruction))
        return LLVMBuildSExt(g->b, operands[0], LLVMTypeOf(instruction), "");
    if (is_sum(instruction))
        return LLVMBuildAdd(g->b, operands[0], operands[1], "");
    clone = LLVMInstructionClone(instruction);
    LLVMInsertIntoBuilder(g->b, clone);
    for (int i = 0; i < count; i++)
        LLVMSetOperand(clone, (unsigned)i, operands[i]);
    drop_flags(clone);
    if (LLVMIsALoadInst(clone))
        tf_wg_mark_one(g->wg, clone);
    return clone;
}

// ---- slots

LLVMValueRef gang_slot(struct gang *g, LLVMTypeRef type, const char *name)
{
    const LLVMBasicBlockRef at = LLVMGetInsertBlock(g->b);
    const LLVMMetadataRef line = LLVMGetCurrentDebugLocation2(g->b);
    LLVMValueRef slot;

    LLVMPositionBuilderBefore(g->b, g->entry_end);
    slot = LLVMBuildAlloca(g->b, type, name);
    LLVMPositionBuilderAtEnd(g->b, at);
    LLVMSetCurrentDebugLocation2(g->b, line);
    return slot;
}

bool gang_is_at_hand(const struct gang *g, LLVMValueRef value)
{
    return tf_is_of_block(g->shapes, value, g->block);
}

static LLVMValueRef value_slot(struct gang *g, const struct tf_value *v)
{
    const LLVMTypeRef type = LLVMTypeOf(v->instruction);

    return gang_slot(g, v->shape.kind == TF_SHAPE_VARYING ? gang_type(g, type) : type,
                     "slot");
}

static struct gang_value *state_of(struct gang *g, const struct tf_value *v)
{
    struct gang_value *state = &g->values[v - g->shapes->values];

    if (state->epoch != g->epoch) {
        state->epoch = g->epoch;
        state->scalar = state->vector = state->exact_now = NULL;
    }
    return state;
}

static LLVMValueRef slot_of(struct gang *g, const struct tf_value *v)
{
    struct gang_value *state = state_of(g, v);

    if (!state->slot)
        state->slot = value_slot(g, v);
    return state->slot;
}

LLVMValueRef gang_input(struct gang *g, const struct tf_value *phi)
{
    struct gang_value *state = state_of(g, phi);

    if (!state->input)
        state->input = value_slot(g, phi);
    return state->input;
}

// ---- values that need no slot

bool gang_is_free(const struct gang *g, const struct tf_value *v)
{
    return gang_form(g, v) == TF_FORM_FREE || tf_value_id(v) >= 0;
}

// Lane 0's id, in 32 bits.
static LLVMValueRef make_root(struct gang *g, int root)
{
    const unsigned dim = (unsigned)root % 3;
    const LLVMValueRef local =
        LLVMBuildTrunc(g->b, LLVMGetParam(g->to, TF_ITEM_LID + dim), g->i32, "");
    LLVMValueRef base;

    if (root < 3)
        return local;
    base = LLVMBuildLoad2(g->b, g->i64,
                          tf_wg_address(g->wg, LLVMGetParam(g->to, TF_ITEM_GROUP),
                                        TF_WG_GROUP_FIELD(global_base, dim)),
                          "");
    return LLVMBuildAdd(g->b, LLVMBuildTrunc(g->b, base, g->i32, ""), local, "");
}

// ---- asking

static LLVMValueRef argument(struct gang *g, LLVMValueRef value)
{
    for (unsigned i = 0; i < LLVMCountParams(g->from); i++) {
        if (LLVMGetParam(g->from, i) == value)
            return LLVMGetParam(g->to, i);
    }
    return value;
}

LLVMValueRef gang_scalar(struct gang *g, LLVMValueRef value)
{
    const struct tf_value *v = tf_shape_value(g->shapes, value);
    struct gang_value *state;
    int root;

    if (!v)
        return LLVMIsAArgument(value) ? argument(g, value) : value;
    state = state_of(g, v);
    if (v->opcode == LLVMAlloca)
        return state->slot;
    if (state->scalar)
        return state->scalar;
    root = tf_lane_id(g->shapes, v);
    if (root >= 0)
        state->scalar = make_root(g, root);
    else if (v->shape.unless || gang_is_free(g, v))
        state->scalar = gang_clone(g, value);
    else
        state->scalar = LLVMBuildLoad2(g->b, LLVMTypeOf(value), slot_of(g, v), "");
    return state->scalar;
}

LLVMValueRef gang_vector(struct gang *g, LLVMValueRef value)
{
    const struct tf_value *v = tf_shape_value(g->shapes, value);
    struct gang_value *state;

    if (!v)
        return gang_splat(g, gang_scalar(g, value));
    state = state_of(g, v);
    if (state->vector)
        return state->vector;
    if (v->shape.kind == TF_SHAPE_VARYING)
        state->vector =
            LLVMBuildLoad2(g->b, gang_type(g, LLVMTypeOf(value)), slot_of(g, v), "");
    else if (v->shape.stride)
        state->vector = affine_vector(g, gang_scalar(g, value), v->shape.stride);
    else
        state->vector = gang_splat(g, gang_scalar(g, value));
    return state->vector;
}

void gang_define(struct gang *g, struct tf_value *v, LLVMValueRef scalar,
                 LLVMValueRef vector)
{
    struct gang_value *state = state_of(g, v);

    if (scalar)
        state->scalar = scalar;
    else
        state->vector = vector;
    if (v->crosses && !(scalar && gang_is_free(g, v)))
        LLVMBuildStore(g->b, scalar ? scalar : vector, slot_of(g, v));
}
