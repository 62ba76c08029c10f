// SPDX-License-Identifier: MIT
// Loads and stores: one access for all lanes where their addresses are the same or side
// by side, gathers and scatters otherwise.
#include "compiler/workgroup/gang/memory/gang_access.h"

#include "compiler/workgroup/analysis/index.h"
#include "compiler/workgroup/plan/permute.h"

enum {
    WHOLE_BYTES = 16, // of a lane's elements, that are worth a load
    WORD_BYTES = 4,   // the least that processors scatter
    MAX_ONE_BY_ONE = 64,
};

static LLVMValueRef call_masked(struct gang *g, const struct tf_access *a,
                                const char *name, LLVMTypeRef type, LLVMValueRef *args,
                                unsigned at)
{
    return gang_keep_promises(g, a->instruction,
                              gang_call_masked(g, name, type, args, at, a->align_bytes));
}

// For masks: there are none for bytes below AVX-512, and fewer elements have smaller
// ones.
static struct tf_access as_masked(const struct tf_access *a)
{
    return a->element_bytes < sizeof(uint32_t) ? tf_access_in_words(a) : *a;
}

static LLVMValueRef load_masked(struct gang *g, const struct tf_access *a)
{
    const struct tf_access e = as_masked(a);
    const LLVMTypeRef type = gang_type(g, e.type);
    LLVMValueRef args[3];

    args[0] = gang_scalar(g, a->pointer);
    args[1] = gang_widen_mask(g, g->mask, e.type);
    args[2] = LLVMGetPoison(type);
    return LLVMBuildBitCast(g->b, call_masked(g, &e, "llvm.masked.load", type, args, 0),
                            gang_type(g, a->type), "");
}

static LLVMValueRef load_all(struct gang *g, const struct tf_access *a,
                             LLVMValueRef pointer)
{
    const LLVMValueRef made = LLVMBuildLoad2(g->b, gang_type(g, a->type), pointer, "");

    LLVMSetAlignment(made, a->align_bytes);
    return gang_keep_promises(g, a->instruction, made);
}

// All lanes of a row, also where a mask says which are active. What the program promises
// of its access holds for the memory of these only.
static LLVMValueRef load_whole_row(struct gang *g, const struct tf_access *a,
                                   LLVMValueRef row)
{
    const LLVMValueRef made = LLVMBuildLoad2(g->b, gang_type(g, a->type), row, "");

    LLVMSetAlignment(made, a->align_bytes);
    return made;
}

static LLVMValueRef load_in_page(struct gang *g, const struct tf_access *a)
{
    const struct gang_fork f = gang_open_page(g, a);
    const LLVMValueRef slot = gang_slot(g, gang_type(g, a->type), "page");
    const LLVMValueRef near = load_whole_row(g, a, gang_scalar(g, a->pointer));

    tf_wg_mark_one(g->wg, near);
    LLVMBuildStore(g->b, near, slot);
    gang_other_side(g, &f);
    LLVMBuildStore(g->b, load_masked(g, a), slot);
    gang_close_fork(g, &f);
    return LLVMBuildLoad2(g->b, gang_type(g, a->type), slot, "");
}

static LLVMValueRef load_side_by_side(struct gang *g, const struct tf_access *a)
{
    const struct tf_access e = as_masked(a);

    if (!g->mask)
        return load_all(g, a, gang_scalar(g, a->pointer));
    return gang_may_load_page(g, &e) ? load_in_page(g, a) : load_masked(g, a);
}

static LLVMValueRef load_row(struct gang *g, const struct tf_access *a)
{
    return g->mask ? load_whole_row(g, a, gang_private_row(g, a))
                   : load_all(g, a, gang_scalar(g, a->pointer));
}

static void store_all(struct gang *g, const struct tf_access *a, LLVMValueRef pointer,
                      LLVMValueRef value)
{
    const LLVMValueRef made = LLVMBuildStore(g->b, value, pointer);

    LLVMSetAlignment(made, a->align_bytes);
    gang_keep_promises(g, a->instruction, made);
}

static void store_side_by_side(struct gang *g, const struct tf_access *a,
                               LLVMValueRef value)
{
    const LLVMValueRef pointer = gang_scalar(g, a->pointer);
    const struct tf_access e = as_masked(a);
    LLVMValueRef args[3];

    if (!g->mask) {
        store_all(g, a, pointer, value);
        return;
    }
    args[0] = LLVMBuildBitCast(g->b, value, gang_type(g, e.type), "");
    args[1] = pointer;
    args[2] = gang_widen_mask(g, g->mask, e.type);
    call_masked(g, &e, "llvm.masked.store", gang_type(g, e.type), args, 1);
}

// Lanes that are not active are stored again as they were. Nobody else has this memory.
static void store_row(struct gang *g, const struct tf_access *a, LLVMValueRef value)
{
    LLVMValueRef row, made;

    if (!g->mask) {
        store_all(g, a, gang_scalar(g, a->pointer), value);
        return;
    }
    row = gang_private_row(g, a);
    value = gang_blend(g, g->mask, value, load_whole_row(g, a, row), a->type);
    made = LLVMBuildStore(g->b, value, row);
    LLVMSetAlignment(made, a->align_bytes);
}

// The address of every element of every lane.
static LLVMValueRef element_pointers(struct gang *g, const struct tf_access *a)
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

// Two vectors of a kind as one.
static LLVMValueRef join(struct gang *g, LLVMValueRef low, LLVMValueRef high)
{
    const unsigned all = 2 * LLVMGetVectorSize(LLVMTypeOf(low));
    int *from = TF_ARENA_NEW(&g->arena, int, all);

    for (unsigned i = 0; i < all; i++)
        from[i] = (int)i;
    return gang_permute(g, low, high, from, all);
}

// A lane's elements are as much as the smallest register: one load each. Gathers would
// take them apart.
static bool is_load_each(const struct gang *g, const struct tf_access *a,
                         enum tf_form form)
{
    return form == TF_FORM_GATHER && !g->mask && a->count > 1 &&
           tf_access_bytes(a) == WHOLE_BYTES && (g->width & (g->width - 1)) == 0;
}

static LLVMValueRef load_each(struct gang *g, const struct tf_access *a)
{
    const LLVMValueRef pointers = gang_vector(g, a->pointer);
    LLVMValueRef *parts = TF_ARENA_NEW(&g->arena, LLVMValueRef, g->width);

    for (unsigned i = 0; i < g->width; i++) {
        const LLVMValueRef lane = LLVMConstInt(g->i64, i, false);

        parts[i] = LLVMBuildLoad2(g->b, a->type,
                                  LLVMBuildExtractElement(g->b, pointers, lane, ""), "");
        LLVMSetAlignment(parts[i], a->align_bytes);
        gang_keep_promises(g, a->instruction, parts[i]);
    }
    for (unsigned left = g->width; left > 1; left /= 2)
        for (unsigned i = 0; i < left / 2; i++)
            parts[i] = join(g, parts[2 * i], parts[2 * i + 1]);
    return parts[0];
}

LLVMValueRef gang_spread_pointer(struct gang *g, LLVMValueRef pointer,
                                 LLVMValueRef pointers)
{
    const LLVMTypeRef type = LLVMTypeOf(pointers);
    const LLVMTypeRef many = LLVMVectorType(g->i32, LLVMGetVectorSize(type));
    LLVMValueRef one = pointer;

    if (LLVMGetPointerAddressSpace(LLVMGetElementType(type)) != TF_AS_PRIVATE)
        one = LLVMBuildAddrSpaceCast(g->b, one, LLVMGetElementType(type), "");
    one = LLVMBuildInsertElement(g->b, LLVMGetPoison(type), one, gang_int(g, 0), "");
    return LLVMBuildShuffleVector(g->b, one, LLVMGetPoison(type), LLVMConstNull(many),
                                  "");
}

// Whether one lane comes here at most: where a number that each has another of is one
// certain number.
static bool is_for_one_lane(const struct gang *g)
{
    const struct tf_cfg *cfg = g->shapes->cfg;
    const struct tf_cfg_block *block = &cfg->blocks[g->block];
    const struct tf_cfg_block *from =
        block->pred_count == 1 ? &cfg->blocks[block->preds[0]] : NULL;
    const LLVMValueRef test = from ? tf_cfg_condition(cfg, block->preds[0]) : NULL;
    struct tf_shape shape;

    if (!test || from->succs[0] != g->block || !LLVMIsAICmpInst(test) ||
        LLVMGetICmpPredicate(test) != LLVMIntEQ ||
        !tf_is_uniform(g->shapes, LLVMGetOperand(test, 1)))
        return false;
    shape = tf_shape_of(g->shapes, LLVMGetOperand(test, 0));
    return shape.kind == TF_SHAPE_AFFINE && shape.stride != 0;
}

// Gathers under masks that the processor has no instruction for: as LLVM takes them apart
// each lane has a branch, which is foreseen badly where lanes differ; not outside of
// regions, where all but the gangs at ends of rows are whole.
static bool is_load_one_by_one(const struct gang *g, const struct tf_access *e)
{
    return g->mask && g->shapes->region_of[g->block] != TF_CFG_NONE &&
           g->width * e->count <= MAX_ONE_BY_ONE &&
           (!g->plan->target.gathers_masked || e->element_bytes < WORD_BYTES) &&
           !is_for_one_lane(g);
}

// Lanes that are not active load zeros.
static LLVMValueRef load_one_by_one(struct gang *g, const struct tf_access *e)
{
    const LLVMValueRef pointers = element_pointers(g, e);
    const LLVMValueRef safe =
        LLVMBuildSelect(g->b, gang_widen_mask(g, g->mask, e->type), pointers,
                        gang_spread_pointer(g, gang_zeros(g), pointers), "");
    LLVMValueRef made = LLVMGetPoison(gang_type(g, e->type));

    for (unsigned i = 0; i < g->width * e->count; i++) {
        const LLVMValueRef lane = gang_int(g, i);
        const LLVMValueRef one = LLVMBuildLoad2(
            g->b, e->element, LLVMBuildExtractElement(g->b, safe, lane, ""), "");

        // Zeros are aligned to any number.
        LLVMSetAlignment(one, e->align_bytes < e->element_bytes
                                  ? e->align_bytes
                                  : (unsigned)e->element_bytes);
        made = LLVMBuildInsertElement(g->b, made, one, lane, "");
    }
    return made;
}

static LLVMValueRef gather(struct gang *g, const struct tf_access *a, enum tf_form form)
{
    const struct tf_access e = tf_access_in_words(a);
    const LLVMTypeRef type = gang_type(g, e.type);
    LLVMValueRef made, args[3];

    if (is_load_each(g, a, form))
        return load_each(g, a);
    if (form == TF_FORM_GATHER && is_load_one_by_one(g, &e)) {
        made = load_one_by_one(g, &e);
    } else if (form == TF_FORM_GATHER) {
        args[0] = element_pointers(g, &e);
        args[1] = gang_widen_mask(g, gang_mask(g), e.type);
        args[2] = LLVMGetPoison(type);
        made = call_masked(g, &e, "llvm.masked.gather", type, args, 0);
    } else {
        made = gang_private_gather(g, &e, form);
    }
    return LLVMBuildBitCast(g->b, made, gang_type(g, a->type), "");
}

// Scatters under masks that the processor has no instruction for: as LLVM takes them
// apart each lane has a branch, which is foreseen badly where lanes differ.
static bool is_store_each(const struct gang *g, const struct tf_access *e)
{
    return g->mask && g->width * e->count <= MAX_ONE_BY_ONE &&
           (!g->plan->target.scatters || e->element_bytes < WORD_BYTES);
}

// The address of a variable that nobody reads, once for each of `pointers`.
static LLVMValueRef spare_for(struct gang *g, const struct tf_access *e,
                              LLVMValueRef pointers)
{
    const LLVMValueRef spare = gang_slot(g, e->element, "spare");

    LLVMSetAlignment(spare, e->align_bytes > WHOLE_BYTES ? e->align_bytes : WHOLE_BYTES);
    return gang_spread_pointer(g, spare, pointers);
}

static void store_each(struct gang *g, const struct tf_access *e, LLVMValueRef value)
{
    const LLVMValueRef pointers = element_pointers(g, e);
    const unsigned all = g->width * e->count;
    const LLVMValueRef safe = LLVMBuildSelect(g->b, gang_widen_mask(g, g->mask, e->type),
                                              pointers, spare_for(g, e, pointers), "");

    for (unsigned i = 0; i < all; i++) {
        const LLVMValueRef lane = gang_int(g, i);
        const LLVMValueRef made =
            LLVMBuildStore(g->b, LLVMBuildExtractElement(g->b, value, lane, ""),
                           LLVMBuildExtractElement(g->b, safe, lane, ""));

        LLVMSetAlignment(made, e->align_bytes);
        gang_keep_promises(g, e->instruction, made);
    }
}

static void scatter(struct gang *g, const struct tf_access *a, enum tf_form form,
                    LLVMValueRef value)
{
    const struct tf_access e = tf_access_in_words(a);
    const LLVMTypeRef type = gang_type(g, e.type);
    LLVMValueRef args[3];

    value = LLVMBuildBitCast(g->b, value, type, "");
    if (form != TF_FORM_SCATTER) {
        gang_private_scatter(g, &e, value);
        return;
    }
    if (is_store_each(g, &e)) {
        store_each(g, &e, value);
        return;
    }
    args[0] = value;
    args[1] = element_pointers(g, &e);
    args[2] = gang_widen_mask(g, gang_mask(g), e.type);
    call_masked(g, &e, "llvm.masked.scatter", type, args, 1);
}

// ---- addresses that are side by side unless an index wraps, or an argument spaces them

// Whether lane 0 and the last lane are as far apart as without a wrap; the lanes between
// are then, too, because no type is narrow enough to wrap twice.
static LLVMValueRef does_not_wrap(struct gang *g, LLVMValueRef extension)
{
    const LLVMValueRef operand = LLVMGetOperand(extension, 0);
    const uint64_t steps = g->width - 1;
    const struct tf_shape from = tf_shape_of(g->shapes, operand);
    const struct tf_shape to = tf_shape_of(g->shapes, extension);
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

// What the address is regular unless of, asked now.
static LLVMValueRef is_regular(struct gang *g, LLVMValueRef unless)
{
    const LLVMValueRef spacing = tf_spacing_asked_for(g->shapes, unless);
    LLVMValueRef by, is_one;

    if (!spacing)
        return does_not_wrap(g, unless);
    by = gang_scalar(g, spacing);
    is_one =
        LLVMBuildICmp(g->b, LLVMIntEQ, by, LLVMConstInt(LLVMTypeOf(by), 1, false), "");
    return LLVMGetInstructionOpcode(unless) == LLVMMul
               ? is_one
               : LLVMBuildAnd(g->b, is_one, does_not_wrap(g, unless), "");
}

// Both ways must find what they need made before they part.
static void prepare_both(struct gang *g, const struct tf_access *a)
{
    (void)gang_scalar(g, a->pointer);
    (void)gang_vector(g, a->pointer);
}

// `near` has been loaded on its side: what the lanes gather on the other, or that.
static LLVMValueRef else_gather(struct gang *g, const struct gang_fork *f,
                                LLVMValueRef near, const struct tf_access *a,
                                enum tf_form far)
{
    const LLVMValueRef slot = gang_slot(g, LLVMTypeOf(near), "either");

    LLVMBuildStore(g->b, near, slot);
    gang_other_side(g, f);
    LLVMBuildStore(g->b, gather(g, a, far), slot);
    gang_close_fork(g, f);
    return LLVMBuildLoad2(g->b, LLVMTypeOf(near), slot, "");
}

static void else_scatter(struct gang *g, const struct gang_fork *f,
                         const struct tf_access *a, enum tf_form far, LLVMValueRef value)
{
    gang_other_side(g, f);
    scatter(g, a, far, value);
    gang_close_fork(g, f);
}

// The side where lanes are side by side.
static struct gang_fork open_regular(struct gang *g, const struct tf_access *a)
{
    const LLVMValueRef unless = tf_shape_of(g->shapes, a->pointer).unless;

    prepare_both(g, a);
    return gang_open_fork(g, LLVMBuildFreeze(g->b, is_regular(g, unless), ""));
}

static LLVMValueRef load_neighbours(struct gang *g, const struct tf_value *v,
                                    const struct tf_access *a)
{
    const LLVMValueRef made = load_side_by_side(g, a);

    if (tf_plan_fetches_next(g->plan, v))
        gang_fetch_next(g, a);
    return made;
}

static LLVMValueRef load_either_way(struct gang *g, const struct tf_value *v,
                                    const struct tf_access *a, enum tf_form far)
{
    const struct gang_fork f = open_regular(g, a);

    return else_gather(g, &f, load_neighbours(g, v, a), a, far);
}

// In launches that do not stream as ever.
static void store_past_caches(struct gang *g, const struct tf_access *a,
                              LLVMValueRef value)
{
    const LLVMValueRef mask = g->mask, pointer = gang_scalar(g, a->pointer);
    const struct gang_fork f = gang_open_fork(g, gang_goes_past_caches(g, pointer));

    g->mask = NULL;
    gang_make_non_temporal(g, LLVMBuildStore(g->b, value, pointer));
    g->mask = mask;
    gang_other_side(g, &f);
    store_side_by_side(g, a, value);
    gang_close_fork(g, &f);
}

static void store_neighbours(struct gang *g, const struct tf_value *v,
                             const struct tf_access *a, LLVMValueRef value)
{
    if (gang_may_go_past_caches(g, v))
        store_past_caches(g, a, value);
    else
        store_side_by_side(g, a, value);
}

static void store_either_way(struct gang *g, const struct tf_value *v,
                             const struct tf_access *a, enum tf_form far,
                             LLVMValueRef value)
{
    const struct gang_fork f = open_regular(g, a);

    store_neighbours(g, v, a, value);
    else_scatter(g, &f, a, far, value);
}

static LLVMValueRef load_window(struct gang *g, const struct tf_value *v,
                                const struct tf_access *a, enum tf_form far)
{
    struct tf_window w;
    struct gang_fork f;

    if (!tf_window_of(g->plan, v, &w))
        return gather(g, a, far);
    (void)gang_scalar(g, LLVMGetOperand(w.address, 0));
    (void)gang_vector(g, a->pointer);
    f = gang_open_fork(g, gang_window_fits(g, &w));
    return else_gather(g, &f, gang_window_take(g, a, &w), a, far);
}

static LLVMValueRef load_rising(struct gang *g, const struct tf_access *a,
                                enum tf_form far)
{
    const struct gang_fork f = gang_open_fork(g, gang_rising_fits(g, a, true));

    return else_gather(g, &f, gang_rising_load(g, a), a, far);
}

static void store_rising(struct gang *g, const struct tf_access *a, enum tf_form far,
                         LLVMValueRef value)
{
    const struct gang_fork f = gang_open_fork(g, gang_rising_fits(g, a, false));

    gang_rising_store(g, a, value);
    else_scatter(g, &f, a, far, value);
}

// ---- instructions

// All lanes store to one address: that of the highest active lane stays.
static void store_last(struct gang *g, const struct tf_access *a, LLVMValueRef value)
{
    const LLVMValueRef one =
        tf_is_uniform(g->shapes, value)
            ? gang_scalar(g, value)
            : gang_take(g, gang_vector(g, value), a->type, gang_last_lane(g));
    const LLVMValueRef made = LLVMBuildStore(g->b, one, gang_scalar(g, a->pointer));

    LLVMSetAlignment(made, a->align_bytes);
    tf_wg_mark_one(g->wg, gang_keep_promises(g, a->instruction, made));
}

void gang_load(struct gang *g, struct tf_value *v)
{
    const struct tf_access a = tf_access_of(g->shapes->layout, v->instruction);
    const struct tf_plan_value *plan = &g->plan->values[v - g->shapes->values];

    switch ((int)plan->form) {
    case TF_FORM_SIDE_BY_SIDE:
        gang_define(g, v, NULL, load_neighbours(g, v, &a));
        break;
    case TF_FORM_ROW:
        gang_define(g, v, NULL, load_row(g, &a));
        break;
    case TF_FORM_EITHER_WAY:
        gang_define(g, v, NULL, load_either_way(g, v, &a, plan->far));
        break;
    case TF_FORM_WINDOW:
        gang_define(g, v, NULL, load_window(g, v, &a, plan->far));
        break;
    case TF_FORM_RISING:
        gang_define(g, v, NULL, load_rising(g, &a, plan->far));
        break;
    case TF_FORM_BUNDLE:
        gang_bundle_load(g, v);
        break;
    case TF_FORM_STRIP:
        gang_strip_load(g, v);
        break;
    case TF_FORM_TABLE:
        gang_table_load(g, v);
        break;
    default:
        gang_define(g, v, NULL, gather(g, &a, plan->form));
        break;
    }
}

// A whole gang stores without a mask where that is faster, or a mask would mean one lane
// after the other.
static void store_of_whole_gang(struct gang *g, const struct tf_access *a,
                                LLVMValueRef value)
{
    const LLVMValueRef mask = g->mask;
    struct gang_fork f;

    (void)gang_scalar(g, a->pointer);
    f = gang_open_fork(g, gang_is_whole(g));
    g->mask = NULL;
    store_side_by_side(g, a, value);
    g->mask = mask;
    gang_other_side(g, &f);
    store_side_by_side(g, a, value);
    gang_close_fork(g, &f);
}

static bool knows_whole_gangs(const struct gang *g)
{
    return g->plan->serves_whole && !g->plan->target.masks_free &&
           g->shapes->region_of[g->block] == TF_CFG_NONE;
}

void gang_store(struct gang *g, struct tf_value *v)
{
    const LLVMValueRef value = LLVMGetOperand(v->instruction, 0);
    const struct tf_access a = tf_access_of(g->shapes->layout, v->instruction);
    const struct tf_plan_value *plan = &g->plan->values[v - g->shapes->values];

    switch ((int)plan->form) {
    case TF_FORM_LAST_LANE:
        store_last(g, &a, value);
        break;
    case TF_FORM_SIDE_BY_SIDE:
        if (knows_whole_gangs(g))
            store_of_whole_gang(g, &a, gang_vector(g, value));
        else
            store_neighbours(g, v, &a, gang_vector(g, value));
        break;
    case TF_FORM_ROW:
        store_row(g, &a, gang_vector(g, value));
        break;
    case TF_FORM_EITHER_WAY:
        store_either_way(g, v, &a, plan->far, gang_vector(g, value));
        break;
    case TF_FORM_RISING:
        store_rising(g, &a, plan->far, gang_vector(g, value));
        break;
    case TF_FORM_BUNDLE:
        gang_bundle_store(g, v);
        break;
    case TF_FORM_STRIP:
        gang_strip_store(g, v);
        break;
    default:
        scatter(g, &a, plan->form, gang_vector(g, value));
        break;
    }
}
