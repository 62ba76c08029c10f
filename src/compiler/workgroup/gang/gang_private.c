// SPDX-License-Identifier: MIT
// Private variables in the memory of a gang (private.h says how they lie). Behind the
// units of a variable there is one more for each lane, that nobody reads: a lane that is
// not active may use its own, and what reads more bytes than it needs ends in it.
#include "compiler/workgroup/gang/gang_access.h"

enum { CACHE_LINE_BYTES = 64 };

static struct tf_private layout_of(const struct gang *g, LLVMValueRef pointer)
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
        const unsigned unit_bytes = layout_of(g, v->instruction).unit_bytes;

        if (v->opcode == LLVMAlloca)
            g->values[i].slot = unit_bytes ? add_units(g, v->instruction, unit_bytes)
                                           : add_lane_after_lane(g, v->instruction);
    }
}

// ---- addresses

static LLVMValueRef to_bits(struct gang *g, LLVMValueRef number, LLVMTypeRef scalar)
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

static LLVMValueRef add(struct gang *g, LLVMValueRef a, LLVMValueRef b)
{
    return !a ? b : !b ? a : LLVMBuildAdd(g->b, a, b, "");
}

// What an address is made of, in bytes of the memory of all lanes.
struct offset {
    LLVMValueRef shared; // i64: the same for all lanes; or NULL
    LLVMValueRef lanes;  // i32 for each lane, or NULL
    int64_t fixed;
};

static void add_index(struct gang *g, struct offset *o, LLVMValueRef index,
                      uint64_t bytes)
{
    const LLVMValueRef factor = LLVMConstInt(g->i64, bytes, false);

    if (tf_is_uniform(g->shapes, index))
        o->shared = add(
            g, o->shared,
            LLVMBuildMul(g->b, to_bits(g, gang_scalar(g, index), g->i64), factor, ""));
    else
        o->lanes = add(g, o->lanes,
                       LLVMBuildMul(g->b, to_bits(g, gang_vector(g, index), g->i32),
                                    gang_splat(g, gang_int(g, bytes)), ""));
}

// Adds what one address is behind its base. Constant parts may point into a unit.
static void add_indices(struct gang *g, LLVMValueRef gep, struct offset *o)
{
    const struct tf_private at = layout_of(g, gep);
    const int64_t before = layout_of(g, LLVMGetOperand(gep, 0)).at_bytes;
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

static LLVMValueRef move(struct gang *g, LLVMValueRef pointer, LLVMValueRef bytes)
{
    return LLVMBuildGEP2(g->b, g->wg->i8, pointer, &bytes, 1, "");
}

static LLVMValueRef move_by_shared(struct gang *g, LLVMValueRef pointer,
                                   const struct offset *o)
{
    if (o->shared)
        pointer = move(g, pointer, o->shared);
    if (o->fixed)
        pointer = move(g, pointer, LLVMConstInt(g->i64, (uint64_t)o->fixed, true));
    return pointer;
}

LLVMValueRef gang_private_address(struct gang *g, LLVMValueRef gep)
{
    struct offset o = {0};

    add_indices(g, gep, &o);
    return move_by_shared(g, gang_scalar(g, LLVMGetOperand(gep, 0)), &o);
}

LLVMValueRef gang_private_addresses(struct gang *g, LLVMValueRef gep)
{
    const LLVMTypeRef wide = LLVMVectorType(g->i64, g->width);
    LLVMValueRef pointers = gang_vector(g, LLVMGetOperand(gep, 0));
    struct offset o = {0};

    add_indices(g, gep, &o);
    if (o.shared)
        pointers = move(g, pointers, gang_splat(g, o.shared));
    if (o.fixed)
        pointers = move(g, pointers,
                        gang_splat(g, LLVMConstInt(g->i64, (uint64_t)o.fixed, true)));
    return o.lanes ? move(g, pointers, LLVMBuildSExt(g->b, o.lanes, wide, "")) : pointers;
}

// ---- the same unit of all lanes

LLVMValueRef gang_private_row(struct gang *g, const struct tf_access *a)
{
    const LLVMValueRef address = gang_scalar(g, a->pointer);
    LLVMValueRef variable = a->pointer;

    if (g->plan->blocks[g->block].guarded)
        return address;
    while (!LLVMIsAAllocaInst(variable))
        variable = LLVMGetOperand(variable, 0);
    // Where no lane is active the index may be any.
    return LLVMBuildSelect(g->b, gang_any(g, g->mask), address, gang_scalar(g, variable),
                           "");
}

// ---- gathers and scatters

// Where the lanes' elements are, counted from the variable.
struct spread {
    LLVMValueRef slot, offsets; // i32, bytes: of each element of each lane
    uint64_t spare_bytes;       // of the units that nobody reads
};

// The address is made, in the block at hand, of a variable and indices.
static struct spread spread_of(struct gang *g, const struct tf_access *a)
{
    LLVMValueRef pointer = a->pointer, lanes;
    struct offset o = {0};
    struct spread s;

    for (; !LLVMIsAAllocaInst(pointer); pointer = LLVMGetOperand(pointer, 0)) {
        if (LLVMIsAGetElementPtrInst(pointer))
            add_indices(g, pointer, &o);
    }
    lanes = gang_ramp(g, g->i32, layout_of(g, pointer).unit_bytes);
    if (o.shared)
        lanes = add(g, lanes, gang_splat(g, to_bits(g, o.shared, g->i32)));
    if (o.fixed)
        lanes = add(g, lanes, gang_splat(g, gang_int(g, (uint32_t)o.fixed)));
    s.offsets = add(g, o.lanes, lanes);
    s.slot = gang_scalar(g, pointer);
    s.spare_bytes = tf_private_bytes(&g->shapes->privates, pointer) * g->width;
    return s;
}

// From lanes to elements.
static void spread_elements(struct gang *g, const struct tf_access *a, struct spread *s)
{
    const unsigned all = g->width * a->count;
    LLVMValueRef *steps;
    int *from;

    if (a->count == 1)
        return;
    steps = TF_ARENA_NEW(&g->arena, LLVMValueRef, all);
    from = TF_ARENA_NEW(&g->arena, int, all);
    for (unsigned i = 0; i < all; i++) {
        steps[i] = gang_int(g, i % a->count * a->element_bytes);
        from[i] = (int)(i / a->count);
    }
    s->offsets = LLVMBuildAdd(g->b, gang_permute(g, s->offsets, NULL, from, all),
                              LLVMConstVector(steps, all), "");
}

static LLVMValueRef pointers_of(struct gang *g, const struct spread *s)
{
    const LLVMTypeRef wide =
        LLVMVectorType(g->i64, LLVMGetVectorSize(LLVMTypeOf(s->offsets)));

    return move(g, s->slot, LLVMBuildSExt(g->b, s->offsets, wide, ""));
}

// Lanes that are not active have their own spare unit.
static void aside(struct gang *g, const struct tf_access *a, struct spread *s)
{
    const unsigned unit_bytes = layout_of(g, a->pointer).unit_bytes;
    const unsigned all = g->width * a->count;
    LLVMValueRef *spare;

    if (!g->mask)
        return;
    spare = TF_ARENA_NEW(&g->arena, LLVMValueRef, all);
    for (unsigned i = 0; i < all; i++)
        spare[i] = gang_int(g, s->spare_bytes + i / a->count * unit_bytes +
                                   i % a->count * a->element_bytes);
    s->offsets = LLVMBuildSelect(g->b, gang_widen_mask(g, g->mask, a->type), s->offsets,
                                 LLVMConstVector(spare, all), "");
}

static LLVMValueRef element_pointer(struct gang *g, const struct spread *s, unsigned at)
{
    const LLVMValueRef offset =
        LLVMBuildExtractElement(g->b, s->offsets, gang_int(g, at), "");

    return move(g, s->slot, LLVMBuildSExt(g->b, offset, g->i64, ""));
}

// Without an instruction for it: no lane has to be asked whether it is active.
static LLVMValueRef load_one_by_one(struct gang *g, const struct tf_access *a,
                                    const struct spread *s)
{
    LLVMValueRef made = LLVMGetPoison(gang_type(g, a->type)), one;

    for (unsigned i = 0; i < g->width * a->count; i++) {
        one = LLVMBuildLoad2(g->b, a->element, element_pointer(g, s, i), "");
        LLVMSetAlignment(one, a->align_bytes);
        gang_keep_promises(g, a->instruction, one);
        made = LLVMBuildInsertElement(g->b, made, one, gang_int(g, i), "");
    }
    return made;
}

static void store_one_by_one(struct gang *g, const struct tf_access *a,
                             const struct spread *s, LLVMValueRef value)
{
    for (unsigned i = 0; i < g->width * a->count; i++) {
        const LLVMValueRef one = LLVMBuildExtractElement(g->b, value, gang_int(g, i), "");
        const LLVMValueRef made = LLVMBuildStore(g->b, one, element_pointer(g, s, i));

        LLVMSetAlignment(made, a->align_bytes);
        gang_keep_promises(g, a->instruction, made);
    }
}

// Elements smaller than those that processors gather: with what follows them, which are
// other units of the variable, or spare ones.
static LLVMValueRef gather_words(struct gang *g, const struct tf_access *a,
                                 const struct spread *s)
{
    const LLVMTypeRef words = LLVMVectorType(g->i32, g->width);
    const LLVMTypeRef bits =
        LLVMIntTypeInContext(g->wg->context, 8 * (unsigned)a->element_bytes);
    LLVMValueRef args[3] = {pointers_of(g, s), gang_mask(g), LLVMGetPoison(words)};
    LLVMValueRef made = gang_call_masked(g, "llvm.masked.gather", words, args, 0, 1);

    made = LLVMBuildTrunc(g->b, LLVMBuildFreeze(g->b, made, ""),
                          LLVMVectorType(bits, g->width), "");
    return LLVMBuildBitCast(g->b, made, gang_type(g, a->type), "");
}

LLVMValueRef gang_private_gather(struct gang *g, const struct tf_access *a,
                                 enum tf_form form)
{
    const LLVMTypeRef type = gang_type(g, a->type);
    struct spread s = spread_of(g, a);
    LLVMValueRef args[3];

    spread_elements(g, a, &s);
    if (form == TF_FORM_OWN_WORDS)
        return gather_words(g, a, &s);
    if (form == TF_FORM_OWN_SINGLY) {
        aside(g, a, &s);
        return load_one_by_one(g, a, &s);
    }
    args[0] = pointers_of(g, &s);
    args[1] = gang_widen_mask(g, gang_mask(g), a->type);
    args[2] = LLVMGetPoison(type);
    return gang_keep_promises(
        g, a->instruction,
        gang_call_masked(g, "llvm.masked.gather", type, args, 0, a->align_bytes));
}

void gang_private_scatter(struct gang *g, const struct tf_access *a, LLVMValueRef value)
{
    struct spread s = spread_of(g, a);

    spread_elements(g, a, &s);
    aside(g, a, &s);
    store_one_by_one(g, a, &s, value);
}
