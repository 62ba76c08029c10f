// SPDX-License-Identifier: MIT
#include "compiler/ir/flow/merged_stores.h"

#include <string.h>

#include <llvm-c/Core.h>

#include "compiler/ir/elementwise.h"
#include "compiler/ir/flow/joins.h"
#include "compiler/ir/graph.h"
#include "compiler/ir/ir_util.h"
#include "compiler/ir/roots.h"

enum { MOST_PREDECESSORS = 64 };

// The function as it was.
struct flow {
    LLVMBuilderRef b;
    struct tf_graph graph;
    unsigned *idom;
    bool *waits; // nodes with barriers; NULL: there are none
    bool *seen;  // of a walk
    unsigned *stack;
};

// Stores of the ways that lead to a block, each the last access of memory on its way.
struct family {
    struct tf_ways stores;
    bool is_all; // no other way leads to the block
};

// ---- barriers on the ways

static bool has_barrier(LLVMBasicBlockRef block)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
         i = LLVMGetNextInstruction(i)) {
        if (tf_root_of(i) == TF_ROOT_BARRIER)
            return true;
    }
    return false;
}

static void find_barriers(struct flow *flow, struct tf_arena *arena)
{
    const unsigned count = flow->graph.count;
    bool any = false;

    flow->waits = TF_ARENA_NEW(arena, bool, count);
    flow->seen = TF_ARENA_NEW(arena, bool, count);
    flow->stack = TF_ARENA_NEW(arena, unsigned, count + 1);
    for (unsigned n = 0; n < count; n++)
        any |= flow->waits[n] = has_barrier(flow->graph.nodes[n].block);
    if (!any)
        flow->waits = NULL;
}

// Whether a barrier lies between `from`, which dominates it, and `to`.
static bool waits_between(const struct flow *flow, unsigned from, unsigned to)
{
    unsigned depth = 1;

    memset(flow->seen, 0, flow->graph.count * sizeof(*flow->seen));
    flow->seen[from] = flow->seen[to] = true;
    flow->stack[0] = to;
    while (depth > 0) {
        const unsigned at = flow->stack[--depth];
        const struct tf_graph_node *node = &flow->graph.nodes[at];

        if (at == from)
            continue;
        if (flow->waits[at])
            return true;
        for (unsigned i = 0; i < node->pred_count; i++) {
            if (!flow->seen[node->preds[i]]) {
                flow->seen[node->preds[i]] = true;
                flow->stack[depth++] = node->preds[i];
            }
        }
    }
    return false;
}

// Whether no barrier lies behind the place where the ways to both part. Else items that
// part on one of the ways would pass by the barriers of the other one, with masks.
static bool are_near(const struct flow *flow, LLVMValueRef a, LLVMValueRef b)
{
    const unsigned at_a = tf_graph_number(&flow->graph, LLVMGetInstructionParent(a));
    const unsigned at_b = tf_graph_number(&flow->graph, LLVMGetInstructionParent(b));
    unsigned from;

    if (!flow->waits || at_a == TF_GRAPH_NONE || at_b == TF_GRAPH_NONE)
        return true;
    from = tf_graph_common_dominator(flow->idom, at_a, at_b);
    return !waits_between(flow, from, at_a) && !waits_between(flow, from, at_b);
}

// ---- which stores

// What neither looks at memory nor changes it, and always goes on.
static bool touches_no_memory(LLVMValueRef i)
{
    return LLVMIsABinaryOperator(i) || LLVMIsAUnaryOperator(i) || LLVMIsACastInst(i) ||
           LLVMIsACmpInst(i) || LLVMIsASelectInst(i) || LLVMIsAGetElementPtrInst(i) ||
           LLVMIsAFreezeInst(i) || LLVMIsAExtractElementInst(i) ||
           LLVMIsAInsertElementInst(i) || LLVMIsAShuffleVectorInst(i) ||
           LLVMIsAExtractValueInst(i) || LLVMIsAInsertValueInst(i) ||
           tf_is_elementwise(i);
}

static bool is_plain_store(LLVMValueRef i)
{
    return LLVMIsAStoreInst(i) && tf_ir_is_ordinary(i);
}

// NULL: the way does something else behind it, or may lead elsewhere.
static LLVMValueRef last_store(LLVMBasicBlockRef way)
{
    const LLVMValueRef end = LLVMGetBasicBlockTerminator(way);
    LLVMValueRef i = LLVMGetPreviousInstruction(end);

    if (!LLVMIsABranchInst(end) || LLVMIsConditional(end))
        return NULL;
    while (i && touches_no_memory(i))
        i = LLVMGetPreviousInstruction(i);
    return i && is_plain_store(i) ? i : NULL;
}

static struct tf_ways operands_of(const struct tf_ways *stores, unsigned operand)
{
    struct tf_ways of = {.count = stores->count};

    for (unsigned k = 0; k < stores->count; k++)
        of.values[k] = LLVMGetOperand(stores->values[k], operand);
    return of;
}

static bool go_to_one_place(LLVMValueRef a, LLVMValueRef b)
{
    const struct tf_ways at = {{LLVMGetOperand(a, 1), LLVMGetOperand(b, 1)}, 2};

    return LLVMTypeOf(LLVMGetOperand(a, 0)) == LLVMTypeOf(LLVMGetOperand(b, 0)) &&
           tf_ir_ways_are_alike(&at);
}

static unsigned predecessors(LLVMBasicBlockRef block, LLVMBasicBlockRef *preds)
{
    unsigned count = 0;

    for (LLVMUseRef u = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); u;
         u = LLVMGetNextUse(u)) {
        if (!LLVMIsATerminatorInst(LLVMGetUser(u)))
            continue;
        if (count == MOST_PREDECESSORS)
            return 0;
        preds[count++] = LLVMGetInstructionParent(LLVMGetUser(u));
    }
    return count;
}

// The first store that another one goes with, and all that do.
static bool find(const struct flow *flow, LLVMBasicBlockRef block, struct family *f)
{
    LLVMBasicBlockRef preds[MOST_PREDECESSORS];
    LLVMValueRef last[MOST_PREDECESSORS];
    const unsigned count = predecessors(block, preds);

    for (unsigned i = 0; i < count; i++)
        last[i] = last_store(preds[i]);
    for (unsigned i = 0; i < count; i++) {
        if (!last[i])
            continue;
        f->stores = (struct tf_ways){{last[i]}, 1};
        for (unsigned k = i + 1; k < count && f->stores.count < TF_MOST_WAYS; k++) {
            if (last[k] && go_to_one_place(last[i], last[k]) &&
                are_near(flow, last[i], last[k]))
                f->stores.values[f->stores.count++] = last[k];
        }
        f->is_all = f->stores.count == count;
        if (f->stores.count > 1)
            return true;
    }
    return false;
}

// ---- one of them

static LLVMBasicBlockRef way_of(const struct family *f, unsigned k)
{
    return LLVMGetInstructionParent(f->stores.values[k]);
}

// Which of the family's ways that is; their number: another one.
static unsigned number_of(const struct family *f, LLVMBasicBlockRef from)
{
    unsigned k = 0;

    while (k < f->stores.count && way_of(f, k) != from)
        k++;
    return k;
}

// A phi cannot lose ways: one takes its place in which those of the family come by
// `meet`.
static void lead_by(LLVMBuilderRef b, const struct family *f, LLVMValueRef phi,
                    LLVMBasicBlockRef meet)
{
    LLVMValueRef of_all, of_family;

    LLVMPositionBuilderBefore(b, phi);
    of_all = LLVMBuildPhi(b, LLVMTypeOf(phi), "");
    LLVMPositionBuilderAtEnd(b, meet);
    of_family = LLVMBuildPhi(b, LLVMTypeOf(phi), "");
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
        LLVMValueRef value = LLVMGetIncomingValue(phi, i);
        const bool is_of_family = number_of(f, from) < f->stores.count;

        LLVMAddIncoming(is_of_family ? of_family : of_all, &value, &from, 1);
    }
    LLVMAddIncoming(of_all, &of_family, &meet, 1);
    tf_ir_replace(phi, of_all);
}

// A block before `block` in which the family's ways meet.
static LLVMBasicBlockRef meet_before(LLVMBuilderRef b, const struct family *f,
                                     LLVMBasicBlockRef block)
{
    const LLVMBasicBlockRef meet = LLVMInsertBasicBlockInContext(
        LLVMGetTypeContext(LLVMTypeOf(f->stores.values[0])), block, "merged");
    LLVMValueRef next;

    for (LLVMValueRef i = LLVMGetFirstInstruction(block); LLVMIsAPHINode(i); i = next) {
        next = LLVMGetNextInstruction(i);
        lead_by(b, f, i, meet);
    }
    for (unsigned k = 0; k < f->stores.count; k++)
        LLVMSetSuccessor(LLVMGetBasicBlockTerminator(way_of(f, k)), 0, meet);
    LLVMPositionBuilderAtEnd(b, meet);
    LLVMBuildBr(b, block);
    return meet;
}

static LLVMValueRef choice_of(LLVMBuilderRef b, const struct family *f)
{
    const struct tf_ways values = operands_of(&f->stores, 0);
    LLVMValueRef phi;
    bool same = true;

    for (unsigned k = 1; k < values.count; k++)
        same &= values.values[k] == values.values[0];
    if (same)
        return values.values[0];
    phi = LLVMBuildPhi(b, LLVMTypeOf(values.values[0]), "");
    for (unsigned k = 0; k < values.count; k++) {
        LLVMBasicBlockRef from = way_of(f, k);
        LLVMValueRef value = values.values[k];

        LLVMAddIncoming(phi, &value, &from, 1);
    }
    return phi;
}

// Of `to`, only what is said of all of them.
static void keep_common(const struct family *f, LLVMValueRef to)
{
    size_t count;
    LLVMValueMetadataEntry *const all =
        LLVMInstructionGetAllMetadataOtherThanDebugLoc(to, &count);

    for (unsigned k = 1; k < f->stores.count; k++) {
        const LLVMValueRef other = f->stores.values[k];

        if (LLVMGetAlignment(other) < LLVMGetAlignment(to))
            LLVMSetAlignment(to, LLVMGetAlignment(other));
        for (size_t i = 0; i < count; i++) {
            const unsigned kind = LLVMValueMetadataEntriesGetKind(all, (unsigned)i);

            if (LLVMGetMetadata(to, kind) != LLVMGetMetadata(other, kind))
                LLVMSetMetadata(to, kind, NULL);
        }
    }
    LLVMDisposeValueMetadataEntries(all);
}

// Before the ways part: what they compute of the same values besides is then there for
// both, and no choice. NULL: a way has been made here.
static LLVMBasicBlockRef parting(const struct flow *flow, const struct family *f)
{
    unsigned at = tf_graph_number(&flow->graph, way_of(f, 0));

    for (unsigned k = 1; k < f->stores.count && at != TF_GRAPH_NONE; k++) {
        const unsigned way = tf_graph_number(&flow->graph, way_of(f, k));

        at = way == TF_GRAPH_NONE ? way : tf_graph_common_dominator(flow->idom, at, way);
    }
    return at == TF_GRAPH_NONE ? NULL : flow->graph.nodes[at].block;
}

// Where it stands then.
static LLVMBasicBlockRef merge(const struct flow *flow, const struct family *f,
                               LLVMBasicBlockRef block)
{
    const LLVMBuilderRef b = flow->b;
    const LLVMBasicBlockRef before = parting(flow, f);
    const LLVMBasicBlockRef meet = f->is_all ? block : meet_before(b, f, block);
    const struct tf_ways places = operands_of(&f->stores, 1);
    const LLVMValueRef store = LLVMInstructionClone(f->stores.values[0]);
    LLVMValueRef place;

    LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(meet));
    LLVMSetOperand(store, 0, choice_of(b, f));
    LLVMPositionBuilderBefore(b, before ? LLVMGetBasicBlockTerminator(before)
                                        : tf_ir_first_behind_phis(meet));
    place = tf_ir_make_alike(b, &places);
    LLVMSetOperand(store, 1, place);
    if (before) // else it stands behind what its place has been made of
        LLVMPositionBuilderBefore(b, tf_ir_first_behind_phis(meet));
    LLVMInsertIntoBuilder(b, store);
    keep_common(f, store);
    for (unsigned k = 0; k < f->stores.count; k++)
        LLVMInstructionEraseFromParent(f->stores.values[k]);
    return meet;
}

// ---- the function

// A way back leads there: numbers are in reverse postorder. A store would come into the
// loop that was behind its last round.
static bool is_head(const struct tf_graph_node *node, unsigned n)
{
    for (unsigned i = 0; i < node->pred_count; i++) {
        if (node->preds[i] >= n)
            return true;
    }
    return false;
}

// Behind the first family that is merged there may be another one on the same ways, and
// one on the others.
static bool merge_before(const struct flow *flow, LLVMBasicBlockRef block)
{
    struct family f;
    bool any = false;

    while (find(flow, block, &f)) {
        LLVMBasicBlockRef at = merge(flow, &f, block);

        while (at != block && find(flow, at, &f))
            merge(flow, &f, at);
        any = true;
    }
    return any;
}

bool tf_ir_merge_stores(LLVMValueRef fn)
{
    const unsigned blocks = LLVMCountBasicBlocks(fn);
    struct tf_arena arena = {0};
    struct flow flow;
    bool any = false;

    if (blocks == 1)
        return false;
    flow.b = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(fn)));
    tf_graph_init(&flow.graph, &arena, fn, true);
    flow.idom = tf_graph_find_dominators(&flow.graph);
    find_barriers(&flow, &arena);
    // What nobody reaches may use what is not there.
    for (unsigned n = 1; n < flow.graph.count && flow.graph.count == blocks; n++) {
        const struct tf_graph_node *node = &flow.graph.nodes[n];

        if (node->pred_count > 1 && !is_head(node, n))
            any |= merge_before(&flow, node->block);
    }
    LLVMDisposeBuilder(flow.b);
    tf_arena_finish(&arena);
    return any;
}
