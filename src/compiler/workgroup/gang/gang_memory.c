// SPDX-License-Identifier: MIT
// Loads and stores: one access for all lanes where their addresses are the same or side
// by side, gathers and scatters otherwise.
#include "compiler/workgroup/gang/gang_access.h"
#include "compiler/workgroup/gang/table.h"

static LLVMValueRef call_masked(struct gang *g, const struct gang_access *a,
                                const char *name, LLVMTypeRef type, LLVMValueRef *args,
                                unsigned at)
{
    return gang_keep_promises(g, a->instruction,
                              gang_call_masked(g, name, type, args, at, a->align_bytes));
}

// The same bytes in the fewest elements: a processor gathers words of 32 and 64 bits,
// each of them at the same price. Elements past the first are aligned to themselves only.
static struct gang_access in_large_elements(struct gang *g, const struct gang_access *a)
{
    const uint64_t bytes = a->count * a->element_bytes;
    const uint64_t best = bytes % 8 == 0 ? 8 : bytes % 4 == 0 ? 4 : 0;
    struct gang_access e = *a;

    if (a->count == 1)
        return e;
    if (best > a->element_bytes && LLVMGetTypeKind(a->element) != LLVMPointerTypeKind) {
        e.element = best == 8 ? g->i64 : g->i32;
        e.element_bytes = best;
        e.count = (unsigned)(bytes / best);
        e.type = e.count == 1 ? e.element : LLVMVectorType(e.element, e.count);
    }
    if (e.count > 1 && e.align_bytes > e.element_bytes)
        e.align_bytes = (unsigned)e.element_bytes;
    return e;
}

// For masks: there are none for bytes below AVX-512, and fewer elements have smaller
// ones.
static struct gang_access as_masked(struct gang *g, const struct gang_access *a)
{
    return a->element_bytes < sizeof(uint32_t) ? in_large_elements(g, a) : *a;
}

static LLVMValueRef load_side_by_side(struct gang *g, const struct gang_access *a)
{
    const LLVMTypeRef type = gang_type(g, a->type);
    const LLVMValueRef row = gang_private_row(g, a);
    const LLVMValueRef pointer = row ? row : gang_scalar(g, a->pointer);
    LLVMValueRef args[3], made;

    if (g->mask && !row) {
        const struct gang_access e = as_masked(g, a);

        args[0] = pointer;
        args[1] = gang_widen_mask(g, g->mask, e.type);
        args[2] = LLVMGetPoison(gang_type(g, e.type));
        made = call_masked(g, &e, "llvm.masked.load", gang_type(g, e.type), args, 0);
        return LLVMBuildBitCast(g->b, made, type, "");
    }
    made = LLVMBuildLoad2(g->b, type, pointer, "");
    LLVMSetAlignment(made, a->align_bytes);
    return gang_keep_promises(g, a->instruction, made);
}

static void store_side_by_side(struct gang *g, const struct gang_access *a,
                               LLVMValueRef value)
{
    const LLVMValueRef row = gang_private_row(g, a);
    const LLVMValueRef pointer = row ? row : gang_scalar(g, a->pointer);
    LLVMValueRef args[3], made;

    if (row) {
        made = LLVMBuildLoad2(g->b, LLVMTypeOf(value), row, "");
        LLVMSetAlignment(made, a->align_bytes);
        value = gang_blend(g, g->mask, value, made, a->type);
    } else if (g->mask) {
        const struct gang_access e = as_masked(g, a);

        args[0] = LLVMBuildBitCast(g->b, value, gang_type(g, e.type), "");
        args[1] = pointer;
        args[2] = gang_widen_mask(g, g->mask, e.type);
        call_masked(g, &e, "llvm.masked.store", gang_type(g, e.type), args, 1);
        return;
    }
    made = LLVMBuildStore(g->b, value, pointer);
    LLVMSetAlignment(made, a->align_bytes);
    gang_keep_promises(g, a->instruction, made);
}

// The address of every element of every lane.
static LLVMValueRef element_pointers(struct gang *g, const struct gang_access *a)
{
    const LLVMValueRef pointers = gang_vector(g, a->pointer);
    const unsigned all = g->width * a->count;
    LLVMValueRef *offsets, offset, wide;
    int *from;

    if (a->count == 1)
        return pointers;
    offsets = TF_ARENA_NEW(&g->arena, LLVMValueRef, all);
    from = TF_ARENA_NEW(&g->arena, int, all);
    for (unsigned i = 0; i < all; i++) {
        offsets[i] = LLVMConstInt(g->i64, i % a->count * a->element_bytes, false);
        from[i] = (int)(i / a->count);
    }
    wide = gang_permute(g, pointers, NULL, from, all);
    offset = LLVMConstVector(offsets, all);
    return LLVMBuildGEP2(g->b, g->wg->i8, wide, &offset, 1, "");
}

static LLVMValueRef gather(struct gang *g, const struct gang_access *a)
{
    const struct gang_access e = in_large_elements(g, a);
    const LLVMTypeRef type = gang_type(g, e.type);
    LLVMValueRef made = gang_private_gather(g, &e), args[3];

    gang_note_access(g, a->instruction, false);
    if (!made) {
        args[0] = element_pointers(g, &e);
        args[1] = gang_widen_mask(g, gang_mask(g), e.type);
        args[2] = LLVMGetPoison(type);
        made = call_masked(g, &e, "llvm.masked.gather", type, args, 0);
    }
    return LLVMBuildBitCast(g->b, made, gang_type(g, a->type), "");
}

static void scatter(struct gang *g, const struct gang_access *a, LLVMValueRef value)
{
    const struct gang_access e = in_large_elements(g, a);
    const LLVMTypeRef type = gang_type(g, e.type);
    LLVMValueRef args[3];

    gang_note_access(g, a->instruction, true);
    value = LLVMBuildBitCast(g->b, value, type, "");
    if (gang_private_scatter(g, &e, value))
        return;
    args[0] = value;
    args[1] = element_pointers(g, &e);
    args[2] = gang_widen_mask(g, gang_mask(g), e.type);
    call_masked(g, &e, "llvm.masked.scatter", type, args, 1);
}

// ---- addresses that are side by side unless an index wraps

// Whether lane 0 and the last lane are as far apart as without a wrap; the lanes between
// are then, too, because no type is narrow enough to wrap twice.
static LLVMValueRef does_not_wrap(struct gang *g, LLVMValueRef extension)
{
    const LLVMValueRef operand = LLVMGetOperand(extension, 0);
    const uint64_t steps = g->width - 1;
    const struct tf_shape from = tf_shape_of(&g->shapes, operand);
    const struct tf_shape to = tf_shape_of(&g->shapes, extension);
    const LLVMValueRef first = gang_scalar(g, extension);
    const LLVMValueRef last_operand = LLVMBuildAdd(
        g->b, gang_scalar(g, operand),
        LLVMConstInt(LLVMTypeOf(operand), (uint64_t)from.stride * steps, true), "");
    const LLVMValueRef last = gang_clone(g, extension);

    LLVMSetOperand(last, 0, last_operand);
    return LLVMBuildICmp(
        g->b, LLVMIntEQ, last,
        LLVMBuildAdd(g->b, first,
                     LLVMConstInt(LLVMTypeOf(first), (uint64_t)to.stride * steps, true),
                     ""),
        "");
}

struct fork {
    LLVMBasicBlockRef far, join;
};

// Leaves the builder on the side where lanes are side by side.
static struct fork open_fork(struct gang *g, LLVMValueRef extension)
{
    const LLVMBasicBlockRef near =
        LLVMAppendBasicBlockInContext(g->wg->context, g->to, "near");
    const struct fork f = {
        .far = LLVMAppendBasicBlockInContext(g->wg->context, g->to, "far"),
        .join = LLVMAppendBasicBlockInContext(g->wg->context, g->to, "join"),
    };

    LLVMBuildCondBr(g->b, LLVMBuildFreeze(g->b, does_not_wrap(g, extension), ""), near,
                    f.far);
    LLVMPositionBuilderAtEnd(g->b, near);
    return f;
}

static void other_side(struct gang *g, const struct fork *f)
{
    LLVMBuildBr(g->b, f->join);
    LLVMPositionBuilderAtEnd(g->b, f->far);
}

static void close_fork(struct gang *g, const struct fork *f)
{
    LLVMBuildBr(g->b, f->join);
    LLVMPositionBuilderAtEnd(g->b, f->join);
}

// Both ways must find what they need made before they part.
static void prepare_both(struct gang *g, const struct gang_access *a)
{
    (void)gang_scalar(g, a->pointer);
    (void)gang_vector(g, a->pointer);
}

static LLVMValueRef load_either_way(struct gang *g, const struct gang_access *a,
                                    LLVMValueRef extension)
{
    const LLVMTypeRef type = gang_type(g, a->type);
    const LLVMValueRef slot = gang_slot(g, type, "either");
    struct fork f;

    prepare_both(g, a);
    f = open_fork(g, extension);
    LLVMBuildStore(g->b, load_side_by_side(g, a), slot);
    other_side(g, &f);
    LLVMBuildStore(g->b, gather(g, a), slot);
    close_fork(g, &f);
    return LLVMBuildLoad2(g->b, type, slot, "");
}

static void store_either_way(struct gang *g, const struct gang_access *a,
                             LLVMValueRef extension, LLVMValueRef value)
{
    struct fork f;

    prepare_both(g, a);
    f = open_fork(g, extension);
    store_side_by_side(g, a, value);
    other_side(g, &f);
    scatter(g, a, value);
    close_fork(g, &f);
}

// ---- instructions

static bool is_side_by_side(const struct gang_access *a, struct tf_shape shape)
{
    return (uint64_t)shape.stride == a->count * a->element_bytes;
}

void gang_load(struct gang *g, struct tf_value *v)
{
    const struct gang_access a = gang_access_of(g, v->instruction);
    const struct tf_shape shape = tf_shape_of(&g->shapes, a.pointer);

    if (gang_group_load(g, v)) {
        gang_note(g, v->instruction, GANG_NOTE_STRIDED);
        return;
    }
    if (v->shape.kind != TF_SHAPE_VARYING)
        gang_define(g, v, gang_clone(g, v->instruction), NULL);
    else if (gang_is_ordered(v->instruction) || a.element_bytes == 0)
        gang_lane_loop(g, v);
    else if (!is_side_by_side(&a, shape) && gang_table_load(g, v))
        return;
    else if (!is_side_by_side(&a, shape))
        gang_define(g, v, NULL, gather(g, &a));
    else if (shape.unless)
        gang_define(g, v, NULL, load_either_way(g, &a, shape.unless));
    else
        gang_define(g, v, NULL, load_side_by_side(g, &a));
}

// All lanes store to one address: that of the highest active lane stays.
static void store_last(struct gang *g, const struct gang_access *a, LLVMValueRef value)
{
    const LLVMValueRef one =
        tf_is_uniform(&g->shapes, value)
            ? gang_scalar(g, value)
            : gang_take(g, gang_vector(g, value), a->type, gang_last_lane(g));
    const LLVMValueRef made = LLVMBuildStore(g->b, one, gang_scalar(g, a->pointer));

    LLVMSetAlignment(made, a->align_bytes);
    tf_wg_mark_one(g->wg, gang_keep_promises(g, a->instruction, made));
}

void gang_store(struct gang *g, struct tf_value *v)
{
    const LLVMValueRef value = LLVMGetOperand(v->instruction, 0);
    const struct gang_access a = gang_access_of(g, v->instruction);
    const struct tf_shape shape = tf_shape_of(&g->shapes, a.pointer);

    if (gang_group_store(g, v)) {
        gang_note(g, v->instruction, GANG_NOTE_STRIDED);
        return;
    }
    if (gang_is_ordered(v->instruction))
        gang_lane_loop(g, v);
    else if (shape.kind == TF_SHAPE_AFFINE && shape.stride == 0)
        store_last(g, &a, value);
    else if (a.element_bytes == 0)
        gang_lane_loop(g, v);
    else if (!is_side_by_side(&a, shape))
        scatter(g, &a, gang_vector(g, value));
    else if (shape.unless)
        store_either_way(g, &a, shape.unless, gang_vector(g, value));
    else
        store_side_by_side(g, &a, gang_vector(g, value));
}
