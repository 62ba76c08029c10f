// SPDX-License-Identifier: MIT
// The group function: sizes and places first, then the barrier regions, each in a loop
// over the items, and what comes after each.
#include <stddef.h>

#include <llvm-c/Core.h>

#include "abi/cpu_abi.h"
#include "abi/long16.h"
#include "compiler/ir/ir_util.h"
#include "compiler/workgroup/split/split_parts.h"

enum {
    GROUP_VALUES = 3,
    GROUP_PRIVATES = 4,
    GROUP_PARAMS = 5,
    PAD_ITEMS = 64,
    SHORT_TURN = 48, // instructions
};

static LLVMValueRef number(const struct tf_split *s, uint64_t value)
{
    return LLVMConstInt(s->wg->i64, value, false);
}

static LLVMBasicBlockRef new_block(const struct tf_split *s, const char *name)
{
    return LLVMAppendBasicBlockInContext(s->wg->context, s->group_function, name);
}

// ---- loops over the items

struct level {
    LLVMBasicBlockRef head;
    LLVMValueRef id, index;
};

struct items {
    struct level levels[3];
    LLVMValueRef end[3]; // ids that have a turn; the first has one in any case
    struct tf_split_turn turn;
    bool are_short;    // turns of a few instructions: LLVM makes one of several
    bool are_straight; // all turns one after the other, which are known
};

static void open_level(struct tf_split *s, struct items *items, unsigned d)
{
    struct level *level = &items->levels[d];
    LLVMValueRef index = d == 2 ? number(s, 0) : items->levels[d + 1].index;
    const LLVMBuilderRef b = s->wg->builder;
    LLVMBasicBlockRef before = LLVMGetInsertBlock(b);
    LLVMValueRef zero = number(s, 0);

    level->head = new_block(s, "items");
    LLVMBuildBr(b, level->head);
    LLVMPositionBuilderAtEnd(b, level->head);
    level->id = LLVMBuildPhi(b, s->wg->i64, "lid");
    LLVMAddIncoming(level->id, &zero, &before, 1);
    level->index = LLVMBuildPhi(b, s->wg->i64, "item");
    LLVMAddIncoming(level->index, &index, &before, 1);
    items->turn.lid[d] = level->id;
    items->turn.index = level->index;
}

static void set_lanes(struct tf_split *s, struct items *items)
{
    const LLVMBuilderRef b = s->wg->builder;
    const LLVMValueRef width = number(s, s->in->width);
    LLVMValueRef left;

    if (!s->in->masked)
        return;
    left = LLVMBuildSub(b, s->size[0], items->turn.lid[0], "left");
    items->turn.lanes = LLVMBuildSelect(b, LLVMBuildICmp(b, LLVMIntULT, left, width, ""),
                                        left, width, "lanes");
}

// Leaves the builder where the turn of an item begins.
static void open_items(struct tf_split *s, struct items *items)
{
    for (unsigned d = 3; d-- > 0;)
        open_level(s, items, d);
    items->turn.start = LLVMGetInsertBlock(s->wg->builder);
    items->turn.latch = new_block(s, "next");
    set_lanes(s, items);
}

// Of a dimension.
static unsigned ids_of_turn(const struct tf_split *s, unsigned d)
{
    if (d == 0)
        return s->in->width;
    return d == 1 && s->in->rows ? s->in->rows : 1;
}

// Leaves the builder behind the loop.
static void close_level(struct tf_split *s, const struct items *items, unsigned d)
{
    const LLVMBuilderRef b = s->wg->builder;
    const struct level *level = &items->levels[d];
    LLVMBasicBlockRef here = LLVMGetInsertBlock(b), after = new_block(s, "after");
    LLVMValueRef id, index, more, back;

    index = LLVMBuildNUWAdd(b, level->index, s->stride[d], "");
    id = LLVMBuildNUWAdd(b, level->id, number(s, ids_of_turn(s, d)), "");
    LLVMSetNSW(index, true);
    LLVMSetNSW(id, true);
    LLVMAddIncoming(level->id, &id, &here, 1);
    LLVMAddIncoming(level->index, &index, &here, 1);
    more = LLVMBuildICmp(b, LLVMIntULT, id, items->end[d], "");
    back = LLVMBuildCondBr(b, more, level->head, after);
    // Gangs are many items already; those of a group of known size become one block.
    if (items->are_straight && d == 0)
        tf_ir_mark_loop(back, TF_IR_FULL_UNROLLING);
    else if (s->in->width > 1 && !(items->are_short && d == 0))
        tf_ir_mark_loop(back, TF_IR_NO_RUNTIME_UNROLLING);
    LLVMPositionBuilderAtEnd(b, after);
}

// From the latch on; leaves the builder behind the loops.
static void close_items(struct tf_split *s, const struct items *items)
{
    LLVMPositionBuilderAtEnd(s->wg->builder, items->turn.latch);
    for (unsigned d = 0; d < 3; d++)
        close_level(s, items, d);
}

static struct items all_items(const struct tf_split *s)
{
    return (struct items){.end = {s->size[0], s->size[1], s->size[2]}};
}

static LLVMValueRef load_state(struct tf_split *s, const struct items *items)
{
    LLVMValueRef index = items->turn.index, address;

    address =
        LLVMBuildInBoundsGEP2(s->wg->builder, s->state_type, s->state, &index, 1, "");
    return LLVMBuildLoad2(s->wg->builder, s->state_type, address, "state");
}

// ---- one region after the other

static void set_next(struct tf_split *s, unsigned next)
{
    LLVMBuildStore(s->wg->builder, LLVMConstInt(s->i32, next, false), s->next);
}

static void forget_cells(struct tf_split *s)
{
    for (unsigned i = 0; i < s->cell_count; i++)
        s->cell_stored[i] = false;
}

static void copy_cells(struct tf_split *s, bool to_next)
{
    const LLVMBuilderRef b = s->wg->builder;

    for (unsigned i = 0; i < s->cell_count; i++) {
        const struct tf_split_cell *cell = &s->cells[i];
        const LLVMValueRef from = to_next ? cell->now : cell->next;
        const LLVMValueRef to = to_next ? cell->next : cell->now;

        if (s->cell_stored[i])
            LLVMBuildStore(b, LLVMBuildLoad2(b, cell->type, from, ""), to);
    }
}

// Behind the items of a region: what they have put away is there now. A way through it
// that puts nothing away in a cell leaves what was there.
static void update_cells(struct tf_split *s, unsigned entry)
{
    const LLVMBuilderRef b = s->wg->builder;
    const LLVMBasicBlockRef behind = LLVMGetInsertBlock(b);

    LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(s->heads[entry]));
    copy_cells(s, true);
    LLVMPositionBuilderAtEnd(b, behind);
    copy_cells(s, false);
    forget_cells(s);
}

static void go_on(struct tf_split *s, const struct tf_split_region *r)
{
    const LLVMBuilderRef b = s->wg->builder;
    LLVMValueRef next, choice;

    if (r->target_count + r->returns < 2) {
        LLVMBuildBr(b, r->target_count ? s->heads[r->targets[0]] : s->done);
        return;
    }
    next = LLVMBuildLoad2(b, s->i32, s->next, "next");
    choice = LLVMBuildSwitch(b, next, s->done, r->target_count);
    for (unsigned i = 0; i < r->target_count; i++)
        LLVMAddCase(choice, LLVMConstInt(s->i32, r->targets[i], false),
                    s->heads[r->targets[i]]);
}

static void emit_without_items(struct tf_split *s, unsigned entry)
{
    const LLVMValueRef none = LLVMGetPoison(s->wg->i64);
    const struct tf_split_turn turn = {
        .start = s->heads[entry],
        .latch = new_block(s, "decided"),
        .lid = {none, none, none},
        .lanes = none,
        .index = none,
    };

    tf_split_emit_region(s, entry, &turn);
    LLVMPositionBuilderAtEnd(s->wg->builder, turn.latch);
    forget_cells(s);
    go_on(s, &s->regions[entry]);
}

// ---- regions in which the first items alone have work, or the last gang alone has masks

static LLVMValueRef min_of(struct tf_split *s, LLVMValueRef a, LLVMValueRef b,
                           const char *name)
{
    const LLVMBuilderRef build = s->wg->builder;

    return LLVMBuildSelect(build, LLVMBuildICmp(build, LLVMIntULT, a, b, ""), a, b, name);
}

// How many ids of the dimension lie below the limit.
static LLVMValueRef ids_below(struct tf_split *s, unsigned entry)
{
    const struct tf_split_trim *t = &s->trims[entry];
    const LLVMBuilderRef b = s->wg->builder;
    const LLVMValueRef size = s->size[t->dim], one = number(s, 1);
    LLVMValueRef limit = tf_split_value_at_entry(s, entry, t->limit), none;

    limit = LLVMBuildIntCast2(b, limit, s->wg->i64, t->with_sign, "");
    if (t->with_sign) {
        none = LLVMBuildICmp(b, LLVMIntSLT, limit,
                             number(s, t->inclusive ? ~(uint64_t)0 : 0), "");
        limit = LLVMBuildSelect(b, none, number(s, t->inclusive ? ~(uint64_t)0 : 0),
                                limit, "");
    } else if (t->inclusive) {
        limit = min_of(s, limit, LLVMBuildSub(b, size, one, ""), "");
    }
    if (t->inclusive)
        limit = LLVMBuildAdd(b, limit, one, "");
    return min_of(s, limit, size, "below");
}

// In each row the items below the end that make whole gangs, of which `turn` says what is
// known, and one more in part, or to do what is done once for the group.
static void emit_whole_items(struct tf_split *s, unsigned entry, LLVMValueRef end,
                             const struct tf_split_turn *turn)
{
    const struct tf_split_region *r = &s->regions[entry];
    const LLVMBuilderRef b = s->wg->builder;
    const LLVMValueRef zero = number(s, 0);
    const LLVMValueRef whole =
        LLVMBuildAnd(b, end, number(s, ~(uint64_t)(s->in->width - 1)), "whole");
    const LLVMBasicBlockRef some = new_block(s, "whole"), rest = new_block(s, "rest");
    const LLVMBasicBlockRef row = new_block(s, "row");
    struct items items = all_items(s);
    LLVMValueRef no_whole, again;
    bool once = r->target_count + r->returns > 1;

    items.are_straight = tf_split_is_straight(s, entry);
    items.end[0] = whole;
    open_level(s, &items, 2);
    open_level(s, &items, 1);
    no_whole = LLVMBuildICmp(b, LLVMIntEQ, whole, zero, "");
    LLVMBuildCondBr(b, no_whole, rest, some);
    LLVMPositionBuilderAtEnd(b, some);
    open_level(s, &items, 0);
    items.turn.start = LLVMGetInsertBlock(b);
    items.turn.latch = new_block(s, "next");
    items.turn.known = turn->known;
    items.turn.known_as = turn->known_as;
    items.turn.lanes = s->in->masked ? number(s, s->in->width) : NULL;
    tf_split_emit_region(s, entry, &items.turn);
    LLVMPositionBuilderAtEnd(b, items.turn.latch);
    close_level(s, &items, 0);
    LLVMBuildBr(b, rest);

    LLVMPositionBuilderAtEnd(b, rest);
    for (unsigned i = 0; i < s->cell_count; i++)
        once |= s->cell_stored[i];
    again = LLVMBuildICmp(b, LLVMIntULT, whole, end, "");
    if (once)
        again = LLVMBuildOr(b, again, no_whole, "");
    items.turn = (struct tf_split_turn){
        .start = new_block(s, "last"),
        .latch = row,
        .lid = {whole, items.turn.lid[1], items.turn.lid[2]},
    };
    LLVMBuildCondBr(b, again, items.turn.start, row);
    LLVMPositionBuilderAtEnd(b, items.turn.start);
    items.turn.index =
        LLVMBuildAdd(b, items.levels[1].index,
                     LLVMBuildUDiv(b, whole, number(s, s->in->width), ""), "");
    set_lanes(s, &items);
    tf_split_emit_region(s, entry, &items.turn);
    LLVMPositionBuilderAtEnd(b, row);
    close_level(s, &items, 1);
    close_level(s, &items, 2);
}

// Whether turns take hardly longer than the loop round them. What is left for the first
// items, or under masks, has few turns.
static bool has_short_turns(const struct tf_split *s, unsigned entry)
{
    const struct tf_split_region *r = &s->regions[entry];

    return !s->in->masked && !s->trims[entry].found && r->block_count == 1 &&
           s->blocks[r->blocks[0]].size <= SHORT_TURN;
}

// Items that have ended are left out.
static void skip_ended(struct tf_split *s, struct items *items)
{
    const LLVMBuilderRef b = s->wg->builder;
    const LLVMValueRef ended = LLVMConstInt(s->state_type, TF_SPLIT_ENDED, false);
    const LLVMValueRef state = load_state(s, items);

    items->turn.start = new_block(s, "alive");
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntEQ, state, ended, ""), items->turn.latch,
                    items->turn.start);
}

static void emit_with_items(struct tf_split *s, unsigned entry)
{
    const struct tf_split_region *r = &s->regions[entry];
    const struct tf_split_trim *t = &s->trims[entry];
    struct items items = all_items(s);

    LLVMPositionBuilderAtEnd(s->wg->builder, s->heads[entry]);
    if (t->found && t->whole) {
        const struct tf_split_turn turn = {
            .known = t->whole,
            .known_as = t->whole_is ? LLVMConstAllOnes(LLVMTypeOf(t->whole))
                                    : LLVMConstNull(LLVMTypeOf(t->whole)),
        };

        emit_whole_items(s, entry, ids_below(s, entry), &turn);
        update_cells(s, entry);
        return;
    }
    if (!t->found && s->in->mostly_whole && s->mode != TF_SPLIT_SURVIVORS) {
        const struct tf_split_turn turn = {0};

        emit_whole_items(s, entry, s->size[0], &turn);
        update_cells(s, entry);
        return;
    }
    if (t->found)
        items.end[t->dim] = ids_below(s, entry);
    items.are_short = has_short_turns(s, entry);
    items.are_straight = tf_split_is_straight(s, entry);
    if (s->mode == TF_SPLIT_SURVIVORS && r->target_count + r->returns > 1)
        set_next(s, TF_SPLIT_NONE);
    open_items(s, &items);
    if (s->mode == TF_SPLIT_SURVIVORS && entry > 0)
        skip_ended(s, &items);
    tf_split_emit_region(s, entry, &items.turn);
    close_items(s, &items);
    update_cells(s, entry);
}

static void emit_regions(struct tf_split *s)
{
    for (unsigned i = 0; i < s->entry_count; i++) {
        if (s->regions[i].without_items) {
            emit_without_items(s, i);
        } else {
            emit_with_items(s, i);
            go_on(s, &s->regions[i]);
        }
    }
}

// ---- rounds

static void emit_rounds(struct tf_split *s)
{
    const LLVMBuilderRef b = s->wg->builder;
    const LLVMBasicBlockRef head = new_block(s, "rounds"), round = new_block(s, "round");
    struct items items = all_items(s);
    LLVMValueRef next, choice;

    LLVMPositionBuilderAtEnd(b, s->heads[0]);
    set_next(s, 0);
    open_items(s, &items);
    tf_split_emit_region(s, 0, &items.turn);
    close_items(s, &items);
    LLVMBuildBr(b, head);

    LLVMPositionBuilderAtEnd(b, head);
    next = LLVMBuildLoad2(b, s->i32, s->next, "");
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntEQ, next, LLVMConstNull(s->i32), ""),
                    s->done, round);
    LLVMPositionBuilderAtEnd(b, round);
    set_next(s, 0);
    open_items(s, &items);
    choice = LLVMBuildSwitch(b, load_state(s, &items), items.turn.latch, s->entry_count);
    for (unsigned i = 1; i < s->entry_count; i++) {
        LLVMAddCase(choice, LLVMConstInt(s->state_type, i, false), s->heads[i]);
        items.turn.start = s->heads[i];
        tf_split_emit_region(s, i, &items.turn);
    }
    close_items(s, &items);
    LLVMBuildBr(b, head);
}

// ---- the function round them

static void add_function(struct tf_split *s)
{
    struct tf_wg *wg = s->wg;
    LLVMTypeRef params[GROUP_PARAMS] = {wg->ptr, wg->ptr, wg->ptr, wg->ptr, wg->ptr};
    const LLVMTypeRef type = LLVMFunctionType(wg->void_type, params, GROUP_PARAMS, false);
    LLVMValueRef fn;

    fn = s->group_function =
        LLVMAddFunction(wg->module, s->in->masked ? "tf_group_masked" : "tf_group", type);
    LLVMSetLinkage(fn, LLVMInternalLinkage);
    tf_wg_add_item_attrs(s->in->function, fn);
    // Only this function keeps values there; addresses of variables come from the other.
    tf_ir_add_attribute_at(fn, GROUP_VALUES + 1, "noalias", 0);
    tf_ir_add_attribute_at(fn, GROUP_VALUES + 1, "align", TF_LONG16_BYTES);
    tf_ir_add_attribute_at(fn, GROUP_PRIVATES + 1, "align", TF_LONG16_BYTES);
}

// Rows are all alike to items that do not ask for their ids of dimension 1 and 2: one
// loop does for both.
static void merge_rows(struct tf_split *s)
{
    const LLVMValueRef fn = s->in->function;

    if (LLVMGetFirstUse(LLVMGetParam(fn, TF_ITEM_LID + 1)) ||
        LLVMGetFirstUse(LLVMGetParam(fn, TF_ITEM_LID + 2)))
        return;
    s->size[1] = LLVMBuildNUWMul(s->wg->builder, s->size[1], s->size[2], "rows");
    s->size[2] = number(s, 1);
}

static void count_items(struct tf_split *s)
{
    struct tf_wg *wg = s->wg;
    const LLVMBuilderRef b = wg->builder;
    const LLVMValueRef group = LLVMGetParam(s->group_function, TF_ITEM_GROUP);
    LLVMValueRef row;

    for (unsigned d = 0; d < 3; d++)
        s->size[d] = LLVMBuildLoad2(
            b, wg->i64, tf_wg_address(wg, group, TF_WG_GROUP_FIELD(local_size, d)),
            "size");
    if (s->in->linear) {
        for (unsigned d = 1; d < 3; d++) {
            s->size[0] = LLVMBuildNUWMul(b, s->size[0], s->size[d], "items");
            s->size[d] = number(s, 1);
        }
    }
    merge_rows(s);
    row = LLVMBuildAdd(b, s->size[0], number(s, s->in->width - 1), "");
    row = LLVMBuildUDiv(b, row, number(s, s->in->width), "");
    s->stride[0] = number(s, 1);
    s->stride[1] = row;
    s->stride[2] = LLVMBuildMul(
        b, row, LLVMBuildUDiv(b, s->size[1], number(s, ids_of_turn(s, 1)), ""), "");
    s->item_count = LLVMBuildMul(b, s->stride[2], s->size[2], "items");
}

// Base of an array whose elements have `offset_bytes` of small or large ones before them.
static LLVMValueRef array_base(struct tf_split *s, unsigned param, bool large,
                               uint64_t offset_bytes, LLVMValueRef padded)
{
    const LLVMBuilderRef b = s->wg->builder;
    LLVMValueRef at;

    if (large)
        at = LLVMBuildMul(b, s->item_count, number(s, offset_bytes), "");
    else
        at =
            LLVMBuildAdd(b, LLVMBuildMul(b, s->item_count, number(s, s->large_bytes), ""),
                         LLVMBuildMul(b, padded, number(s, offset_bytes), ""), "");
    return LLVMBuildInBoundsGEP2(b, s->wg->i8, LLVMGetParam(s->group_function, param),
                                 &at, 1, "");
}

static LLVMValueRef one_variable(struct tf_split *s, LLVMValueRef variable)
{
    const LLVMValueRef copy = LLVMInstructionClone(variable);

    LLVMInsertIntoBuilder(s->variables, copy);
    return copy;
}

static void make_places(struct tf_split *s)
{
    const LLVMBuilderRef b = s->wg->builder;
    LLVMValueRef padded;

    padded = LLVMBuildAdd(b, s->item_count, number(s, PAD_ITEMS - 1), "");
    padded = LLVMBuildAnd(b, padded, number(s, ~(uint64_t)(PAD_ITEMS - 1)), "");
    for (unsigned i = 0; i < s->slot_count; i++) {
        struct tf_split_slot *slot = &s->slots[i];
        const bool large = LLVMABISizeOfType(s->layout, slot->type) % 64 == 0;

        slot->base = array_base(s, GROUP_VALUES, large, slot->offset_bytes, padded);
    }
    for (unsigned i = 0; i < s->private_count; i++) {
        struct tf_split_private *p = &s->privates[i];

        p->base = p->crosses
                      ? array_base(s, GROUP_PRIVATES, p->large, p->offset_bytes, padded)
                      : one_variable(s, s->values[p->value].value);
    }
    for (unsigned i = 0; i < s->cell_count; i++) {
        s->cells[i].now = LLVMBuildAlloca(s->variables, s->cells[i].type, "");
        s->cells[i].next = LLVMBuildAlloca(s->variables, s->cells[i].type, "");
    }
    s->next = LLVMBuildAlloca(s->variables, s->i32, "next");
    if (s->mode == TF_SPLIT_TOGETHER)
        return;
    s->state = array_base(s, GROUP_VALUES, false, s->state_offset_bytes, padded);
    LLVMBuildMemSet(b, s->state, LLVMConstNull(s->wg->i8),
                    LLVMBuildMul(b, s->item_count, number(s, sizeof(uint16_t)), ""), 2);
}

void tf_split_emit(struct tf_split *s)
{
    const LLVMBuilderRef b = s->wg->builder;
    LLVMBasicBlockRef setup;

    s->i32 = LLVMInt32TypeInContext(s->wg->context);
    s->state_type = LLVMInt16TypeInContext(s->wg->context);
    s->heads = TF_ARENA_NEW(s->arena, LLVMBasicBlockRef, s->entry_count);
    s->ends = TF_ARENA_NEW(s->arena, LLVMBasicBlockRef, s->entry_count);
    s->copies = TF_ARENA_NEW(s->arena, LLVMBasicBlockRef, s->block_count);
    s->cell_stored = TF_ARENA_NEW(s->arena, bool, s->cell_count);
    add_function(s);
    s->variables = LLVMCreateBuilderInContext(s->wg->context);
    LLVMPositionBuilderAtEnd(s->variables, new_block(s, "variables"));
    setup = new_block(s, "setup");
    for (unsigned i = 0; i < s->entry_count; i++)
        s->heads[i] = new_block(s, "region");
    s->done = new_block(s, "done");
    LLVMPositionBuilderAtEnd(b, setup);
    count_items(s);
    make_places(s);
    LLVMBuildBr(b, s->heads[0]);
    if (s->mode == TF_SPLIT_ROUNDS)
        emit_rounds(s);
    else
        emit_regions(s);
    LLVMPositionBuilderAtEnd(b, s->done);
    LLVMBuildRetVoid(b);
    LLVMBuildBr(s->variables, setup);
    LLVMDisposeBuilder(s->variables);
}
