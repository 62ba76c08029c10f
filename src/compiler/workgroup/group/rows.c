// SPDX-License-Identifier: MIT
// Pass "rows": the entry function of a kernel with lanes. It runs the items of a range of
// groups row by row, a row in gangs of W and at its end one gang of what is left. A
// kernel that does not ask for its place in the group has rows that reach through all
// groups of the range side by side: groups of one work-item run as fast as large ones.
// Where G rows and whole gangs of them are left, packs run them
// (workgroup/plan/pack/pack.h).
//
// It serves small launches (abi/launch_fit.h); kernels with sub-groups have the entry
// function of their linear form beside it, for the rest.
#include <string.h>

#include <llvm-c/Core.h>

#include "abi/cpu_abi.h"
#include "compiler/ir/ir_util.h"
#include "compiler/ir/roots.h"
#include "compiler/workgroup/group/gang_fibers.h"
#include "compiler/workgroup/kernel/small.h"
#include "compiler/workgroup/kernel/wg.h"

struct rows {
    struct tf_wg *wg;
    LLVMBuilderRef b;
    LLVMValueRef other;       // entry function of the other form
    struct tf_wg_sizes s;     // of the launch
    LLVMValueRef at[3], left; // slots: the next group, and groups that are left
    LLVMValueRef group;       // struct tf_group
    LLVMValueRef
        limits[3]; // of the ids that have work, in the order of the group; or NULL
};

static LLVMValueRef number(struct rows *r, uint64_t n)
{
    return tf_wg_number(r->wg, n);
}

static LLVMBasicBlockRef add_block(struct rows *r, const char *name)
{
    return LLVMAppendBasicBlockInContext(r->wg->context, r->wg->forms->entry, name);
}

static LLVMValueRef load(struct rows *r, LLVMValueRef slot)
{
    return LLVMBuildLoad2(r->b, r->wg->i64, slot, "");
}

static LLVMValueRef is_small(struct rows *r)
{
    const LLVMValueRef limit = number(r, TF_SMALL_LIMIT);
    LLVMValueRef small = NULL;

    for (int d = 0; d < 3; d++) {
        const LLVMValueRef room = LLVMBuildSub(r->b, limit, r->s.offset[d], "");
        const LLVMValueRef starts =
            LLVMBuildICmp(r->b, LLVMIntULE, r->s.offset[d], limit, "");
        const LLVMValueRef ends =
            LLVMBuildICmp(r->b, LLVMIntULE, r->s.global[d], room, "");
        const LLVMValueRef fits = LLVMBuildAnd(r->b, starts, ends, "");

        small = small ? LLVMBuildAnd(r->b, small, fits, "") : fits;
    }
    return small;
}

// Whether the rows of all groups are whole sub-groups, or each group is one row.
static LLVMValueRef has_whole_rows(struct rows *r)
{
    const LLVMValueRef zero = number(r, 0), one = number(r, 1);
    const LLVMValueRef plane = LLVMBuildOr(r->b, r->s.local[1], r->s.local[2], "");
    const LLVMValueRef single = LLVMBuildICmp(r->b, LLVMIntEQ, plane, one, "");
    const LLVMValueRef rest =
        LLVMBuildAnd(r->b, r->s.local[0], number(r, r->wg->item->sub_group_size - 1), "");
    const LLVMValueRef ragged = LLVMBuildURem(r->b, r->s.global[0], r->s.local[0], "");
    const LLVMValueRef whole =
        LLVMBuildICmp(r->b, LLVMIntEQ, LLVMBuildOr(r->b, rest, ragged, ""), zero, "");

    return LLVMBuildOr(r->b, single, whole, "");
}

static LLVMValueRef min(struct rows *r, LLVMValueRef a, LLVMValueRef b)
{
    return tf_wg_min(r->wg, a, b);
}

static void store(struct rows *r, size_t offset_bytes, LLVMValueRef value)
{
    LLVMBuildStore(r->b, value, tf_wg_address(r->wg, r->group, offset_bytes));
}

// Fills struct tf_group for a box of count[0] groups side by side and count[1] rows of
// them; size[] is that of the box in items. Lanes along dimension 1 see dimensions 0 and
// 1 in each other's place.
static void fill_group(struct rows *r, const LLVMValueRef count[2], LLVMValueRef size[3])
{
    const bool turned = r->wg->lanes->turned;

    for (int d = 0; d < 3; d++) {
        const LLVMValueRef id = load(r, r->at[d]);
        const LLVMValueRef start = LLVMBuildMul(r->b, id, r->s.local[d], "");
        const LLVMValueRef full =
            d < 2 ? LLVMBuildMul(r->b, count[d], r->s.local[d], "") : r->s.local[d];
        const int as = turned && d < 2 ? 1 - d : d;

        size[as] = min(r, LLVMBuildSub(r->b, r->s.global[d], start, ""), full);
        store(r, TF_WG_GROUP_FIELD(group_id, (size_t)as), id);
        store(r, TF_WG_GROUP_FIELD(local_size, (size_t)as), size[as]);
        store(r, TF_WG_GROUP_FIELD(global_base, (size_t)as),
              LLVMBuildAdd(r->b, start, r->s.offset[d], ""));
    }
}

// The next groups; a box of `count` is done, whole rows of them if it has several.
static void step(struct rows *r, const LLVMValueRef count[2])
{
    LLVMValueRef next, full, by = count[0];

    for (int d = 0; d < 3; d++) {
        next = LLVMBuildAdd(r->b, load(r, r->at[d]), by, "");
        full = LLVMBuildICmp(r->b, LLVMIntEQ, next, r->s.groups[d], "");
        LLVMBuildStore(r->b,
                       d < 2 ? LLVMBuildSelect(r->b, full, number(r, 0), next, "") : next,
                       r->at[d]);
        by = d ? LLVMBuildZExt(r->b, full, r->wg->i64, "")
               : LLVMBuildSelect(r->b, full, count[1], number(r, 0), "");
    }
}

// ---- one box of items

struct counter {
    LLVMValueRef slot, value;
    LLVMBasicBlockRef head;
};

// The loop body runs at least once.
static struct counter open_counter_at(struct rows *r, LLVMValueRef slot,
                                      LLVMValueRef first)
{
    struct counter c = {.slot = slot, .head = add_block(r, "loop")};

    LLVMBuildStore(r->b, first, slot);
    LLVMBuildBr(r->b, c.head);
    LLVMPositionBuilderAtEnd(r->b, c.head);
    c.value = load(r, slot);
    return c;
}

static struct counter open_counter(struct rows *r, LLVMValueRef slot)
{
    return open_counter_at(r, slot, number(r, 0));
}

static void close_counter(struct rows *r, const struct counter *c, uint64_t by,
                          LLVMValueRef end)
{
    const LLVMBasicBlockRef done = add_block(r, "done");
    const LLVMValueRef next = LLVMBuildAdd(r->b, c->value, number(r, by), "");
    LLVMValueRef more;

    LLVMSetNUW(next, true);
    LLVMSetNSW(next, true);
    LLVMBuildStore(r->b, next, c->slot);
    more = LLVMBuildICmp(r->b, LLVMIntULT, next, end, "");
    // The plan says what runs at a time: several rounds as one would be code for nothing.
    tf_ir_mark_loop(LLVMBuildCondBr(r->b, more, c->head, done), TF_IR_NO_UNROLLING);
    LLVMPositionBuilderAtEnd(r->b, done);
}

static void call_gang(struct rows *r, LLVMValueRef fn, LLVMValueRef x, LLVMValueRef y,
                      LLVMValueRef z, LLVMValueRef lanes)
{
    LLVMValueRef args[TF_ITEM_PARAMS + 1] = {
        LLVMGetParam(r->wg->forms->entry, TF_ENTRY_LAUNCH),
        LLVMGetParam(r->wg->forms->entry, TF_ENTRY_WORKER),
        r->group,
        x,
        y,
        z,
        lanes,
    };

    LLVMBuildCall2(r->b, LLVMGlobalGetValueType(fn), fn, args,
                   TF_ITEM_PARAMS + (lanes != NULL), "");
}

// The same function for whole gangs and for what is left.
static void run_masked_row(struct rows *r, LLVMValueRef x_slot, LLVMValueRef y,
                           LLVMValueRef z, LLVMValueRef size)
{
    const uint64_t width = r->wg->lanes->width;
    const struct counter x = open_counter(r, x_slot);
    const LLVMValueRef left = LLVMBuildSub(r->b, size, x.value, "");

    call_gang(r, r->wg->lanes->gang, x.value, y, z, min(r, left, number(r, width)));
    close_counter(r, &x, width, size);
}

// Runs the items of a row from `first` on, where whole gangs have been run before.
static void run_row(struct rows *r, LLVMValueRef x_slot, LLVMValueRef first,
                    LLVMValueRef y, LLVMValueRef z, LLVMValueRef size)
{
    const uint64_t width = r->wg->lanes->width;
    const LLVMValueRef rest = LLVMBuildAnd(r->b, size, number(r, width - 1), "");
    const LLVMValueRef full = LLVMBuildSub(r->b, size, rest, "");
    const LLVMBasicBlockRef gangs = add_block(r, "gangs"), tail = add_block(r, "tail");
    const LLVMBasicBlockRef some = add_block(r, "rest"), done = add_block(r, "row_done");
    struct counter x;

    LLVMBuildCondBr(r->b, LLVMBuildICmp(r->b, LLVMIntEQ, full, first, ""), tail, gangs);
    LLVMPositionBuilderAtEnd(r->b, gangs);
    x = open_counter_at(r, x_slot, first);
    call_gang(r, r->wg->lanes->gang, x.value, y, z, NULL);
    close_counter(r, &x, width, full);
    LLVMBuildBr(r->b, tail);
    LLVMPositionBuilderAtEnd(r->b, tail);
    LLVMBuildCondBr(r->b, LLVMBuildICmp(r->b, LLVMIntEQ, rest, number(r, 0), ""), done,
                    some);
    LLVMPositionBuilderAtEnd(r->b, some);
    call_gang(r, r->wg->lanes->gang_masked, full, y, z, rest);
    LLVMBuildBr(r->b, done);
    LLVMPositionBuilderAtEnd(r->b, done);
}

// What packs have run of a plane: the first columns of the first rows.
struct packed {
    LLVMValueRef columns, rows; // 0 both or none
};

static LLVMValueRef whole(struct rows *r, LLVMValueRef size, unsigned of)
{
    return LLVMBuildAnd(r->b, size, number(r, ~(uint64_t)(of - 1)), "");
}

// Both packs and gangs fit in whole numbers of them.
static unsigned columns_of_packs(const struct tf_lanes *lanes)
{
    return lanes->pack_width > lanes->width ? lanes->pack_width : lanes->width;
}

// Which loop is inside is a matter of what packs have in common: what the rows load, or
// nothing.
static void emit_packs(struct rows *r, LLVMValueRef counters[3],
                       const struct packed *packed, LLVMValueRef z)
{
    const bool columns = r->wg->lanes->pack_columns;
    const struct counter outer = open_counter(r, counters[columns ? 0 : 1]);
    const struct counter inner = open_counter(r, counters[columns ? 1 : 0]);
    const uint64_t by[2] = {r->wg->lanes->pack_width, r->wg->lanes->pack_rows};
    const LLVMValueRef end[2] = {packed->columns, packed->rows};

    call_gang(r, r->wg->lanes->gang_pack, columns ? outer.value : inner.value,
              columns ? inner.value : outer.value, z, NULL);
    close_counter(r, &inner, by[columns], end[columns]);
    close_counter(r, &outer, by[!columns], end[!columns]);
}

static struct packed run_packs(struct rows *r, LLVMValueRef counters[3], LLVMValueRef z,
                               const LLVMValueRef size[3])
{
    const LLVMBasicBlockRef packs = add_block(r, "packs"), done = add_block(r, "packed");
    const LLVMValueRef zero = number(r, 0);
    // Gangs go on where packs end.
    struct packed packed = {whole(r, size[0], columns_of_packs(r->wg->lanes)),
                            whole(r, size[1], r->wg->lanes->pack_rows)};
    LLVMValueRef none =
        LLVMBuildOr(r->b, LLVMBuildICmp(r->b, LLVMIntEQ, packed.columns, zero, ""),
                    LLVMBuildICmp(r->b, LLVMIntEQ, packed.rows, zero, ""), "");

    LLVMBuildCondBr(r->b, none, done, packs);
    LLVMPositionBuilderAtEnd(r->b, packs);
    emit_packs(r, counters, &packed, z);
    LLVMBuildBr(r->b, done);
    LLVMPositionBuilderAtEnd(r->b, done);
    packed.columns = LLVMBuildSelect(r->b, none, zero, packed.columns, "");
    return packed;
}

// The items of a box that have the same id in dimension 2.
static void run_plane(struct rows *r, LLVMValueRef counters[3], LLVMValueRef z,
                      const LLVMValueRef size[3])
{
    struct packed packed = {NULL, NULL};
    LLVMValueRef first = number(r, 0);
    struct counter y;

    if (r->wg->lanes->gang_pack)
        packed = run_packs(r, counters, z, size);
    y = open_counter(r, counters[1]);
    if (r->wg->lanes->gang_pack) {
        const LLVMValueRef behind =
            LLVMBuildICmp(r->b, LLVMIntULT, y.value, packed.rows, "");

        first = LLVMBuildSelect(r->b, behind, packed.columns, first, "");
    }
    if (r->wg->lanes->masks_suffice)
        run_masked_row(r, counters[0], y.value, z, size[0]);
    else
        run_row(r, counters[0], first, y.value, z, size[0]);
    close_counter(r, &y, 1, size[1]);
}

// With barriers: a row that is no whole number of gangs masks all of them.
static void run_parts(struct rows *r, LLVMValueRef size)
{
    const LLVMBasicBlockRef full = add_block(r, "full"), masked = add_block(r, "masked");
    const LLVMBasicBlockRef done = add_block(r, "group_done");

    LLVMBuildCondBr(r->b, tf_wg_fits_gangs(r->wg, r->group, size), full, masked);
    LLVMPositionBuilderAtEnd(r->b, full);
    tf_wg_emit_group_call(r->wg, r->group, r->wg->forms->group_gang);
    LLVMBuildBr(r->b, done);
    LLVMPositionBuilderAtEnd(r->b, masked);
    tf_wg_emit_group_call(r->wg, r->group, r->wg->forms->group_masked);
    LLVMBuildBr(r->b, done);
    LLVMPositionBuilderAtEnd(r->b, done);
}

// ---- limits

// Where a kernel begins with `if (get_global_id(0) < n)`, items above that are none.
static void load_limits(struct rows *r)
{
    LLVMValueRef launch = LLVMGetParam(r->wg->forms->entry, TF_ENTRY_LAUNCH);

    for (int d = 0; d < 3; d++) {
        const LLVMValueRef fn = r->wg->lanes->limits[d];
        const int as = r->wg->lanes->turned && d < 2 ? 1 - d : d;

        if (fn)
            r->limits[as] =
                LLVMBuildCall2(r->b, LLVMGlobalGetValueType(fn), fn, &launch, 1, "");
    }
}

// Leaves the items of the box out that have no work. An i1: some are left. NULL: all.
static LLVMValueRef trim(struct rows *r, LLVMValueRef size[3])
{
    LLVMValueRef some = NULL;

    for (size_t as = 0; as < 3; as++) {
        LLVMValueRef base, within;

        if (!r->limits[as])
            continue;
        base = LLVMBuildLoad2(
            r->b, r->wg->i64,
            tf_wg_address(r->wg, r->group, TF_WG_GROUP_FIELD(global_base, as)), "");
        within = LLVMBuildICmp(r->b, LLVMIntULT, base, r->limits[as], "");
        size[as] = min(r, size[as], LLVMBuildSub(r->b, r->limits[as], base, ""));
        some = some ? LLVMBuildAnd(r->b, some, within, "") : within;
    }
    return some;
}

// ---- the entry function

static void make_slots(struct rows *r, LLVMValueRef counters[3])
{
    const unsigned words = sizeof(struct tf_group) / sizeof(tf_u64);
    // Gangs on fibers have a struct of their own, behind the group's.
    const unsigned count = r->wg->forms->gang_fibers ? 2 * words : words;

    r->group = LLVMBuildAlloca(r->b, LLVMArrayType2(r->wg->i64, count), "group");
    for (int d = 0; d < 3; d++) {
        r->at[d] = LLVMBuildAlloca(r->b, r->wg->i64, "at");
        counters[d] = LLVMBuildAlloca(r->b, r->wg->i64, "counter");
    }
    r->left = LLVMBuildAlloca(r->b, r->wg->i64, "left");
}

static void start_at_first(struct rows *r)
{
    LLVMValueRef first[3];

    tf_wg_load_dimensions(r->wg, TF_ENTRY_FIRST, 0, first);
    for (int d = 0; d < 3; d++)
        LLVMBuildStore(r->b, first[d], r->at[d]);
    LLVMBuildStore(r->b, LLVMGetParam(r->wg->forms->entry, TF_ENTRY_COUNT), r->left);
}

// Rows of groups that the next box takes, if whole ones are left.
static LLVMValueRef rows_of_groups(struct rows *r, LLVMValueRef left)
{
    const LLVMValueRef one = number(r, 1), at = load(r, r->at[0]);
    LLVMValueRef starts = LLVMBuildICmp(r->b, LLVMIntEQ, at, number(r, 0), "");
    LLVMValueRef rows = LLVMBuildUDiv(r->b, left, r->s.groups[0], "");

    rows = min(r, rows, LLVMBuildSub(r->b, r->s.groups[1], load(r, r->at[1]), ""));
    starts =
        LLVMBuildAnd(r->b, starts, LLVMBuildICmp(r->b, LLVMIntUGT, rows, one, ""), "");
    return LLVMBuildSelect(r->b, starts, rows, one, "");
}

static void run_box(struct rows *r, LLVMValueRef counters[3], LLVMValueRef size[3])
{
    const LLVMValueRef some = trim(r, size);
    const LLVMBasicBlockRef items = add_block(r, "items"),
                            done = add_block(r, "box_done");
    struct counter z;

    if (some)
        LLVMBuildCondBr(r->b, some, items, done);
    else
        LLVMBuildBr(r->b, items);
    LLVMPositionBuilderAtEnd(r->b, items);
    z = open_counter(r, counters[2]);
    run_plane(r, counters, z.value, size);
    close_counter(r, &z, 1, size[2]);
    LLVMBuildBr(r->b, done);
    LLVMPositionBuilderAtEnd(r->b, done);
}

// Stores past the caches come before all that this thread does next, for every thread.
static void order_streamed(struct rows *r)
{
    const LLVMTypeRef i32 = LLVMInt32TypeInContext(r->wg->context);
    const LLVMBasicBlockRef order = add_block(r, "order"), ordered = add_block(r, "end");
    LLVMValueRef flags =
        tf_wg_load_fixed(r->wg, i32, LLVMGetParam(r->wg->forms->entry, TF_ENTRY_LAUNCH),
                         offsetof(struct tf_launch, flags), sizeof(tf_u32), "");

    flags = LLVMBuildAnd(r->b, flags, LLVMConstInt(i32, TF_LAUNCH_STREAMS, false), "");
    LLVMBuildCondBr(r->b, LLVMBuildICmp(r->b, LLVMIntEQ, flags, LLVMConstNull(i32), ""),
                    ordered, order);
    LLVMPositionBuilderAtEnd(r->b, order);
    LLVMBuildFence(r->b, LLVMAtomicOrderingSequentiallyConsistent, false, "");
    LLVMBuildBr(r->b, ordered);
    LLVMPositionBuilderAtEnd(r->b, ordered);
}

static void emit_boxes(struct rows *r, LLVMValueRef counters[3])
{
    const LLVMBasicBlockRef head = add_block(r, "box"), done = add_block(r, "all_done");
    LLVMValueRef count[2], left, size[3];

    LLVMBuildBr(r->b, head);
    LLVMPositionBuilderAtEnd(r->b, head);
    left = load(r, r->left);
    count[0] =
        r->wg->lanes->long_rows
            ? min(r, left, LLVMBuildSub(r->b, r->s.groups[0], load(r, r->at[0]), ""))
            : number(r, 1);
    count[1] = r->wg->lanes->tall_boxes ? rows_of_groups(r, left) : number(r, 1);
    fill_group(r, count, size);
    if (r->wg->forms->gang_fibers) {
        tf_wg_emit_row_fibers(r->wg, r->group);
    } else if (r->wg->item->has_barrier) {
        run_parts(r, size[0]);
    } else {
        run_box(r, counters, size);
    }
    step(r, count);
    left = LLVMBuildSub(r->b, load(r, r->left),
                        LLVMBuildMul(r->b, count[0], count[1], ""), "");
    LLVMBuildStore(r->b, left, r->left);
    LLVMBuildCondBr(r->b, LLVMBuildICmp(r->b, LLVMIntEQ, left, number(r, 0), ""), done,
                    head);
    LLVMPositionBuilderAtEnd(r->b, done);
    if (r->wg->lanes->streamed_bytes > 0)
        order_streamed(r);
    LLVMBuildRetVoid(r->b);
}

static void call_other(struct rows *r)
{
    LLVMValueRef args[TF_ENTRY_PARAMS];

    if (!r->other) { // nothing to run
        LLVMBuildRetVoid(r->b);
        return;
    }
    LLVMGetParams(r->wg->forms->entry, args);
    LLVMBuildCall2(r->b, r->wg->entry_type, r->other, args, TF_ENTRY_PARAMS, "");
    LLVMBuildRetVoid(r->b);
}

// Seldom used: not worth much code.
static void set_aside(struct rows *r)
{
    static const char *const attrs[] = {"cold", "noinline", "optsize"};

    LLVMSetLinkage(r->other, LLVMInternalLinkage);
    for (size_t i = 0; i < sizeof(attrs) / sizeof(attrs[0]); i++)
        tf_ir_add_attribute(r->other, attrs[i]);
    tf_ir_mark_seldom(r->other);
}

static void take_name(struct rows *r, struct tf_group_forms *forms)
{
    struct tf_wg *wg = r->wg;
    size_t bytes;
    const char *name = LLVMGetValueName2(r->other, &bytes);

    forms->entry = LLVMAddFunction(wg->module, "", wg->entry_type);
    tf_wg_add_function_attrs(r->other, wg->forms->entry);
    // The new name pushes the old one aside only once that is free.
    {
        char *copy = LLVMCreateMessage(name);

        LLVMSetValueName2(r->other, "tf_groups", strlen("tf_groups"));
        LLVMSetValueName2(wg->forms->entry, copy, bytes);
        LLVMDisposeMessage(copy);
    }
}

// As lanes, an item alone in its row takes nearly twice the time that it takes otherwise
// (doc/decisions/010). Of a kernel whose columns are expected in dimension 1, few are a
// sign that they are not there.
struct tf_fit tf_wg_fit(const struct tf_wg *wg)
{
    const struct tf_lanes *lanes = wg->lanes;
    struct tf_fit fit;

    if (!lanes->gang || wg->item->sub_groups)
        return (struct tf_fit){.in_order = wg->item->in_order};
    fit = (struct tf_fit){
        .small = true,
        .least_row = wg->wishes->lanes_forced ? 0
                     : lanes->turned          ? lanes->width / 2
                                              : 2,
        .dimension = lanes->turned,
        .through_groups = lanes->turned || lanes->long_rows,
        .columns = columns_of_packs(lanes),
        .rows = lanes->tall_boxes ? lanes->pack_rows : 1,
        .streamed_bytes = lanes->streamed_bytes,
        .in_order = wg->item->in_order,
    };
    if (!wg->wishes->lanes_forced)
        memcpy(fit.spacings, lanes->spacings, sizeof(fit.spacings));
    return fit;
}

bool tf_wg_has_long_rows(const struct tf_wg *wg)
{
    const LLVMValueRef lid = LLVMGetNamedFunction(wg->module, tf_root_name(TF_ROOT_LID));

    return !wg->item->has_barrier &&
           !LLVMGetFirstUse(LLVMGetParam(wg->item->wide, TF_ITEM_GROUP)) &&
           !LLVMGetFirstUse(LLVMGetParam(wg->item->wide, TF_ITEM_WORKER)) &&
           (!lid || !LLVMGetFirstUse(lid));
}

bool tf_wg_rows(struct tf_wg *wg, struct tf_group_forms *forms)
{
    struct rows r = {.wg = wg, .b = wg->builder, .other = wg->forms->entry};
    LLVMBasicBlockRef start, rows, big;
    LLVMValueRef counters[3], some;

    if (!wg->lanes->gang)
        return true;
    if (r.other) {
        take_name(&r, forms);
        set_aside(&r);
    } else if (!tf_wg_add_entry(wg, forms, wg->lanes->gang)) {
        return false;
    }
    tf_ir_add_attribute(wg->lanes->gang, "alwaysinline");
    if (wg->lanes->gang_pack)
        tf_ir_add_attribute(wg->lanes->gang_pack, "alwaysinline");
    if (!forms->gang_fibers && !wg->lanes->masks_suffice)
        tf_ir_mark_seldom(forms->group_gang ? forms->group_masked
                                            : wg->lanes->gang_masked);
    start = add_block(&r, "start");
    rows = add_block(&r, "rows");
    big = add_block(&r, "big");
    LLVMPositionBuilderAtEnd(r.b, start);
    make_slots(&r, counters);
    tf_wg_load_sizes(wg, &r.s);
    // With sub-groups, the other entry function also knows large launches, and sub-groups
    // that go on in the next row.
    some = LLVMBuildICmp(r.b, LLVMIntNE, LLVMGetParam(wg->forms->entry, TF_ENTRY_COUNT),
                         number(&r, 0), "");
    if (r.other)
        some = LLVMBuildAnd(r.b, LLVMBuildAnd(r.b, is_small(&r), some, ""),
                            has_whole_rows(&r), "");
    LLVMBuildCondBr(r.b, some, rows, big);
    LLVMPositionBuilderAtEnd(r.b, big);
    call_other(&r);
    LLVMPositionBuilderAtEnd(r.b, rows);
    start_at_first(&r);
    load_limits(&r);
    emit_boxes(&r, counters);
    return true;
}
