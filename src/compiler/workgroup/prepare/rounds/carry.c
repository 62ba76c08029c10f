// SPDX-License-Identifier: MIT
// Loops of one block that walk along rows, before several of their rounds become one
// (prepare/strips.h).
//
// x[k] = x[k] - x[k - 1] * a[k] stores in one round what it loads in the next, and
// x[k] = x[k] - x[k + 1] loads it twice. Lanes that load several rounds at once must find
// it in registers. What the first round loads is loaded before the loop.
//
// LLVM makes of n - k - 1 other sums in each round, of which nobody knows that they do
// not wrap. So addresses become that of the first round, and bytes that are counted in 64
// bits.
#include "compiler/workgroup/prepare/rounds/carry.h"

#include <llvm-c/Core.h>

#include "compiler/workgroup/analysis/access.h"
#include "compiler/workgroup/analysis/place.h"
#include "compiler/workgroup/kernel/wg.h"

enum {
    MOST_VISITS = 64, // of memory, in a round
    MOST_STEPS = 12,  // from an address to what it is made of
    MOST_OPERANDS = 4,
};

struct visit {
    LLVMValueRef instruction;
    LLVMValueRef value; // what is stored, or was loaded
    struct tf_place place;
    uint64_t bytes;
    bool is_store;
};

struct round {
    struct tf_wg *wg;
    const struct tf_shapes *s;
    LLVMBasicBlockRef block, before;  // of the loop, and the one that leads to it
    struct visit visits[MOST_VISITS]; // in their order
    unsigned count;
};

// ---- what one round hands on to the next

static bool list_visits(struct round *r, unsigned block)
{
    for (const struct tf_value *v = tf_block_first(r->s, block);
         v < tf_block_end(r->s, block); v++) {
        const bool is_store = v->opcode == LLVMStore;
        struct tf_access a;

        if (!is_store && v->opcode != LLVMLoad)
            continue;
        if (r->count == MOST_VISITS)
            return false;
        a = tf_access_of(r->s->layout, v->instruction);
        r->visits[r->count++] = (struct visit){
            v->instruction, is_store ? LLVMGetOperand(v->instruction, 0) : v->instruction,
            tf_place_of(r->s->layout, a.pointer), tf_access_bytes(&a), is_store};
    }
    return true;
}

static LLVMValueRef address_of(const struct visit *v)
{
    return LLVMGetOperand(v->instruction, v->is_store ? 1 : 0);
}

// Whether a store changes what `from` has left for `to` in the next round, `step` bytes
// on from its own place: one behind `from`, or before `to`. That may be `from` itself, of
// vectors that go on by less than their length.
static bool is_overwritten(const struct round *r, unsigned from, unsigned to)
{
    for (unsigned i = 0; i < r->count; i++) {
        const struct visit *x = &r->visits[i], *a = &r->visits[from], *b = &r->visits[to];
        const int64_t from_a = x->place.offset_bytes - a->place.offset_bytes;
        const int64_t from_b = x->place.offset_bytes - b->place.offset_bytes;

        if (!x->is_store ||
            tf_place_apart(b->instruction, &b->place, x->instruction, &x->place))
            continue;
        if (!tf_place_same_base(&x->place, &b->place) || !x->bytes ||
            (i > from && from_a < (int64_t)a->bytes && -from_a < (int64_t)x->bytes) ||
            (i < to && from_b < (int64_t)b->bytes && -from_b < (int64_t)x->bytes))
            return true;
    }
    return false;
}

// Which access of a round leaves what the load `to` takes in the next one; -1: none.
static int source_of(const struct round *r, unsigned to)
{
    const struct visit *b = &r->visits[to];
    const struct tf_access access = tf_access_of(r->s->layout, b->instruction);
    const int64_t step = tf_place_step(r->s->layout, access.pointer, r->block);

    if (step == 0 || !b->bytes || tf_access_is_local(&access) ||
        LLVMGetPointerAddressSpace(LLVMTypeOf(access.pointer)) == TF_AS_PRIVATE)
        return -1;
    for (unsigned i = 0; i < r->count; i++) {
        const struct visit *a = &r->visits[i];

        if (i != to && LLVMTypeOf(a->value) == access.type &&
            tf_place_same_base(&a->place, &b->place) &&
            a->place.offset_bytes == b->place.offset_bytes + step &&
            !is_overwritten(r, i, to))
            return (int)i;
    }
    return -1;
}

static LLVMValueRef incoming(LLVMValueRef phi, LLVMBasicBlockRef from)
{
    unsigned i = 0;

    while (LLVMGetIncomingBlock(phi, i) != from)
        i++;
    return LLVMGetIncomingValue(phi, i);
}

static bool is_in(const struct round *r, LLVMValueRef value)
{
    return LLVMIsAInstruction(value) && LLVMGetInstructionParent(value) == r->block;
}

// Whether an address can be made before the loop, for the first round.
static bool can_be_first(const struct round *r, LLVMValueRef value, unsigned depth)
{
    if (!is_in(r, value) || LLVMIsAPHINode(value))
        return true;
    if (depth == MOST_STEPS || !(LLVMIsABinaryOperator(value) || LLVMIsACastInst(value) ||
                                 LLVMIsAGetElementPtrInst(value)))
        return false;
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value); i++) {
        if (!can_be_first(r, LLVMGetOperand(value, i), depth + 1))
            return false;
    }
    return true;
}

// What it is in the first round; the builder stands before the loop.
static LLVMValueRef make_first(const struct round *r, LLVMValueRef value)
{
    LLVMValueRef operands[MOST_OPERANDS], made;
    const unsigned count =
        LLVMIsAInstruction(value) ? (unsigned)LLVMGetNumOperands(value) : 0;

    if (!is_in(r, value))
        return value;
    if (LLVMIsAPHINode(value))
        return incoming(value, r->before);
    for (unsigned i = 0; i < count; i++)
        operands[i] = make_first(r, LLVMGetOperand(value, i));
    made = LLVMInstructionClone(value);
    for (unsigned i = 0; i < count; i++)
        LLVMSetOperand(made, i, operands[i]);
    LLVMInsertIntoBuilder(r->wg->builder, made);
    return made;
}

static void take_over(struct round *r, unsigned to, unsigned from)
{
    const LLVMBuilderRef b = r->wg->builder;
    const LLVMValueRef load = r->visits[to].instruction;
    LLVMValueRef phi, values[2];
    LLVMBasicBlockRef blocks[2] = {r->before, r->block};

    LLVMPositionBuilderBefore(b, LLVMGetBasicBlockTerminator(r->before));
    values[0] = make_first(r, load);
    LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(r->block));
    phi = LLVMBuildPhi(b, LLVMTypeOf(load), "");
    values[1] = r->visits[from].value == load ? phi : r->visits[from].value;
    LLVMAddIncoming(phi, values, blocks, 2);
    LLVMReplaceAllUsesWith(load, phi);
    for (unsigned i = 0; i < r->count; i++)
        r->visits[i].value = r->visits[i].value == load ? phi : r->visits[i].value;
    LLVMInstructionEraseFromParent(load);
    // A load no more.
    for (unsigned i = to + 1; i < r->count; i++)
        r->visits[i - 1] = r->visits[i];
    r->count--;
}

static void hand_on(struct round *r)
{
    for (unsigned i = 0; i < r->count;) {
        const int from = r->visits[i].is_store ? -1 : source_of(r, i);

        if (from >= 0 && can_be_first(r, address_of(&r->visits[i]), 0))
            take_over(r, i, (unsigned)from);
        else
            i++;
    }
}

// ---- addresses

// A number that counts bytes up from 0.
static LLVMValueRef add_count(const struct round *r, int64_t step)
{
    const LLVMBuilderRef b = r->wg->builder;
    LLVMBasicBlockRef blocks[2] = {r->before, r->block};
    LLVMValueRef values[2] = {LLVMConstNull(r->wg->i64)}, phi;

    LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(r->block));
    phi = LLVMBuildPhi(b, r->wg->i64, "");
    LLVMPositionBuilderBefore(b, LLVMGetBasicBlockTerminator(r->block));
    values[1] = LLVMBuildAdd(b, phi, LLVMConstInt(r->wg->i64, (uint64_t)step, true), "");
    LLVMAddIncoming(phi, values, blocks, 2);
    return phi;
}

// The address as that of the first round, and bytes that are counted.
static void count_address(const struct round *r, const struct visit *v,
                          LLVMValueRef count)
{
    const LLVMBuilderRef b = r->wg->builder;
    const unsigned operand = v->is_store ? 1 : 0;
    LLVMValueRef first;

    LLVMPositionBuilderBefore(b, LLVMGetBasicBlockTerminator(r->before));
    first = make_first(r, address_of(v));
    LLVMPositionBuilderBefore(b, v->instruction);
    LLVMSetOperand(v->instruction, operand,
                   LLVMBuildGEP2(b, r->wg->i8, first, &count, 1, ""));
}

static void count_addresses(const struct round *r)
{
    LLVMValueRef counts[2] = {NULL}; // up, down

    for (unsigned i = 0; i < r->count; i++) {
        const struct visit *v = &r->visits[i];
        const int64_t step = tf_place_step(r->s->layout, address_of(v), r->block);
        LLVMValueRef *count = &counts[step < 0];

        if (v->bytes == 0 || (step != (int64_t)v->bytes && step != -(int64_t)v->bytes) ||
            v->bytes != r->visits[0].bytes || !can_be_first(r, address_of(v), 0))
            continue;
        if (!*count)
            *count = add_count(r, step);
        count_address(r, v, *count);
    }
}

void tf_prepare_carry(struct tf_wg *wg, const struct tf_facts *facts, unsigned block,
                      bool addresses)
{
    const struct tf_cfg_block *b = &facts->cfg.blocks[block];
    struct round r = {.wg = wg, .s = &facts->usual, .block = b->block};

    if (b->pred_count != 2 || !list_visits(&r, block))
        return;
    r.before = facts->cfg.blocks[b->preds[b->preds[0] == block]].block;
    hand_on(&r);
    if (addresses)
        count_addresses(&r);
}

// ---- chains

static bool has_real_phi(LLVMBasicBlockRef head)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(head); LLVMIsAPHINode(i);
         i = LLVMGetNextInstruction(i)) {
        const LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(i));

        if (kind != LLVMIntegerTypeKind && kind != LLVMPointerTypeKind)
            return true;
    }
    return false;
}

static bool is_one_block(const struct tf_cfg *cfg, unsigned loop)
{
    for (unsigned b = 0; b < cfg->block_count; b++) {
        if (b != cfg->loops[loop].head && tf_cfg_in_loop(cfg, loop, b))
            return false;
    }
    return true;
}

bool tf_rounds_wait(const struct tf_cfg *cfg, LLVMTargetDataRef layout)
{
    for (unsigned l = 0; l < cfg->loop_count; l++) {
        const LLVMBasicBlockRef head = cfg->blocks[cfg->loops[l].head].block;

        if (has_real_phi(head) ||
            (is_one_block(cfg, l) && !tf_place_rounds_are_apart(layout, head)))
            return true;
    }
    return false;
}
