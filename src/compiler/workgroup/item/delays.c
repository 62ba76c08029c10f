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

enum {
    MOST_APART = 32,  // sets of scopes of `restrict` that changes are in
    MOST_SCOPES = 64, // of one access
};

struct search {
    struct tf_wg *wg;
    struct tf_arena arena;
    LLVMValueRef fn;
    LLVMValueRef *changes;
    unsigned count;
    LLVMValueRef apart[MOST_APART]; // one change for each set of scopes
    unsigned apart_count;
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

// Many changes, of a loop that was unrolled, are in the same scopes. False if there are
// too many sets to look through for each access.
static bool note_scopes(struct search *s, LLVMValueRef change)
{
    const LLVMValueRef in = LLVMGetMetadata(change, s->alias_scope);
    const LLVMValueRef out = LLVMGetMetadata(change, s->noalias);

    for (unsigned k = 0; k < s->apart_count; k++) {
        if (LLVMGetMetadata(s->apart[k], s->alias_scope) == in &&
            LLVMGetMetadata(s->apart[k], s->noalias) == out)
            return true;
    }
    if (s->apart_count == MOST_APART)
        return false;
    s->apart[s->apart_count++] = change;
    return true;
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
                tf_delay_kind(i) != tf_delay_kind(first) || !note_scopes(s, i))
                return false;
        } else if (watches(i)) {
            return false;
        }
    }
    return s->count != 0;
}

// All that may wait are changes that have been found.
static bool is_change(LLVMValueRef i)
{
    return LLVMGetInstructionOpcode(i) == LLVMAtomicRMW && may_wait(i);
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
static bool stays_out(const struct search *s, LLVMValueRef a, LLVMValueRef b)
{
    const LLVMValueRef in = LLVMGetMetadata(a, s->alias_scope);
    const LLVMValueRef out = LLVMGetMetadata(b, s->noalias);
    LLVMValueRef of_a[MOST_SCOPES], of_b[MOST_SCOPES];
    unsigned count_a, count_b;

    if (!in || !out)
        return false;
    count_a = LLVMGetMDNodeNumOperands(in);
    count_b = LLVMGetMDNodeNumOperands(out);
    if (count_a > MOST_SCOPES || count_b > MOST_SCOPES)
        return false;
    LLVMGetMDNodeOperands(in, of_a);
    LLVMGetMDNodeOperands(out, of_b);
    for (unsigned i = 0; i < count_a; i++) {
        if (!names_scope(of_b, count_b, of_a[i]))
            return false;
    }
    return count_a != 0;
}

// Whether a plain access might mean the word of a change.
static bool may_meet(const struct search *s, LLVMValueRef access, LLVMValueRef address)
{
    if (!is_shared(address) || LLVMGetMetadata(access, s->invariant))
        return false;
    for (unsigned k = 0; k < s->apart_count; k++) {
        if (!stays_out(s, access, s->apart[k]) && !stays_out(s, s->apart[k], access))
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
static bool finds_out(const struct search *s, LLVMValueRef i)
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
        return !is_change(i) && LLVMGetOrdering(i) != LLVMAtomicOrderingMonotonic;
    case LLVMCall:
    case LLVMInvoke:
    case LLVMCallBr:
        return !tf_is_marker(i) && !is_function_of_operands(i);
    default:
        return false;
    }
}

// By what stands in a block, from its start or behind the first change in it.
static bool is_found_out_in(const struct search *s, LLVMBasicBlockRef block, bool behind)
{
    TF_FOR_EACH_INSTRUCTION_OF_BLOCK(i, block)
    {
        if (behind && finds_out(s, i))
            return true;
        behind = behind || is_change(i);
    }
    return false;
}

// Blocks that have changes, and blocks that those lead to.
struct ways {
    bool *has_change, *reached;
};

static void follow(struct search *s, const struct tf_graph *g, struct ways *w)
{
    // A block comes in twice at most: for its changes, and when it is reached.
    unsigned *const stack = TF_ARENA_NEW(g->arena, unsigned, 2 * (size_t)g->count + 1);
    unsigned depth = 0;

    w->has_change = TF_ARENA_NEW(g->arena, bool, g->count);
    w->reached = TF_ARENA_NEW(g->arena, bool, g->count);
    for (unsigned k = 0; k < s->count; k++) {
        const unsigned n = tf_graph_number(g, LLVMGetInstructionParent(s->changes[k]));

        if (n == TF_GRAPH_NONE || w->has_change[n])
            continue; // NONE: nothing leads there
        w->has_change[n] = true;
        stack[depth++] = n;
    }
    while (depth) {
        const struct tf_graph_node *n = &g->nodes[stack[--depth]];

        for (unsigned i = 0; i < n->succ_count; i++) {
            if (w->reached[n->succs[i]])
                continue;
            w->reached[n->succs[i]] = true;
            stack[depth++] = n->succs[i];
        }
    }
}

static bool is_found_out(struct search *s)
{
    struct tf_graph g;
    struct ways w;

    tf_graph_init(&g, &s->arena, s->fn, true);
    follow(s, &g, &w);
    for (unsigned n = 0; n < g.count; n++) {
        if ((w.reached[n] || w.has_change[n]) &&
            is_found_out_in(s, g.nodes[n].block, w.reached[n]))
            return true;
    }
    return false;
}

static LLVMMetadataRef number_in_mark(const struct search *s, uint64_t n)
{
    return LLVMValueAsMetadata(LLVMConstInt(s->wg->i64, n, false));
}

static void mark(struct search *s)
{
    for (unsigned k = 0; k < s->count; k++) {
        struct tf_delay_reach reach;
        LLVMMetadataRef says[2];
        unsigned count = 0;

        if (tf_delay_find_reach(s->wg, s->fn, s->changes[k], &reach)) {
            says[count++] = number_in_mark(s, reach.argument);
            says[count++] = number_in_mark(s, reach.bytes);
        }
        LLVMSetMetadata(
            s->changes[k], s->delay,
            LLVMMetadataAsValue(s->wg->context,
                                LLVMMDNodeInContext2(s->wg->context, says, count)));
    }
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
    if (wg->wishes->for_debugger || wg->item->sub_groups || wg->item->calls ||
        !wg->item->has_atomics)
        return true;
    find_in(wg, wg->item->function);
    if (wg->item->wide)
        find_in(wg, wg->item->wide);
    return true;
}
