// SPDX-License-Identifier: MIT
#include "compiler/workgroup/gang/gang.h"

#include "compiler/workgroup/gang/gang_steps.h"
#include "compiler/workgroup/gang/memory/gang_access.h"

static void add_function(struct gang *g)
{
    g->to = gang_function(g, g->plan->of.masked);
    LLVMSetLinkage(g->to, LLVMInternalLinkage);
    g->entry = LLVMAppendBasicBlockInContext(g->wg->context, g->to, "entry");
}

static void emit(struct gang *g)
{
    add_function(g);
    LLVMPositionBuilderAtEnd(g->b, g->entry);
    g->entry_end = LLVMBuildUnreachable(g->b); // until the first block is there
    gang_add_privates(g);
    gang_start_blocks(g);
    g->end = LLVMAppendBasicBlockInContext(g->wg->context, g->to, "end");
    LLVMPositionBuilderAtEnd(g->b, g->end);
    LLVMBuildRetVoid(g->b);
    gang_emit_blocks(g);
    LLVMPositionBuilderBefore(g->b, g->entry_end);
    LLVMBuildBr(g->b, g->blocks[0].start);
    LLVMInstructionEraseFromParent(g->entry_end);
}

LLVMValueRef tf_gang_emit(struct tf_wg *wg, const struct tf_plan *plan,
                          struct tf_gang_kept *kept)
{
    struct gang g = {.wg = wg,
                     .plan = plan,
                     .cfg = plan->cfg,
                     .shapes = plan->shapes,
                     .width = plan->width,
                     .from = plan->of.facts->of.fn,
                     .b = wg->builder,
                     .kept = kept};

    // Otherwise nobody waits for the stores (group/rows.c).
    if (wg->lanes->streamed_bytes > 0 && (!plan->of.masked || plan->serves_whole))
        gang_find_streams(&g.streams, plan);
    gang_kept_start(kept, plan->width);
    g.i1 = LLVMInt1TypeInContext(wg->context);
    g.i32 = LLVMInt32TypeInContext(wg->context);
    g.i64 = wg->i64;
    g.mask_type = LLVMVectorType(g.i1, plan->width);
    g.values = TF_ARENA_NEW(&g.arena, struct gang_value, plan->shapes->value_count);
    g.blocks = TF_ARENA_NEW(&g.arena, struct gang_block, plan->cfg->block_count);
    g.bundles = TF_ARENA_NEW(&g.arena, struct gang_bundle, plan->bundle_count);
    emit(&g);
    tf_arena_finish(&g.arena);
    return g.to;
}

uint32_t tf_gang_streamed_bytes(const struct tf_plan *plan)
{
    struct gang_streams streams;

    gang_find_streams(&streams, plan);
    return streams.bytes;
}
