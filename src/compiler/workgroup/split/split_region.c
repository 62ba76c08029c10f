// SPDX-License-Identifier: MIT
// One barrier region as code: its blocks, copied, between a front that fetches what lives
// across the entry and ends that put away what lives on. A value that comes in across the
// entry and is also computed in the region has a variable there; LLVM makes registers of
// them.
#include <stddef.h>

#include <llvm-c/Core.h>

#include "compiler/ir/elementwise.h"
#include "compiler/workgroup/split/split_parts.h"

struct writer {
    struct tf_split *s;
    unsigned entry, number; // of the turn
    const struct tf_split_region *region;
    const struct tf_split_turn *turn;
    LLVMBuilderRef front;       // at the end of turn->start
    LLVMBasicBlockRef *copies;  // per block; NULL: not in the region
    unsigned *kept, kept_count; // values of the region's blocks that have a place
    LLVMBasicBlockRef *ends;    // per entry: end of the block being copied, or NULL
};

// ---- places

static LLVMValueRef slot_address(struct writer *w, LLVMBuilderRef b,
                                 const struct tf_split_slot *slot)
{
    LLVMValueRef index = w->turn->index;

    return LLVMBuildInBoundsGEP2(b, slot->type, slot->base, &index, 1, "");
}

static void limit_alignment(struct writer *w, LLVMValueRef access, LLVMTypeRef type)
{
    enum { LINE_BYTES = 64 };
    const unsigned align_bytes = LLVMABIAlignmentOfType(w->s->layout, type);

    LLVMSetAlignment(access, align_bytes > LINE_BYTES ? LINE_BYTES : align_bytes);
}

static LLVMValueRef fetch(struct writer *w, const struct tf_split_value *v)
{
    const LLVMTypeRef type = LLVMTypeOf(v->value);
    const struct tf_split_slot *slot;
    LLVMValueRef load;

    if (v->place == TF_SPLIT_CELL)
        return LLVMBuildLoad2(w->front, type, w->s->cells[v->slot].now, "");
    slot = &w->s->slots[v->slot];
    load = LLVMBuildLoad2(w->front, slot->type, slot_address(w, w->front, slot), "");
    limit_alignment(w, load, slot->type);
    return slot->type == type ? load : LLVMBuildBitCast(w->front, load, type, "");
}

static void put_away(struct writer *w, const struct tf_split_value *v, LLVMValueRef value)
{
    struct tf_split *s = w->s;
    const LLVMBuilderRef b = s->wg->builder;
    const struct tf_split_slot *slot;
    LLVMValueRef store;

    if (v->place == TF_SPLIT_CELL) {
        const struct tf_split_cell *cell = &s->cells[v->slot];

        LLVMBuildStore(b, value, w->region->without_items ? cell->now : cell->next);
        s->cell_stored[v->slot] = true;
        return;
    }
    slot = &s->slots[v->slot];
    if (slot->type != LLVMTypeOf(value))
        value = LLVMBuildBitCast(b, value, slot->type, "");
    store = LLVMBuildStore(b, value, slot_address(w, b, slot));
    limit_alignment(w, store, slot->type);
}

static LLVMValueRef private_address(struct writer *w, const struct tf_split_private *p)
{
    struct tf_wg *wg = w->s->wg;
    LLVMValueRef offset;

    if (!p->crosses)
        return p->base;
    offset = LLVMBuildMul(w->front, w->turn->index,
                          LLVMConstInt(wg->i64, p->stride_bytes, false), "");
    return LLVMBuildInBoundsGEP2(w->front, wg->i8, p->base, &offset, 1, "");
}

// ---- values

static LLVMValueRef at_entry(struct writer *w, LLVMValueRef value);

static LLVMValueRef parameter(const struct writer *w, LLVMValueRef value)
{
    const LLVMValueRef from = w->s->in->function, to = w->s->group_function;

    for (unsigned i = 0; i < TF_ITEM_LID; i++) {
        if (value == LLVMGetParam(from, i))
            return LLVMGetParam(to, i);
    }
    for (unsigned i = 0; i < 3; i++) {
        if (value == LLVMGetParam(from, TF_ITEM_LID + i))
            return w->turn->lid[i];
    }
    return w->turn->lanes;
}

static LLVMValueRef compute_anew(struct writer *w, const struct tf_split_value *v)
{
    const LLVMValueRef copy = LLVMInstructionClone(v->value);

    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(copy); i++)
        LLVMSetOperand(copy, i, at_entry(w, LLVMGetOperand(copy, i)));
    LLVMInsertIntoBuilder(w->front, copy);
    return copy;
}

// What `value` is when the turn begins.
static LLVMValueRef at_entry(struct writer *w, LLVMValueRef value)
{
    struct tf_split *s = w->s;
    struct tf_split_value *v;
    unsigned number;

    if (value == w->turn->known)
        return w->turn->known_as;
    if (LLVMIsAArgument(value))
        return parameter(w, value);
    number = tf_split_value_number(s, value);
    if (number == TF_SPLIT_NONE)
        return value;
    v = &s->values[number];
    if (v->mapped_in == w->number)
        return v->mapped;
    if (LLVMIsAAllocaInst(value)) {
        v->mapped = private_address(w, &s->privates[v->slot]);
    } else if (v->cheap) {
        v->mapped = compute_anew(w, v);
    } else if (v->place != TF_SPLIT_NOWHERE) {
        v->mapped = fetch(w, v);
    } else {
        s->refused = true; // not reached as long as liveness is right
        v->mapped = LLVMGetPoison(LLVMTypeOf(value));
    }
    v->mapped_in = w->number;
    return v->mapped;
}

// What `value` is where the builder stands.
static LLVMValueRef now(struct writer *w, LLVMValueRef value)
{
    const unsigned number = tf_split_value_number(w->s, value);

    if (number != TF_SPLIT_NONE && w->s->values[number].variable_in == w->number)
        return LLVMBuildLoad2(w->s->wg->builder, LLVMTypeOf(value),
                              w->s->values[number].variable, "");
    return at_entry(w, value);
}

static bool is_phi_of_entry(const struct writer *w, const struct tf_split_value *v)
{
    return v->block == w->region->start && LLVMIsAPHINode(v->value);
}

// Comes in across the entry, and stays what it is.
static bool passes_through(const struct writer *w, const struct tf_split_value *v)
{
    return !w->copies[v->block] || is_phi_of_entry(w, v) ||
           (w->region->without_items && v->varying);
}

// Values that are computed in the region although they also come in across the entry.
static void make_variables(struct writer *w)
{
    struct tf_split *s = w->s;

    for (unsigned k = 0; k < w->region->block_count; k++) {
        const unsigned block = w->region->blocks[k];

        for (unsigned i = s->first_value[block]; i < s->first_value[block + 1]; i++) {
            struct tf_split_value *v = &s->values[i];

            if (!tf_split_is_live(v, w->entry) || passes_through(w, v) ||
                (v->cheap && v->fixed) || v->value == w->turn->known)
                continue;
            v->variable = LLVMBuildAlloca(s->variables, LLVMTypeOf(v->value), "");
            v->variable_in = w->number;
            LLVMBuildStore(w->front, at_entry(w, v->value), v->variable);
        }
    }
}

// ---- ends of turns

static void store_next(struct writer *w, unsigned next)
{
    LLVMBuildStore(w->s->wg->builder, LLVMConstInt(w->s->i32, next, false), w->s->next);
}

static void store_state(struct writer *w, unsigned state)
{
    struct tf_split *s = w->s;
    LLVMValueRef index = w->turn->index, address;

    address =
        LLVMBuildInBoundsGEP2(s->wg->builder, s->state_type, s->state, &index, 1, "");
    LLVMBuildStore(s->wg->builder, LLVMConstInt(s->state_type, state, false), address);
}

static void note_end(struct writer *w, bool returns, unsigned to)
{
    const struct tf_split_region *r = w->region;
    const bool several = r->target_count + r->returns > 1;

    if (w->s->mode == TF_SPLIT_ROUNDS) {
        store_state(w, returns ? TF_SPLIT_ENDED : to);
        if (!returns)
            store_next(w, 1);
        return;
    }
    if (!several)
        return;
    if (!returns || w->s->mode == TF_SPLIT_TOGETHER || r->without_items)
        store_next(w, returns ? TF_SPLIT_NONE : to);
    else
        store_state(w, TF_SPLIT_ENDED);
}

static LLVMValueRef incoming_from(const struct writer *w, LLVMValueRef phi, unsigned from)
{
    const LLVMBasicBlockRef block = w->s->blocks[from].block;

    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        if (LLVMGetIncomingBlock(phi, i) == block)
            return LLVMGetIncomingValue(phi, i);
    }
    return LLVMGetPoison(LLVMTypeOf(phi));
}

static void put_away_phi(struct writer *w, const struct tf_split_value *phi,
                         unsigned from)
{
    const LLVMValueRef value = incoming_from(w, phi->value, from);
    const unsigned number = tf_split_value_number(w->s, value);
    const struct tf_split_value *v;

    if (phi->place == TF_SPLIT_NOWHERE)
        return;
    if (number != TF_SPLIT_NONE && phi->place == TF_SPLIT_SLOT) {
        v = &w->s->values[number];
        if (v->place == TF_SPLIT_SLOT && v->slot == phi->slot && passes_through(w, v))
            return; // it lies there already
    }
    put_away(w, phi, now(w, value));
}

static void put_away_all(struct writer *w, unsigned from, unsigned to)
{
    struct tf_split *s = w->s;
    const unsigned block = s->entries[to];

    for (unsigned i = s->first_value[block]; LLVMIsAPHINode(s->values[i].value); i++)
        put_away_phi(w, &s->values[i], from);
    for (unsigned i = 0; i < w->kept_count; i++) {
        const struct tf_split_value *v = &s->values[w->kept[i]];

        if (tf_split_is_live(v, to) && !(v->block == block && LLVMIsAPHINode(v->value)))
            put_away(w, v, now(w, v->value));
    }
}

static LLVMBasicBlockRef new_block(const struct tf_split *s)
{
    return LLVMAppendBasicBlockInContext(s->wg->context, s->group_function, "");
}

// The way from a block of the region to an entry.
static LLVMBasicBlockRef end_at(struct writer *w, unsigned from, unsigned to)
{
    const LLVMBuilderRef b = w->s->wg->builder;

    if (w->ends[to])
        return w->ends[to];
    w->ends[to] = new_block(w->s);
    LLVMPositionBuilderAtEnd(b, w->ends[to]);
    put_away_all(w, from, to);
    note_end(w, false, to);
    LLVMBuildBr(b, w->turn->latch);
    return w->ends[to];
}

// ---- copying

static void copy_phi(struct writer *w, struct tf_split_value *v)
{
    const LLVMBuilderRef b = w->s->wg->builder;

    v->phi = LLVMBuildPhi(b, LLVMTypeOf(v->value), "");
    if (v->variable_in != w->number) {
        v->mapped = v->phi;
        v->mapped_in = w->number;
    }
}

static void copy_instruction(struct writer *w, struct tf_split_value *v)
{
    const LLVMValueRef copy = LLVMInstructionClone(v->value);

    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(copy); i++) {
        const LLVMValueRef operand = LLVMGetOperand(copy, i), mapped = now(w, operand);

        if (mapped != operand)
            LLVMSetOperand(copy, i, mapped);
    }
    LLVMInsertIntoBuilder(w->s->wg->builder, copy);
    if (v->variable_in != w->number) {
        v->mapped = copy;
        v->mapped_in = w->number;
        return;
    }
    LLVMBuildStore(w->s->wg->builder, copy, v->variable);
}

static void copy_end(struct writer *w, unsigned block, LLVMValueRef end)
{
    const struct tf_split_block *b = &w->s->blocks[block];
    const LLVMBuilderRef builder = w->s->wg->builder;
    LLVMValueRef copy, condition;

    if (b->succ_count == 0) {
        note_end(w, true, 0);
        LLVMBuildBr(builder, w->turn->latch);
        return;
    }
    copy = LLVMInstructionClone(end);
    if (LLVMGetInstructionOpcode(end) != LLVMBr || LLVMIsConditional(end)) {
        condition = now(w, LLVMGetOperand(end, 0));
        LLVMSetOperand(copy, 0, condition);
    }
    LLVMInsertIntoBuilder(builder, copy);
    for (unsigned k = 0; k < b->succ_count; k++) {
        const unsigned to = b->succs[k], entry = w->s->blocks[to].entry;

        LLVMSetSuccessor(
            copy, k, entry == TF_SPLIT_NONE ? w->copies[to] : end_at(w, block, entry));
    }
    for (unsigned k = 0; k < b->succ_count; k++) {
        if (w->s->blocks[b->succs[k]].entry != TF_SPLIT_NONE)
            w->ends[w->s->blocks[b->succs[k]].entry] = NULL;
    }
}

static bool is_left_out(const struct writer *w, const struct tf_split_value *v)
{
    return (v->dropped && !tf_is_scope_marker(v->value)) || LLVMIsAAllocaInst(v->value) ||
           is_phi_of_entry(w, v) ||
           (v->cheap && v->fixed && tf_split_is_live(v, w->entry)) ||
           v->value == w->turn->known || (w->region->without_items && v->varying);
}

static void copy_block(struct writer *w, unsigned block)
{
    struct tf_split *s = w->s;
    const unsigned last = s->first_value[block + 1] - 1;
    unsigned i = s->first_value[block];

    LLVMPositionBuilderAtEnd(s->wg->builder, w->copies[block]);
    for (; i < last && LLVMIsAPHINode(s->values[i].value); i++) {
        if (!is_left_out(w, &s->values[i]))
            copy_phi(w, &s->values[i]);
    }
    for (unsigned k = s->first_value[block]; k < i; k++) {
        const struct tf_split_value *v = &s->values[k];

        if (v->variable_in == w->number && !is_left_out(w, v))
            LLVMBuildStore(s->wg->builder, v->phi, v->variable);
    }
    for (; i < last; i++) {
        if (!is_left_out(w, &s->values[i]))
            copy_instruction(w, &s->values[i]);
    }
    copy_end(w, block, s->values[last].value);
}

// What a phi takes from `block` already: of several edges from one block (a switch) all
// bring the same.
static LLVMValueRef taken_from(LLVMValueRef phi, LLVMBasicBlockRef block)
{
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        if (LLVMGetIncomingBlock(phi, i) == block)
            return LLVMGetIncomingValue(phi, i);
    }
    return NULL;
}

static void complete_phi(struct writer *w, const struct tf_split_value *v)
{
    struct tf_split *s = w->s;

    for (unsigned i = 0; i < LLVMCountIncoming(v->value); i++) {
        const unsigned from = tf_split_block_number(s, LLVMGetIncomingBlock(v->value, i));
        LLVMBasicBlockRef copy;
        LLVMValueRef value;

        if (from == TF_SPLIT_NONE || !w->copies[from])
            continue;
        copy = w->copies[from];
        LLVMPositionBuilderBefore(s->wg->builder, LLVMGetBasicBlockTerminator(copy));
        value = taken_from(v->phi, copy);
        if (!value)
            value = now(w, LLVMGetIncomingValue(v->value, i));
        LLVMAddIncoming(v->phi, &value, &copy, 1);
    }
}

static void complete_phis(struct writer *w)
{
    struct tf_split *s = w->s;

    for (unsigned k = 0; k < w->region->block_count; k++) {
        unsigned i = s->first_value[w->region->blocks[k]];

        for (; LLVMIsAPHINode(s->values[i].value); i++) {
            if (!is_left_out(w, &s->values[i]))
                complete_phi(w, &s->values[i]);
        }
    }
}

// Values of the region's blocks that live on somewhere.
static void find_kept(struct writer *w)
{
    struct tf_split *s = w->s;
    unsigned room = 0;

    for (unsigned k = 0; k < w->region->block_count; k++)
        room += s->blocks[w->region->blocks[k]].size;
    w->kept = TF_ARENA_NEW(s->arena, unsigned, room);
    for (unsigned k = 0; k < w->region->block_count; k++) {
        const unsigned block = w->region->blocks[k];

        for (unsigned i = s->first_value[block]; i < s->first_value[block + 1]; i++) {
            const struct tf_split_value *v = &s->values[i];

            if (v->place != TF_SPLIT_NOWHERE && !passes_through(w, v))
                w->kept[w->kept_count++] = i;
        }
    }
}

LLVMValueRef tf_split_value_at_entry(struct tf_split *s, unsigned entry,
                                     LLVMValueRef value)
{
    const struct tf_split_turn turn = {0};
    struct writer w = {
        .s = s,
        .entry = entry,
        .number = s->turns++,
        .region = &s->regions[entry],
        .turn = &turn,
        .front = s->wg->builder,
    };

    return at_entry(&w, value);
}

void tf_split_emit_region(struct tf_split *s, unsigned entry,
                          const struct tf_split_turn *turn)
{
    struct writer w = {
        .s = s,
        .entry = entry,
        .number = s->turns++,
        .region = &s->regions[entry],
        .turn = turn,
        .front = LLVMCreateBuilderInContext(s->wg->context),
        .copies = s->copies,
        .ends = s->ends,
    };

    LLVMPositionBuilderAtEnd(w.front, turn->start);
    for (unsigned k = 0; k < w.region->block_count; k++)
        w.copies[w.region->blocks[k]] = new_block(s);
    find_kept(&w);
    make_variables(&w);
    for (unsigned k = 0; k < w.region->block_count; k++)
        copy_block(&w, w.region->blocks[k]);
    complete_phis(&w);
    LLVMBuildBr(w.front, w.copies[w.region->start]);
    for (unsigned k = 0; k < w.region->block_count; k++)
        w.copies[w.region->blocks[k]] = NULL;
    LLVMDisposeBuilder(w.front);
}
