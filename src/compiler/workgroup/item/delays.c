// SPDX-License-Identifier: MIT
// Pass "delays": finds the atomic changes that may wait (delay.h) and marks them, in the
// item function and in the one that lanes are made of.
#include <string.h>

#include <llvm-c/Core.h>

#include "compiler/ir/elementwise.h"
#include "compiler/ir/graph.h"
#include "compiler/ir/ir_util.h"
#include "compiler/workgroup/item/delay.h"
#include "compiler/workgroup/kernel/wg.h"

struct search {
    struct tf_wg *wg;
    struct tf_arena arena;
    LLVMValueRef fn;
    LLVMValueRef *changes;
    unsigned count;
    unsigned alias_scope, noalias, invariant, delay; // kinds of metadata
};

static unsigned kind(const struct tf_wg *wg, const char *name)
{
    return LLVMGetMDKindIDInContext(wg->context, name, (unsigned)strlen(name));
}

static bool is_global(LLVMValueRef address)
{
    return LLVMGetPointerAddressSpace(LLVMTypeOf(address)) == TF_AS_GLOBAL;
}

// What other work-groups, and the host, may see: generic addresses may mean it.
static bool is_shared(LLVMValueRef address)
{
    const LLVMTypeRef type = LLVMTypeOf(address);
    unsigned space;

    if (LLVMGetTypeKind(type) != LLVMPointerTypeKind)
        return true;
    space = LLVMGetPointerAddressSpace(type);
    return space != TF_AS_PRIVATE && space != TF_AS_CONSTANT && space != TF_AS_LOCAL;
}

static bool is_word(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind &&
           (LLVMGetIntTypeWidth(type) == 32 || LLVMGetIntTypeWidth(type) == 64);
}

static bool may_wait(LLVMValueRef change)
{
    return LLVMGetOrdering(change) == LLVMAtomicOrderingMonotonic &&
           !LLVMGetFirstUse(change) && is_word(LLVMTypeOf(change)) &&
           is_global(LLVMGetOperand(change, 0)) && tf_delay_kind(change) >= 0;
}

static bool is_plain(LLVMValueRef access)
{
    return LLVMGetOrdering(access) == LLVMAtomicOrderingNotAtomic &&
           !LLVMGetVolatile(access);
}

// Whether `i` might, from round to round, look at what others change.
static bool watches(LLVMValueRef i)
{
    switch ((int)LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
        return is_shared(LLVMGetOperand(i, 0)) && !is_plain(i);
    case LLVMStore:
        return is_shared(LLVMGetOperand(i, 1)) && !is_plain(i);
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        return is_shared(LLVMGetOperand(i, 0));
    default:
        return false;
    }
}

// Collects the changes that may wait. False if there are none, if they are of several
// kinds, or if something else might wait for them.
static bool find_changes(struct search *s)
{
    LLVMValueRef first;
    unsigned room = 0;

    TF_FOR_EACH_INSTRUCTION(i, s->fn)
    {
        room += LLVMGetInstructionOpcode(i) == LLVMAtomicRMW;
    }
    if (!room)
        return false;
    s->changes = TF_ARENA_NEW(&s->arena, LLVMValueRef, room);
    TF_FOR_EACH_INSTRUCTION(i, s->fn)
    {
        if (LLVMGetInstructionOpcode(i) == LLVMAtomicRMW && may_wait(i)) {
            s->changes[s->count++] = i;
            first = s->changes[0];
            if (LLVMTypeOf(i) != LLVMTypeOf(first) ||
                tf_delay_kind(i) != tf_delay_kind(first))
                return false;
        } else if (watches(i)) {
            return false;
        }
    }
    return s->count != 0;
}

static bool is_change(const struct search *s, LLVMValueRef i)
{
    for (unsigned k = 0; k < s->count; k++) {
        if (s->changes[k] == i)
            return true;
    }
    return false;
}

static bool names_scope(LLVMValueRef *scopes, unsigned count, LLVMValueRef scope)
{
    for (unsigned i = 0; i < count; i++) {
        if (scopes[i] == scope)
            return true;
    }
    return false;
}

// Whether `a` is in scopes of `restrict` that `b` is said to stay out of.
static bool stays_out(struct search *s, LLVMValueRef a, LLVMValueRef b)
{
    const LLVMValueRef in = LLVMGetMetadata(a, s->alias_scope);
    const LLVMValueRef out = LLVMGetMetadata(b, s->noalias);
    LLVMValueRef *of_a, *of_b;
    unsigned count_a, count_b;

    if (!in || !out)
        return false;
    count_a = LLVMGetMDNodeNumOperands(in);
    count_b = LLVMGetMDNodeNumOperands(out);
    of_a = TF_ARENA_NEW(&s->arena, LLVMValueRef, count_a);
    of_b = TF_ARENA_NEW(&s->arena, LLVMValueRef, count_b);
    LLVMGetMDNodeOperands(in, of_a);
    LLVMGetMDNodeOperands(out, of_b);
    for (unsigned i = 0; i < count_a; i++) {
        if (!names_scope(of_b, count_b, of_a[i]))
            return false;
    }
    return count_a != 0;
}

// Whether a plain access might mean the word of a change.
static bool may_meet(struct search *s, LLVMValueRef access, LLVMValueRef address)
{
    if (!is_shared(address) || LLVMGetMetadata(access, s->invariant))
        return false;
    for (unsigned k = 0; k < s->count; k++) {
        if (!stays_out(s, access, s->changes[k]) && !stays_out(s, s->changes[k], access))
            return true;
    }
    return false;
}

// Of nothing but its operands.
static bool is_function_of_operands(LLVMValueRef call)
{
    const LLVMValueRef callee = tf_ir_callee(call);
    const unsigned memory = LLVMGetEnumAttributeKindForName("memory", 6);
    LLVMAttributeRef effects;

    if (!callee)
        return false;
    effects = LLVMGetEnumAttributeAtIndex(
        callee, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, memory);
    return effects && LLVMGetEnumAttributeValue(effects) == 0;
}

// Whether `i`, behind a change, forbids that it waits.
static bool finds_out(struct search *s, LLVMValueRef i)
{
    switch ((int)LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
        return may_meet(s, i, LLVMGetOperand(i, 0));
    case LLVMStore:
        return may_meet(s, i, LLVMGetOperand(i, 1));
    case LLVMFence:
        return true;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg: // of local memory, or one of the changes
        return !is_change(s, i) && LLVMGetOrdering(i) != LLVMAtomicOrderingMonotonic;
    case LLVMCall:
    case LLVMInvoke:
    case LLVMCallBr:
        return !tf_is_marker(i) && !is_function_of_operands(i);
    default:
        return false;
    }
}

// By what stands behind it in its block.
static bool is_found_out_at_once(struct search *s, LLVMValueRef change)
{
    LLVMValueRef i = LLVMGetNextInstruction(change);

    while (i && !finds_out(s, i))
        i = LLVMGetNextInstruction(i);
    return i != NULL;
}

// Marks the blocks that `from` leads to.
static void reach(const struct tf_graph *g, unsigned from, bool *reached)
{
    unsigned *stack = TF_ARENA_NEW(g->arena, unsigned, g->count + 1), depth = 0;

    stack[depth++] = from;
    while (depth) {
        const struct tf_graph_node *n = &g->nodes[stack[--depth]];

        for (unsigned i = 0; i < n->succ_count; i++) {
            if (reached[n->succs[i]])
                continue;
            reached[n->succs[i]] = true;
            stack[depth++] = n->succs[i];
        }
    }
}

static bool is_found_out(struct search *s)
{
    struct tf_graph g;
    bool *reached;

    tf_graph_init(&g, &s->arena, s->fn, true);
    reached = TF_ARENA_NEW(&s->arena, bool, g.count);
    for (unsigned k = 0; k < s->count; k++) {
        const unsigned n = tf_graph_number(&g, LLVMGetInstructionParent(s->changes[k]));

        if (n == TF_GRAPH_NONE)
            continue; // nothing leads there
        if (is_found_out_at_once(s, s->changes[k]))
            return true;
        reach(&g, n, reached);
    }
    for (unsigned n = 0; n < g.count; n++) {
        if (!reached[n])
            continue;
        TF_FOR_EACH_INSTRUCTION_OF_BLOCK(i, g.nodes[n].block)
        {
            if (finds_out(s, i))
                return true;
        }
    }
    return false;
}

static void mark(struct search *s)
{
    const LLVMMetadataRef node = LLVMMDNodeInContext2(s->wg->context, NULL, 0);

    for (unsigned k = 0; k < s->count; k++)
        LLVMSetMetadata(s->changes[k], s->delay,
                        LLVMMetadataAsValue(s->wg->context, node));
}

static void find_in(struct tf_wg *wg, LLVMValueRef fn)
{
    struct search s = {
        .wg = wg,
        .fn = fn,
        .alias_scope = kind(wg, "alias.scope"),
        .noalias = kind(wg, "noalias"),
        .invariant = kind(wg, "invariant.load"),
        .delay = kind(wg, TF_DELAY_METADATA),
    };

    if (find_changes(&s) && !is_found_out(&s))
        mark(&s);
    tf_arena_finish(&s.arena);
}

bool tf_wg_delays(struct tf_wg *wg)
{
    // Scopes of loops have been forgotten by now (prepare/scopes.h).
    if (wg->wishes->for_debugger || wg->item->sub_groups)
        return true;
    find_in(wg, wg->item->function);
    if (wg->item->wide)
        find_in(wg, wg->item->wide);
    return true;
}
