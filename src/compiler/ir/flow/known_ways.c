// SPDX-License-Identifier: MIT
#include "compiler/ir/flow/known_ways.h"

#include <llvm-c/Core.h>

#include "compiler/ir/graph.h"
#include "compiler/ir/ir_util.h"
#include "compiler/ir/llvm_version.h"

enum { MOST_PHIS = 64 };

// A block of phis and a switch by one of them.
struct choice {
    LLVMBuilderRef b;
    LLVMBasicBlockRef block;
    LLVMValueRef end, by;
    LLVMValueRef phis[MOST_PHIS];
    LLVMValueRef cells[MOST_PHIS]; // what each phi was when the block was last reached
    unsigned phi_count;
};

// ---- which blocks

static LLVMValueRef incoming_from(LLVMValueRef phi, LLVMBasicBlockRef from)
{
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        if (LLVMGetIncomingBlock(phi, i) == from)
            return LLVMGetIncomingValue(phi, i);
    }
    return NULL;
}

static bool knows_all_ways(LLVMValueRef phi)
{
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        const LLVMValueRef end =
            LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(phi, i));

        if (!LLVMIsAConstantInt(LLVMGetIncomingValue(phi, i)) ||
            (!LLVMIsABranchInst(end) && !LLVMIsASwitchInst(end)))
            return false;
    }
    return true;
}

static bool is_choice(struct choice *c, LLVMBasicBlockRef block)
{
    LLVMValueRef i = LLVMGetFirstInstruction(block);

    c->block = block;
    c->end = LLVMGetBasicBlockTerminator(block);
    if (!LLVMIsASwitchInst(c->end))
        return false;
    c->by = LLVMGetOperand(c->end, 0);
    for (c->phi_count = 0; i && LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i)) {
        if (c->phi_count == MOST_PHIS)
            return false;
        c->phis[c->phi_count++] = i;
    }
    return i == c->end && LLVMIsAPHINode(c->by) &&
           LLVMGetInstructionParent(c->by) == block && knows_all_ways(c->by);
}

// A way back leads there: numbers are in reverse postorder.
static bool is_head(const struct tf_graph *g, unsigned n)
{
    for (unsigned i = 0; i < g->nodes[n].pred_count; i++) {
        if (g->nodes[n].preds[i] >= n)
            return true;
    }
    return false;
}

// ---- what they chose

static unsigned index_of(const struct choice *c, LLVMValueRef value)
{
    unsigned i = 0;

    while (i < c->phi_count && c->phis[i] != value)
        i++;
    return i;
}

static void make_cells(struct choice *c, LLVMValueRef fn)
{
    LLVMPositionBuilderBefore(c->b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(fn)));
    for (unsigned i = 0; i < c->phi_count; i++)
        c->cells[i] = LLVMBuildAlloca(c->b, LLVMTypeOf(c->phis[i]), "");
}

static LLVMValueRef load(struct choice *c, unsigned i)
{
    return LLVMBuildLoad2(c->b, LLVMTypeOf(c->phis[i]), c->cells[i], "");
}

// A use on a way out of the block goes with the way. True if there was another one.
static bool load_in(struct choice *c, unsigned i, LLVMValueRef user)
{
    const bool is_phi = LLVMIsAPHINode(user);
    bool any = false;

    if (LLVMGetInstructionParent(user) == c->block)
        return false;
    for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(user); k++) {
        if (LLVMGetOperand(user, k) != c->phis[i] ||
            (is_phi && LLVMGetIncomingBlock(user, k) == c->block))
            continue;
        LLVMPositionBuilderBefore(
            c->b,
            is_phi ? LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(user, k)) : user);
        LLVMSetOperand(user, k, load(c, i));
        any = true;
    }
    return any;
}

// Cells change on ways to the block alone: wherever a phi is used, they hold what it was.
static void load_where_used(struct choice *c, unsigned i)
{
    LLVMUseRef use = LLVMGetFirstUse(c->phis[i]);

    while (use)
        use = load_in(c, i, LLVMGetUser(use)) ? LLVMGetFirstUse(c->phis[i])
                                              : LLVMGetNextUse(use);
}

// ---- the ways

static LLVMBasicBlockRef way_of(const struct choice *c, LLVMValueRef constant)
{
    for (unsigned i = 1; i < LLVMGetNumSuccessors(c->end); i++) {
        if (tf_llvm_case_value(c->end, i) == constant)
            return LLVMGetSuccessor(c->end, i);
    }
    return LLVMGetSuccessor(c->end, 0);
}

// What each phi is on a way from `from`: settled before any cell changes.
static void find_values(struct choice *c, LLVMBasicBlockRef from, LLVMValueRef *values)
{
    for (unsigned i = 0; i < c->phi_count; i++) {
        const LLVMValueRef value = incoming_from(c->phis[i], from);
        const unsigned old = index_of(c, value);

        values[i] = old < c->phi_count ? load(c, old) : value;
    }
}

static void enter(struct choice *c, LLVMBasicBlockRef to, LLVMBasicBlockRef way,
                  const LLVMValueRef *values)
{
    for (LLVMValueRef phi = LLVMGetFirstInstruction(to); phi && LLVMIsAPHINode(phi);
         phi = LLVMGetNextInstruction(phi)) {
        LLVMValueRef value = incoming_from(phi, c->block);
        const unsigned i = index_of(c, value);

        if (i < c->phi_count)
            value = values[i];
        LLVMAddIncoming(phi, &value, &way, 1);
    }
}

// The way from `from` by its successor `at`, in a block of its own.
static void lead(struct choice *c, LLVMBasicBlockRef from, unsigned at)
{
    const LLVMValueRef end = LLVMGetBasicBlockTerminator(from);
    const LLVMBasicBlockRef to = way_of(c, incoming_from(c->by, from));
    const LLVMBasicBlockRef way = LLVMInsertBasicBlockInContext(
        LLVMGetTypeContext(LLVMTypeOf(c->by)), c->block, "known_way");
    LLVMValueRef values[MOST_PHIS];

    LLVMPositionBuilderAtEnd(c->b, way);
    find_values(c, from, values);
    for (unsigned i = 0; i < c->phi_count; i++)
        LLVMBuildStore(c->b, values[i], c->cells[i]);
    enter(c, to, way, values);
    LLVMBuildBr(c->b, to);
    LLVMSetSuccessor(end, at, way);
}

// A phi cannot lose a way: another one takes its place.
static void forget_way(struct choice *c, LLVMValueRef phi)
{
    const LLVMTypeRef type = LLVMTypeOf(phi);
    LLVMValueRef other = LLVMGetUndef(type);
    bool any = false;

    LLVMPositionBuilderBefore(c->b, phi);
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
        LLVMValueRef value = LLVMGetIncomingValue(phi, i);

        if (from == c->block)
            continue;
        if (!any)
            other = LLVMBuildPhi(c->b, type, "");
        any = true;
        LLVMAddIncoming(other, &value, &from, 1);
    }
    tf_ir_replace(phi, other);
}

static void forget_ways(struct choice *c)
{
    for (unsigned at = 0; at < LLVMGetNumSuccessors(c->end); at++) {
        LLVMValueRef next;

        for (LLVMValueRef phi = LLVMGetFirstInstruction(LLVMGetSuccessor(c->end, at));
             phi && LLVMIsAPHINode(phi); phi = next) {
            next = LLVMGetNextInstruction(phi);
            if (incoming_from(phi, c->block))
                forget_way(c, phi);
        }
    }
}

static void take_ways(struct choice *c)
{
    make_cells(c, LLVMGetBasicBlockParent(c->block));
    for (unsigned i = 0; i < c->phi_count; i++)
        load_where_used(c, i);
    for (unsigned i = 0; i < LLVMCountIncoming(c->by); i++) {
        const LLVMBasicBlockRef from = LLVMGetIncomingBlock(c->by, i);
        const LLVMValueRef end = LLVMGetBasicBlockTerminator(from);

        for (unsigned at = 0; at < LLVMGetNumSuccessors(end); at++) {
            if (LLVMGetSuccessor(end, at) == c->block)
                lead(c, from, at);
        }
    }
    forget_ways(c);
    LLVMDeleteBasicBlock(c->block);
}

bool tf_ir_take_known_ways(LLVMValueRef fn)
{
    struct tf_arena arena = {0};
    struct tf_graph graph;
    struct choice c = {0};
    bool any = false;

    TF_FOR_EACH_BLOCK(block, fn)
    any |= is_choice(&c, block);
    if (!any)
        return false;
    tf_graph_init(&graph, &arena, fn, true);
    c.b = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(fn)));
    any = false;
    for (unsigned n = 1; n < graph.count; n++) {
        if (is_head(&graph, n) || !is_choice(&c, graph.nodes[n].block))
            continue;
        take_ways(&c);
        any = true;
    }
    LLVMDisposeBuilder(c.b);
    tf_arena_finish(&arena);
    return any;
}
