// SPDX-License-Identifier: MIT
// Private variables in the memory of a gang (private.h says how they lie), and addresses
// in them. Behind the units of a variable there is one more for each lane, that nobody
// reads: a lane that is not active may use its own, and what reads more bytes than it
// needs ends in it.
#include "compiler/workgroup/gang/value/gang_units.h"

enum { CACHE_LINE_BYTES = 64 };

struct tf_private gang_units_of(const struct gang *g, LLVMValueRef pointer)
{
    return tf_private_of(&g->shapes->privates, pointer);
}

// ---- memory

static LLVMValueRef add_units(struct gang *g, LLVMValueRef variable, unsigned unit_bytes)
{
    const uint64_t units =
        tf_private_bytes(&g->shapes->privates, variable) / unit_bytes + 1;
    const uint64_t row_bytes = (uint64_t)unit_bytes * g->width;
    const unsigned align_bytes = LLVMGetAlignment(variable);
    const uint64_t wanted = row_bytes < CACHE_LINE_BYTES ? row_bytes : CACHE_LINE_BYTES;
    const LLVMTypeRef row = LLVMArrayType2(g->wg->i8, row_bytes);
    const LLVMValueRef slot = gang_slot(g, LLVMArrayType2(row, units), "units");

    LLVMSetAlignment(slot, align_bytes > wanted ? align_bytes : (unsigned)wanted);
    return slot;
}

static LLVMValueRef add_lane_after_lane(struct gang *g, LLVMValueRef variable)
{
    const uint64_t stride = (uint64_t)tf_private_stride(g->shapes, variable);
    LLVMTypeRef type = LLVMGetAllocatedType(variable);
    LLVMValueRef slot;

    if (LLVMABISizeOfType(g->shapes->layout, type) != stride)
        type = LLVMArrayType2(g->wg->i8, stride);
    slot = gang_slot(g, LLVMArrayType2(type, g->width), "private");
    LLVMSetAlignment(slot, LLVMGetAlignment(variable));
    return slot;
}

void gang_add_privates(struct gang *g)
{
    for (unsigned i = 0; i < g->shapes->value_count; i++) {
        const struct tf_value *v = &g->shapes->values[i];
        const unsigned unit_bytes = gang_units_of(g, v->instruction).unit_bytes;

        if (v->opcode == LLVMAlloca)
            g->values[i].slot = unit_bytes ? add_units(g, v->instruction, unit_bytes)
                                           : add_lane_after_lane(g, v->instruction);
    }
}

// ---- addresses

LLVMValueRef gang_units_fit(struct gang *g, LLVMValueRef number, LLVMTypeRef scalar)
{
    const bool is_vector = LLVMGetTypeKind(LLVMTypeOf(number)) == LLVMVectorTypeKind;
    const LLVMTypeRef from =
        is_vector ? LLVMGetElementType(LLVMTypeOf(number)) : LLVMTypeOf(number);
    const LLVMTypeRef to = is_vector ? LLVMVectorType(scalar, g->width) : scalar;
    const unsigned have = LLVMGetIntTypeWidth(from), want = LLVMGetIntTypeWidth(scalar);

    return have > want   ? LLVMBuildTrunc(g->b, number, to, "")
           : have < want ? LLVMBuildSExt(g->b, number, to, "")
                         : number;
}

LLVMValueRef gang_units_sum(struct gang *g, LLVMValueRef a, LLVMValueRef b)
{
    return !a ? b : !b ? a : LLVMBuildAdd(g->b, a, b, "");
}

static void add_index(struct gang *g, struct gang_offset *o, LLVMValueRef index,
                      uint64_t bytes)
{
    const LLVMValueRef factor = LLVMConstInt(g->i64, bytes, false);

    if (tf_is_uniform(g->shapes, index))
        o->shared = gang_units_sum(
            g, o->shared,
            LLVMBuildMul(g->b, gang_units_fit(g, gang_scalar(g, index), g->i64), factor,
                         ""));
    else
        o->lanes = gang_units_sum(
            g, o->lanes,
            LLVMBuildMul(g->b, gang_units_fit(g, gang_vector(g, index), g->i32),
                         gang_splat(g, gang_int(g, bytes)), ""));
}

// Adds what one address is behind its base. Constant parts may point into a unit.
void gang_units_add(struct gang *g, LLVMValueRef gep, struct gang_offset *o)
{
    const struct tf_private at = gang_units_of(g, gep);
    const int64_t before = gang_units_of(g, LLVMGetOperand(gep, 0)).at_bytes;
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    int64_t fixed = before;

    for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(gep); i++) {
        const LLVMValueRef index = LLVMGetOperand(gep, i);
        uint64_t each;

        if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            const unsigned member = (unsigned)LLVMConstIntGetZExtValue(index);

            fixed += (int64_t)LLVMOffsetOfElement(g->shapes->layout, type, member);
            type = LLVMStructGetTypeAtIndex(type, member);
            continue;
        }
        if (i > 1)
            type = LLVMGetElementType(type);
        each = LLVMABISizeOfType(g->shapes->layout, type);
        if (LLVMIsAConstantInt(index))
            fixed = (int64_t)((uint64_t)fixed +
                              (uint64_t)LLVMConstIntGetSExtValue(index) * each);
        else
            add_index(g, o, index, each * g->width);
    }
    o->fixed = (int64_t)((uint64_t)o->fixed +
                         (uint64_t)(fixed - (int64_t)at.at_bytes) * g->width +
                         (uint64_t)((int64_t)at.at_bytes - before));
}

LLVMValueRef gang_units_move(struct gang *g, LLVMValueRef pointer, LLVMValueRef bytes)
{
    return LLVMBuildGEP2(g->b, g->wg->i8, pointer, &bytes, 1, "");
}

static LLVMValueRef move_by_shared(struct gang *g, LLVMValueRef pointer,
                                   const struct gang_offset *o)
{
    if (o->shared)
        pointer = gang_units_move(g, pointer, o->shared);
    if (o->fixed)
        pointer =
            gang_units_move(g, pointer, LLVMConstInt(g->i64, (uint64_t)o->fixed, true));
    return pointer;
}

LLVMValueRef gang_private_address(struct gang *g, LLVMValueRef gep)
{
    struct gang_offset o = {0};

    gang_units_add(g, gep, &o);
    return move_by_shared(g, gang_scalar(g, LLVMGetOperand(gep, 0)), &o);
}

LLVMValueRef gang_private_addresses(struct gang *g, LLVMValueRef gep)
{
    const LLVMTypeRef wide = LLVMVectorType(g->i64, g->width);
    LLVMValueRef pointers = gang_vector(g, LLVMGetOperand(gep, 0));
    struct gang_offset o = {0};

    gang_units_add(g, gep, &o);
    if (o.shared)
        pointers = gang_units_move(g, pointers, gang_splat(g, o.shared));
    if (o.fixed)
        pointers = gang_units_move(
            g, pointers, gang_splat(g, LLVMConstInt(g->i64, (uint64_t)o.fixed, true)));
    return o.lanes ? gang_units_move(g, pointers, LLVMBuildSExt(g->b, o.lanes, wide, ""))
                   : pointers;
}
