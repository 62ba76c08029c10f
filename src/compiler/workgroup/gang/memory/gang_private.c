// SPDX-License-Identifier: MIT
// Private variables by units: rows, and each lane at an index of its own.
#include "compiler/workgroup/gang/memory/gang_access.h"
#include "compiler/workgroup/gang/value/gang_units.h"

// ---- the same unit of all lanes

LLVMValueRef gang_private_row(struct gang *g, const struct tf_access *a)
{
    const LLVMValueRef address = gang_scalar(g, a->pointer);
    LLVMValueRef variable = a->pointer;

    if (g->plan->blocks[g->block].guarded || tf_access_is_local(a))
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
    struct gang_offset o = {0};
    struct spread s;

    for (; !LLVMIsAAllocaInst(pointer); pointer = LLVMGetOperand(pointer, 0)) {
        if (LLVMIsAGetElementPtrInst(pointer))
            gang_units_add(g, pointer, &o);
    }
    lanes = gang_ramp(g, g->i32, gang_units_of(g, pointer).unit_bytes);
    if (o.shared)
        lanes =
            gang_units_sum(g, lanes, gang_splat(g, gang_units_fit(g, o.shared, g->i32)));
    if (o.fixed)
        lanes = gang_units_sum(g, lanes, gang_splat(g, gang_int(g, (uint32_t)o.fixed)));
    s.offsets = gang_units_sum(g, o.lanes, lanes);
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

    return gang_units_move(g, s->slot, LLVMBuildSExt(g->b, s->offsets, wide, ""));
}

// Lanes that are not active have their own spare unit.
static void aside(struct gang *g, const struct tf_access *a, struct spread *s)
{
    const unsigned unit_bytes = gang_units_of(g, a->pointer).unit_bytes;
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

    return gang_units_move(g, s->slot, LLVMBuildSExt(g->b, offset, g->i64, ""));
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
