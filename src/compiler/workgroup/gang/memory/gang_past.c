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

enum { LINE_BYTES = 64, MOST_ROOTS = 16 };

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

struct roots {
    LLVMValueRef at[MOST_ROOTS];
    unsigned count;
};

// False: it is there already, or there are too many.
static bool add_root(struct roots *roots, LLVMValueRef root)
{
    for (unsigned i = 0; i < roots->count; i++) {
        if (roots->at[i] == root)
            return false;
    }
    if (roots->count == MOST_ROOTS)
        return false;
    roots->at[roots->count++] = root;
    return true;
}

// Neighbours in a row, and the rows of a stencil, find in the cache what others have
// loaded: one of each root counts, and the members of a bundle, which lie beside each
// other.
static bool is_new(const struct tf_plan *p, struct roots *loaded,
                   const struct tf_value *load)
{
    return tf_plan_form(p, load) == TF_FORM_BUNDLE || add_root(loaded, root_of(p, load));
}

uint32_t gang_streamed_bytes(const struct tf_plan *p)
{
    struct roots loaded = {.count = 0};
    uint64_t bytes = 0;
    bool may_pass = false;

    for (unsigned i = 0; i < p->shapes->value_count; i++) {
        const struct tf_value *v = &p->shapes->values[i];

        if (orders_memory(v))
            return 0;
        if (!tf_plan_is_of_a_stream(p, v))
            continue;
        may_pass |= v->opcode == LLVMStore && fills_lines(p, v);
        if (v->opcode == LLVMStore || is_new(p, &loaded, v))
            bytes += v->bytes;
    }
    return may_pass && bytes <= UINT32_MAX ? (uint32_t)bytes : 0;
}

// Then its line is in the cache, and stored there for nothing.
static bool is_loaded(const struct gang *g, const struct tf_value *store)
{
    const struct tf_shapes *s = g->shapes;
    const LLVMValueRef root = root_of(g->plan, store);

    for (unsigned i = 0; i < s->value_count; i++) {
        if (s->values[i].opcode == LLVMLoad && root_of(g->plan, &s->values[i]) == root)
            return true;
    }
    return false;
}

bool gang_may_go_past_caches(const struct gang *g, const struct tf_value *store)
{
    const struct tf_plan *p = g->plan;

    return g->streams && (!p->of.masked || p->serves_whole) &&
           tf_plan_is_of_a_stream(p, store) && fills_lines(p, store) &&
           !is_loaded(g, store);
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
