// SPDX-License-Identifier: MIT
// Loads side by side under masks, where the processor has none for such elements: LLVM
// takes them apart, with a branch for each lane. Where they lie in one page of memory,
// and some lane is active, all of them are there: one load. What the other lanes find
// nobody uses.
#include <stddef.h>

#include "abi/cpu_abi.h"
#include "compiler/workgroup/gang/memory/gang_access.h"

enum {
    PAGE_BYTES = 4096, // the least that memory is there, or not, by
    MOST_BYTES = 64,   // that lanes load at once
    MOST_LOADS = 32,   // of a function: each forks
};

bool gang_may_load_page(struct gang *g, const struct tf_access *a)
{
    return g->mask && g->shapes->region_of[g->block] != TF_CFG_NONE &&
           !tf_target_masks(&g->plan->target, a->element_bytes) &&
           g->width * tf_access_bytes(a) <= MOST_BYTES && g->page_loads++ < MOST_LOADS;
}

// Of a page, so many places are the first of all lanes' bytes. None in launches that are
// watched.
static LLVMValueRef find_places(struct gang *g, uint64_t bytes)
{
    const LLVMValueRef places = LLVMConstInt(g->i64, PAGE_BYTES - bytes + 1, false);
    LLVMValueRef flags =
        tf_wg_load_fixed(g->wg, g->i32, LLVMGetParam(g->to, TF_ITEM_LAUNCH),
                         offsetof(struct tf_launch, flags), sizeof(tf_u32), "");

    flags = LLVMBuildAnd(g->b, flags, LLVMConstInt(g->i32, TF_LAUNCH_WATCHED, false), "");
    flags = LLVMBuildICmp(g->b, LLVMIntEQ, flags, LLVMConstNull(g->i32), "");
    return LLVMBuildSelect(g->b, flags, places, LLVMConstNull(g->i64), "");
}

static LLVMValueRef is_in_one_page(struct gang *g, const struct tf_access *a,
                                   LLVMValueRef pointer)
{
    const LLVMValueRef at =
        LLVMBuildAnd(g->b, LLVMBuildPtrToInt(g->b, pointer, g->i64, ""),
                     LLVMConstInt(g->i64, PAGE_BYTES - 1, false), "");
    const LLVMValueRef places = find_places(g, g->width * tf_access_bytes(a));

    return LLVMBuildFreeze(g->b, LLVMBuildICmp(g->b, LLVMIntULT, at, places, ""), "");
}

struct gang_fork gang_open_page(struct gang *g, const struct tf_access *a)
{
    const struct gang_fork in_page =
        gang_open_fork(g, is_in_one_page(g, a, gang_scalar(g, a->pointer)));
    const struct gang_fork f = gang_open_fork(g, gang_any(g, g->mask));
    const LLVMBasicBlockRef near = LLVMGetInsertBlock(g->b);

    LLVMPositionBuilderAtEnd(g->b, in_page.far);
    LLVMBuildBr(g->b, f.far);
    LLVMDeleteBasicBlock(in_page.merge);
    LLVMPositionBuilderAtEnd(g->b, near);
    return f;
}
