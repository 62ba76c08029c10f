// SPDX-License-Identifier: MIT
// The rows of a pack that disagree: each runs in gangs by itself.
#include "compiler/workgroup/gang/gang_apart.h"
#include "compiler/ir/ir_util.h"
#include "compiler/workgroup/gang/gang_steps.h"

static const char apart_name[] = "tf_gang_rows";

static LLVMValueRef rows_function(struct gang *g)
{
    const LLVMValueRef known = LLVMGetNamedFunction(g->wg->module, apart_name);
    LLVMValueRef fn;

    if (known)
        return known;
    fn = LLVMAddFunction(g->wg->module, apart_name, g->wg->item_type);
    tf_wg_add_item_attrs(g->from, fn);
    tf_ir_add_attribute(fn, "cold");
    tf_ir_add_attribute(fn, "noinline");
    return fn;
}

void gang_run_apart(struct gang *g)
{
    const LLVMValueRef fn = rows_function(g);
    LLVMValueRef args[TF_ITEM_PARAMS];

    LLVMGetParams(g->to, args);
    LLVMBuildCall2(g->b, g->wg->item_type, fn, args, TF_ITEM_PARAMS, "");
}

// Calls the function with masks, which is there anyway as a function of its own.
static void add_gang(struct tf_wg *wg, LLVMValueRef fn, unsigned row, unsigned lane,
                     unsigned count)
{
    const LLVMValueRef masked = wg->lanes->gang_masked;
    LLVMValueRef args[TF_ITEM_PARAMS + 1];

    LLVMGetParams(fn, args);
    args[TF_ITEM_LID] = LLVMBuildAdd(wg->builder, args[TF_ITEM_LID],
                                     LLVMConstInt(wg->i64, lane, false), "");
    args[TF_ITEM_LID + 1] = LLVMBuildAdd(wg->builder, args[TF_ITEM_LID + 1],
                                         LLVMConstInt(wg->i64, row, false), "");
    args[TF_ITEM_PARAMS] = LLVMConstInt(wg->i64, count, false);
    LLVMBuildCall2(wg->builder, LLVMGlobalGetValueType(masked), masked, args,
                   TF_ITEM_PARAMS + 1, "");
}

void tf_gang_define_apart(struct tf_wg *wg, const struct tf_plan *pack)
{
    const LLVMValueRef fn = LLVMGetNamedFunction(wg->module, apart_name);
    const unsigned by = pack->width < wg->lanes->width ? pack->width : wg->lanes->width;

    if (!fn)
        return;
    LLVMSetLinkage(fn, LLVMInternalLinkage);
    LLVMPositionBuilderAtEnd(wg->builder,
                             LLVMAppendBasicBlockInContext(wg->context, fn, "rows"));
    for (unsigned row = 0; row < pack->of.rows; row++) {
        for (unsigned lane = 0; lane < pack->width; lane += by)
            add_gang(wg, fn, row, lane, by);
    }
    LLVMBuildRetVoid(wg->builder);
}
