// SPDX-License-Identifier: MIT
// Stores that go past the caches, in launches that stream (TF_LAUNCH_STREAMS).
//
// A line that is about to be stored is read first, into the caches. Where a launch goes
// through so much memory that nobody finds the line there any more, neither is of use:
// non-temporal stores save a third of what copying moves, and a quarter of what adding
// two arrays does. Processors want them aligned, and gather whole lines of them; other
// threads may see them late, so that the entry function ends with a fence (group/rows.c),
// and kernels that order memory themselves have none of them. Barriers without a fence do
// not: one thread runs the group.
#include <stddef.h>
#include <string.h>

#include "compiler/ir/llvm_version.h"
#include "compiler/workgroup/analysis/place.h"
#include "compiler/workgroup/gang/memory/gang_access.h"
#include "compiler/workgroup/plan/bundle.h"

enum {
    LINE_BYTES = 64,
    MOST_STORES = 32, // each of them is there twice, and asks
};

static LLVMValueRef root_of(const struct tf_plan *p, const struct tf_value *access)
{
    const bool is_store = access->opcode == LLVMStore;

    return tf_place_of(p->shapes->layout, LLVMGetOperand(access->instruction, is_store))
        .root;
}

// Whether one gang fills whole lines.
static bool fills_lines(const struct tf_plan *p, const struct tf_value *store)
{
    const struct tf_bundle *bundle = p->values[store - p->shapes->values].bundle;
    uint64_t bytes = store->bytes;

    if (tf_plan_form(p, store) == TF_FORM_BUNDLE) {
        if (bundle->used + 1 != (uint64_t)1 << bundle->step)
            return false;
        bytes = bundle->step * bundle->unit_bytes;
    }
    return bytes * p->width % LINE_BYTES == 0;
}

static bool orders_memory(const struct tf_value *v)
{
    switch ((int)v->opcode) {
    case LLVMLoad:
    case LLVMStore:
        return v->is_ordered;
    case LLVMCall:
        return !tf_touches_no_memory(v) && !tf_is_barrier(v);
    case LLVMFence:
        return !tf_llvm_is_group_fence(v->instruction);
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        return true;
    default:
        return false;
    }
}

static bool is_loaded(const struct gang_streams *s, LLVMValueRef root)
{
    for (unsigned i = 0; i < s->loaded_count; i++) {
        if (s->loaded[i] == root)
            return true;
    }
    return false;
}

// Of streams, neighbours in a row and the rows of a stencil find in the cache what others
// have loaded: one of each root counts, and the members of a bundle, which lie beside
// each other. False: there are too many roots.
static bool add_load(struct gang_streams *s, const struct tf_plan *p,
                     const struct tf_value *load, uint64_t *bytes)
{
    const LLVMValueRef root = root_of(p, load);
    const bool is_new = !is_loaded(s, root);

    if (tf_plan_is_of_a_stream(p, load) &&
        (is_new || tf_plan_form(p, load) == TF_FORM_BUNDLE))
        *bytes += load->bytes;
    if (!is_new)
        return true;
    if (s->loaded_count == GANG_MOST_ROOTS)
        return false;
    s->loaded[s->loaded_count++] = root;
    return true;
}

static bool add_loads(struct gang_streams *s, const struct tf_plan *p, uint64_t *bytes)
{
    for (unsigned i = 0; i < p->shapes->value_count; i++) {
        const struct tf_value *v = &p->shapes->values[i];

        if (orders_memory(v) || (v->opcode == LLVMLoad && !add_load(s, p, v, bytes)))
            return false;
    }
    return true;
}

// What has been loaded is in the cache, and stored there for nothing.
static bool may_pass(const struct gang_streams *s, const struct tf_plan *p,
                     const struct tf_value *store)
{
    return tf_plan_is_of_a_stream(p, store) && fills_lines(p, store) &&
           !is_loaded(s, root_of(p, store));
}

void gang_find_streams(struct gang_streams *s, const struct tf_plan *p)
{
    uint64_t bytes = 0;
    unsigned passing = 0;

    *s = (struct gang_streams){0};
    if (!add_loads(s, p, &bytes))
        return;
    for (unsigned i = 0; i < p->shapes->value_count; i++) {
        const struct tf_value *v = &p->shapes->values[i];

        if (v->opcode != LLVMStore || !tf_plan_is_of_a_stream(p, v))
            continue;
        passing += may_pass(s, p, v);
        bytes += v->bytes;
    }
    if (passing > 0 && passing <= MOST_STORES && bytes <= UINT32_MAX)
        s->bytes = (uint32_t)bytes;
}

bool gang_may_go_past_caches(const struct gang *g, const struct tf_value *store)
{
    return g->streams.bytes > 0 && may_pass(&g->streams, g->plan, store);
}

// Where lane 0 is not active, its address may be none.
static LLVMValueRef and_has_all_lanes(struct gang *g, LLVMValueRef passes)
{
    const LLVMValueRef all =
        gang_intrinsic(g, "llvm.vector.reduce.and", &g->mask_type, 1, &g->mask, 1);

    return LLVMBuildAnd(g->b, LLVMBuildFreeze(g->b, passes, ""), all, "");
}

// One comparison: in launches that do not stream no address is even.
LLVMValueRef gang_goes_past_caches(struct gang *g, LLVMValueRef pointer)
{
    const LLVMValueRef zero = LLVMConstNull(g->i64);
    const LLVMValueRef odd = LLVMConstInt(g->i64, 1, false);
    const LLVMValueRef rest = LLVMConstInt(g->i64, LINE_BYTES - 1, false);
    const LLVMValueRef streams = LLVMConstInt(g->i32, TF_LAUNCH_STREAMS, false);
    LLVMValueRef flags, bits, passes;

    flags = tf_wg_load_fixed(g->wg, g->i32, LLVMGetParam(g->to, TF_ITEM_LAUNCH),
                             offsetof(struct tf_launch, flags), sizeof(tf_u32), "");
    flags = LLVMBuildAnd(g->b, flags, streams, "");
    flags = LLVMBuildICmp(g->b, LLVMIntEQ, flags, LLVMConstNull(g->i32), "");
    bits = LLVMBuildPtrToInt(g->b, pointer, g->i64, "");
    bits = LLVMBuildOr(g->b, bits, LLVMBuildSelect(g->b, flags, odd, zero, ""), "");
    bits = LLVMBuildAnd(g->b, bits, rest, "");
    passes = LLVMBuildICmp(g->b, LLVMIntEQ, bits, zero, "");
    return g->mask ? and_has_all_lanes(g, passes) : passes;
}

void gang_make_non_temporal(struct gang *g, LLVMValueRef store)
{
    const LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(store, 0));
    const uint64_t bytes = LLVMABISizeOfType(g->shapes->layout, type);
    const unsigned kind = LLVMGetMDKindIDInContext(g->wg->context, "nontemporal",
                                                   (unsigned)strlen("nontemporal"));
    LLVMMetadataRef one = LLVMValueAsMetadata(gang_int(g, 1));

    LLVMSetMetadata(store, kind,
                    LLVMMetadataAsValue(g->wg->context,
                                        LLVMMDNodeInContext2(g->wg->context, &one, 1)));
    LLVMSetAlignment(store, bytes < LINE_BYTES ? (unsigned)bytes : LINE_BYTES);
}
