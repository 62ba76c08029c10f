// SPDX-License-Identifier: MIT
#include "compiler/workgroup/group/gang_fibers.h"

#include <llvm-c/Core.h>

#include "abi/cpu_abi.h"
#include "compiler/workgroup/kernel/wg.h"

static void call_gang(struct tf_wg *wg, LLVMValueRef fn, LLVMValueRef fiber,
                      LLVMValueRef group, LLVMValueRef first, LLVMValueRef lanes)
{
    LLVMValueRef args[TF_ITEM_PARAMS + 1] = {
        LLVMGetParam(fiber, TF_ITEM_LAUNCH),
        LLVMGetParam(fiber, TF_ITEM_WORKER),
        group,
        first,
        LLVMGetParam(fiber, TF_ITEM_LID + 1),
        LLVMGetParam(fiber, TF_ITEM_LID + 2),
        lanes,
    };

    LLVMBuildCall2(wg->builder, LLVMGlobalGetValueType(fn), fn, args,
                   TF_ITEM_PARAMS + (lanes != NULL), "");
    LLVMBuildRetVoid(wg->builder);
}

// What a fiber runs, of wg->item_type: its "work-item" is a gang, its group the second
// struct tf_group, which lies behind that of the work-items.
static LLVMValueRef add_fiber_function(struct tf_wg *wg)
{
    const LLVMBuilderRef b = wg->builder;
    const LLVMBasicBlockRef here = LLVMGetInsertBlock(b);
    const LLVMValueRef fn = LLVMAddFunction(wg->module, "tf_row_fiber", wg->item_type);
    LLVMBasicBlockRef start, whole, rest;
    LLVMValueRef group, first, left;

    tf_wg_add_function_attrs(wg->lanes->gang, fn);
    start = LLVMAppendBasicBlockInContext(wg->context, fn, "start");
    whole = LLVMAppendBasicBlockInContext(wg->context, fn, "whole");
    rest = LLVMAppendBasicBlockInContext(wg->context, fn, "rest");
    LLVMPositionBuilderAtEnd(b, start);
    group = tf_wg_address(wg, LLVMGetParam(fn, TF_ITEM_GROUP),
                          (uint64_t) - (int64_t)sizeof(struct tf_group));
    first = LLVMBuildNUWMul(b, LLVMGetParam(fn, TF_ITEM_LID),
                            tf_wg_number(wg, wg->lanes->width), "first");
    left = LLVMBuildNUWSub(
        b,
        LLVMBuildLoad2(b, wg->i64,
                       tf_wg_address(wg, group, TF_WG_GROUP_FIELD(local_size, 0)), ""),
        first, "left");
    LLVMBuildCondBr(
        b, LLVMBuildICmp(b, LLVMIntUGE, left, tf_wg_number(wg, wg->lanes->width), ""),
        whole, rest);
    LLVMPositionBuilderAtEnd(b, whole);
    call_gang(wg, wg->lanes->gang, fn, group, first, NULL);
    LLVMPositionBuilderAtEnd(b, rest);
    call_gang(wg, wg->lanes->gang_masked, fn, group, first, left);
    LLVMPositionBuilderAtEnd(b, here);
    return fn;
}

void tf_wg_emit_row_fibers(struct tf_wg *wg, LLVMValueRef group)
{
    const LLVMBuilderRef b = wg->builder;
    const LLVMValueRef gangs = tf_wg_address(wg, group, sizeof(struct tf_group));
    const LLVMValueRef fn = add_fiber_function(wg);

    for (unsigned d = 0; d < 3; d++) {
        LLVMValueRef size = LLVMBuildLoad2(
            b, wg->i64, tf_wg_address(wg, group, TF_WG_GROUP_FIELD(local_size, d)), "");

        if (d == 0) {
            size = LLVMBuildNUWAdd(b, size, tf_wg_number(wg, wg->lanes->width - 1), "");
            size = LLVMBuildUDiv(b, size, tf_wg_number(wg, wg->lanes->width), "");
        }
        LLVMBuildStore(b, size,
                       tf_wg_address(wg, gangs, TF_WG_GROUP_FIELD(local_size, d)));
    }
    tf_wg_emit_fibers(wg, gangs, fn);
}
