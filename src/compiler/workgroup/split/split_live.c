// SPDX-License-Identifier: MIT
// What lives across entries, and where it is kept. A value of the whole group has a cell,
// a variable of the group function. A value of an item has a slot: an array in context
// memory with one element an item. Values that never live at the same entry share a slot;
// a phi at an entry and what flows into it do so first of all, which makes the phi free.
#include <string.h>

#include <llvm-c/Core.h>

#include "compiler/workgroup/split/split_parts.h"

enum { LINE_BYTES = 64, SLOTS_TRIED = 32 };

// ---- liveness

struct live_search {
    struct tf_split *s;
    unsigned *block_mark;
    unsigned *blocks, *values; // stacks
    unsigned block_depth, value_depth;
    unsigned mark;
};

bool tf_split_is_live(const struct tf_split_value *v, unsigned entry)
{
    return v->live && (v->live[entry / 64] >> (entry % 64) & 1);
}

static void set_live(struct tf_split *s, struct tf_split_value *v, unsigned entry)
{
    if (!v->live)
        v->live = TF_ARENA_NEW(s->arena, uint64_t, s->live_words);
    v->live[entry / 64] |= (uint64_t)1 << (entry % 64);
}

// The value is wanted where `block` begins.
static void live_into(struct live_search *f, struct tf_split_value *v, unsigned block)
{
    if (block == v->block || f->block_mark[block] == f->mark)
        return;
    f->block_mark[block] = f->mark;
    f->blocks[f->block_depth++] = block;
    while (f->block_depth > 0) {
        const unsigned at = f->blocks[--f->block_depth];
        const struct tf_split_block *b = &f->s->blocks[at];

        if (b->entry != TF_SPLIT_NONE)
            set_live(f->s, v, b->entry);
        for (unsigned k = 0; k < b->pred_count; k++) {
            const unsigned pred = b->preds[k];

            if (pred != v->block && f->block_mark[pred] != f->mark) {
                f->block_mark[pred] = f->mark;
                f->blocks[f->block_depth++] = pred;
            }
        }
    }
}

static void live_into_phi(struct live_search *f, struct tf_split_value *v,
                          LLVMValueRef used, LLVMValueRef phi)
{
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        const unsigned from = tf_split_block_number(f->s, LLVMGetIncomingBlock(phi, i));

        if (LLVMGetIncomingValue(phi, i) == used && from != TF_SPLIT_NONE)
            live_into(f, v, from);
    }
}

// Uses by values that may be computed anew stand for the uses of these.
static void find_live(struct live_search *f, struct tf_split_value *v)
{
    struct tf_split *s = f->s;
    const unsigned entry = s->blocks[v->block].entry;

    f->mark++;
    f->values[f->value_depth++] = tf_split_value_number(s, v->value);
    if (LLVMIsAPHINode(v->value) && entry != TF_SPLIT_NONE)
        set_live(s, v, entry);
    while (f->value_depth > 0) {
        const LLVMValueRef used = s->values[f->values[--f->value_depth]].value;

        for (LLVMUseRef use = LLVMGetFirstUse(used); use; use = LLVMGetNextUse(use)) {
            const LLVMValueRef user = LLVMGetUser(use);
            const unsigned number = tf_split_value_number(s, user);

            if (number == TF_SPLIT_NONE)
                continue;
            if (LLVMIsAPHINode(user))
                live_into_phi(f, v, used, user);
            else
                live_into(f, v, s->values[number].block);
            if (s->values[number].cheap && s->values[number].mark != f->mark) {
                s->values[number].mark = f->mark;
                f->values[f->value_depth++] = number;
            }
        }
    }
}

static void find_all_live(struct tf_split *s)
{
    struct live_search f = {.s = s};

    f.block_mark = TF_ARENA_NEW(s->arena, unsigned, s->block_count);
    f.blocks = TF_ARENA_NEW(s->arena, unsigned, s->block_count + 1);
    f.values = TF_ARENA_NEW(s->arena, unsigned, s->value_count + 1);
    for (unsigned i = 0; i < s->value_count; i++) {
        struct tf_split_value *v = &s->values[i];

        if (!LLVMGetFirstUse(v->value) || v->dropped)
            continue;
        find_live(&f, v);
        if (v->live && !v->cheap) {
            v->place = v->varying ? TF_SPLIT_SLOT : TF_SPLIT_CELL;
            s->refused |= !LLVMTypeIsSized(LLVMTypeOf(v->value));
        }
    }
    s->mark = f.mark;
}

// ---- slots and cells

// How a value lies in memory: vectors of bits as integers.
static LLVMTypeRef memory_type(LLVMTypeRef type)
{
    LLVMTypeRef element;

    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind)
        return type;
    element = LLVMGetElementType(type);
    if (LLVMGetTypeKind(element) != LLVMIntegerTypeKind ||
        LLVMGetIntTypeWidth(element) != 1)
        return type;
    return LLVMIntTypeInContext(LLVMGetTypeContext(type), LLVMGetVectorSize(type));
}

static bool take_slot(struct tf_split *s, struct tf_split_value *v, unsigned number)
{
    struct tf_split_slot *slot = &s->slots[number];

    if (slot->type != memory_type(LLVMTypeOf(v->value)))
        return false;
    for (unsigned i = 0; i < s->live_words; i++) {
        if (slot->live[i] & v->live[i])
            return false;
    }
    for (unsigned i = 0; i < s->live_words; i++)
        slot->live[i] |= v->live[i];
    v->slot = number;
    return true;
}

static void new_slot(struct tf_split *s, struct tf_split_value *v)
{
    struct tf_split_slot *slot = &s->slots[s->slot_count];

    slot->type = memory_type(LLVMTypeOf(v->value));
    slot->live = TF_ARENA_NEW(s->arena, uint64_t, s->live_words);
    take_slot(s, v, s->slot_count++);
}

static bool waits_for_slot(const struct tf_split_value *v)
{
    return v->place == TF_SPLIT_SLOT && v->slot == TF_SPLIT_NONE;
}

// What flows into the phi may flow into another one, too, whose slot it then has.
static bool take_slot_of_incoming(struct tf_split *s, struct tf_split_value *phi)
{
    for (unsigned i = 0; i < LLVMCountIncoming(phi->value); i++) {
        const unsigned number =
            tf_split_value_number(s, LLVMGetIncomingValue(phi->value, i));
        const struct tf_split_value *in;

        if (number == TF_SPLIT_NONE)
            continue;
        in = &s->values[number];
        if (in->place == TF_SPLIT_SLOT && in->slot != TF_SPLIT_NONE &&
            take_slot(s, phi, in->slot))
            return true;
    }
    return false;
}

static void give_slots_to_phi(struct tf_split *s, struct tf_split_value *phi)
{
    if (waits_for_slot(phi) && !take_slot_of_incoming(s, phi))
        new_slot(s, phi);
    for (unsigned i = 0; i < LLVMCountIncoming(phi->value); i++) {
        const unsigned number =
            tf_split_value_number(s, LLVMGetIncomingValue(phi->value, i));

        if (number != TF_SPLIT_NONE && waits_for_slot(&s->values[number]))
            take_slot(s, &s->values[number], phi->slot);
    }
}

static void give_slot(struct tf_split *s, struct tf_split_value *v)
{
    const unsigned first = s->slot_count > SLOTS_TRIED ? s->slot_count - SLOTS_TRIED : 0;

    for (unsigned i = first; i < s->slot_count; i++) {
        if (take_slot(s, v, i))
            return;
    }
    new_slot(s, v);
}

static void give_places(struct tf_split *s)
{
    unsigned slots = 0, cells = 0;

    for (unsigned i = 0; i < s->value_count; i++) {
        s->values[i].slot = TF_SPLIT_NONE;
        slots += s->values[i].place == TF_SPLIT_SLOT;
        cells += s->values[i].place == TF_SPLIT_CELL;
    }
    s->slots = TF_ARENA_NEW(s->arena, struct tf_split_slot, slots);
    s->cells = TF_ARENA_NEW(s->arena, struct tf_split_cell, cells);
    for (unsigned i = 0; i < s->value_count; i++) {
        struct tf_split_value *v = &s->values[i];

        if (v->place == TF_SPLIT_SLOT && LLVMIsAPHINode(v->value) &&
            s->blocks[v->block].entry != TF_SPLIT_NONE)
            give_slots_to_phi(s, v);
    }
    for (unsigned i = 0; i < s->value_count; i++) {
        struct tf_split_value *v = &s->values[i];

        if (waits_for_slot(v))
            give_slot(s, v);
        if (v->place == TF_SPLIT_CELL) {
            v->slot = s->cell_count++;
            s->cells[v->slot].type = LLVMTypeOf(v->value);
        }
    }
}

// ---- context memory

static uint64_t round_up(uint64_t bytes, uint64_t align)
{
    return (bytes + align - 1) / align * align;
}

// Elements of whole cache lines come first, as many as there are items; then arrays of
// smaller elements, padded to a multiple of 64 items: every array is aligned to a line.
static uint64_t place_array(struct tf_split *s, uint64_t stride_bytes)
{
    uint64_t *const total = stride_bytes % LINE_BYTES ? &s->small_bytes : &s->large_bytes;
    const uint64_t offset_bytes = *total;

    *total += stride_bytes;
    return offset_bytes;
}

static uint64_t private_stride(const struct tf_split *s, LLVMValueRef variable)
{
    const uint64_t align_bytes = LLVMGetAlignment(variable);
    uint64_t bytes = LLVMABISizeOfType(s->layout, LLVMGetAllocatedType(variable)) *
                     LLVMConstIntGetZExtValue(LLVMGetOperand(variable, 0));
    uint64_t unit = LINE_BYTES;

    if (bytes == 0)
        bytes = 1;
    if (align_bytes <= LINE_BYTES && bytes < LINE_BYTES)
        return round_up(bytes, align_bytes);
    if (align_bytes > unit)
        unit = align_bytes;
    bytes = round_up(bytes, unit);
    // An odd number of units: copies of neighbours spread over the sets of the cache.
    return bytes / unit % 2 ? bytes : bytes + unit;
}

static void lay_out(struct tf_split *s)
{
    // Those with the largest alignment first.
    for (unsigned large = 2; large-- > 0;) {
        for (unsigned i = 0; i < s->private_count; i++) {
            struct tf_split_private *p = &s->privates[i];
            const LLVMValueRef variable = s->values[p->value].value;

            if (!p->crosses || (LLVMGetAlignment(variable) > LINE_BYTES) != (large > 0))
                continue;
            p->stride_bytes = private_stride(s, variable);
            p->large = p->stride_bytes % LINE_BYTES == 0;
            p->offset_bytes = place_array(s, p->stride_bytes);
        }
    }
    for (unsigned i = 0; i < s->slot_count; i++)
        s->slots[i].offset_bytes =
            place_array(s, LLVMABISizeOfType(s->layout, s->slots[i].type));
    s->state_offset_bytes = s->small_bytes;
    if (s->mode != TF_SPLIT_TOGETHER)
        s->small_bytes += sizeof(uint16_t);
}

// ---- regions that need no items

bool tf_split_phis_are_free(const struct tf_split *s, unsigned from, unsigned entry)
{
    const unsigned to = s->entries[entry];

    for (unsigned i = s->first_value[to]; LLVMIsAPHINode(s->values[i].value); i++) {
        const struct tf_split_value *phi = &s->values[i], *in;
        unsigned number = TF_SPLIT_NONE;

        if (phi->place != TF_SPLIT_SLOT)
            continue;
        for (unsigned k = 0; k < LLVMCountIncoming(phi->value); k++) {
            if (LLVMGetIncomingBlock(phi->value, k) == s->blocks[from].block)
                number = tf_split_value_number(s, LLVMGetIncomingValue(phi->value, k));
        }
        if (number == TF_SPLIT_NONE)
            return false;
        in = &s->values[number];
        if (in->place != TF_SPLIT_SLOT || in->slot != phi->slot)
            return false;
    }
    return true;
}

static bool has_varying_phi(const struct tf_split *s, unsigned block)
{
    for (unsigned i = s->first_value[block]; LLVMIsAPHINode(s->values[i].value); i++) {
        if (s->values[i].varying)
            return true;
    }
    return false;
}

// Phis of the block that the region begins with lie in slots.
static bool needs_items(const struct tf_split *s, const struct tf_split_region *r,
                        unsigned block)
{
    const struct tf_split_block *b = &s->blocks[block];

    if (tf_split_needs_items(s, block) ||
        (block != r->start && has_varying_phi(s, block)))
        return true;
    for (unsigned k = 0; k < b->succ_count; k++) {
        const unsigned entry = s->blocks[b->succs[k]].entry;

        if (entry != TF_SPLIT_NONE && !tf_split_phis_are_free(s, block, entry))
            return true;
    }
    return false;
}

static void find_regions_without_items(struct tf_split *s)
{
    for (unsigned i = 0; i < s->entry_count; i++) {
        struct tf_split_region *r = &s->regions[i];

        r->without_items = s->mode != TF_SPLIT_ROUNDS;
        for (unsigned k = 0; r->without_items && k < r->block_count; k++)
            r->without_items = !needs_items(s, r, r->blocks[k]);
    }
}

void tf_split_live(struct tf_split *s)
{
    find_all_live(s);
    give_places(s);
}

void tf_split_lay_out(struct tf_split *s)
{
    lay_out(s);
    find_regions_without_items(s);
}
