// SPDX-License-Identifier: MIT
#include "compiler/workgroup/group/linear_gangs.h"

#include <llvm-c/Core.h>

#include "abi/cpu_abi.h"
#include "compiler/workgroup/kernel/wg.h"

static LLVMValueRef count_items(struct tf_wg *wg, const LLVMValueRef size[3])
{
    const LLVMValueRef plane = LLVMBuildNUWMul(wg->builder, size[0], size[1], "");

    return LLVMBuildNUWMul(wg->builder, plane, size[2], "items");
}

// Calls the gang at linear id `first` of a group of `items`.
static void call_gang(struct tf_wg *wg, LLVMValueRef fn, LLVMValueRef group,
                      LLVMValueRef first, LLVMValueRef items)
{
    const LLVMBuilderRef b = wg->builder;
    const LLVMValueRef left = LLVMBuildNUWSub(b, items, first, "");
    const LLVMValueRef size = tf_wg_number(wg, wg->item->sub_group_size);
    const LLVMValueRef is_last = LLVMBuildICmp(b, LLVMIntULT, left, size, "");
    LLVMValueRef args[TF_ITEM_PARAMS + 1] = {
        LLVMGetParam(fn, TF_ITEM_LAUNCH),
        LLVMGetParam(fn, TF_ITEM_WORKER),
        group,
        first,
        tf_wg_number(wg, 0),
        tf_wg_number(wg, 0),
        LLVMBuildSelect(b, is_last, left, size, "lanes"),
    };

    LLVMBuildCall2(b, LLVMGlobalGetValueType(wg->item->function), wg->item->function,
                   args, TF_ITEM_PARAMS + 1, "");
}

void tf_wg_emit_gang_loop(struct tf_wg *wg, LLVMValueRef group,
                          const LLVMValueRef size[3])
{
    const LLVMBuilderRef b = wg->builder;
    LLVMBasicBlockRef before = LLVMGetInsertBlock(b);
    LLVMBasicBlockRef head =
        LLVMAppendBasicBlockInContext(wg->context, wg->forms->entry, "gangs");
    const LLVMBasicBlockRef done =
        LLVMAppendBasicBlockInContext(wg->context, wg->forms->entry, "gangs_done");
    const LLVMValueRef items = count_items(wg, size);
    LLVMValueRef zero = tf_wg_number(wg, 0), first, next;

    LLVMBuildBr(b, head);
    LLVMPositionBuilderAtEnd(b, head);
    first = LLVMBuildPhi(b, wg->i64, "first");
    LLVMAddIncoming(first, &zero, &before, 1);
    call_gang(wg, wg->forms->entry, group, first, items);
    next = LLVMBuildNUWAdd(b, first, tf_wg_number(wg, wg->item->sub_group_size), "");
    LLVMAddIncoming(first, &next, &head, 1);
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntULT, next, items, ""), head, done);
    LLVMPositionBuilderAtEnd(b, done);
}

// What the service runs on each fiber: the gang with the number `lid0`. It is given the
// second struct, whose local size is the number of gangs.
static LLVMValueRef add_fiber_function(struct tf_wg *wg)
{
    const LLVMBuilderRef b = wg->builder;
    const LLVMBasicBlockRef here = LLVMGetInsertBlock(b);
    const LLVMValueRef fn = LLVMAddFunction(wg->module, "tf_gang_fiber", wg->item_type);
    LLVMValueRef group, size[3], first;

    tf_wg_add_function_attrs(wg->item->function, fn);
    LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(wg->context, fn, "gang"));
    group = tf_wg_address(wg, LLVMGetParam(fn, TF_ITEM_GROUP),
                          (uint64_t) - (int64_t)sizeof(struct tf_group));
    for (unsigned d = 0; d < 3; d++)
        size[d] = LLVMBuildLoad2(
            b, wg->i64, tf_wg_address(wg, group, TF_WG_GROUP_FIELD(local_size, d)), "");
    first = LLVMBuildNUWMul(b, LLVMGetParam(fn, TF_ITEM_LID),
                            tf_wg_number(wg, wg->item->sub_group_size), "");
    call_gang(wg, fn, group, first, count_items(wg, size));
    LLVMBuildRetVoid(b);
    LLVMPositionBuilderAtEnd(b, here);
    return fn;
}

void tf_wg_emit_gang_fibers(struct tf_wg *wg, LLVMValueRef group,
                            const LLVMValueRef size[3])
{
    const LLVMBuilderRef b = wg->builder;
    const LLVMValueRef fibers = tf_wg_address(wg, group, sizeof(struct tf_group));
    const LLVMValueRef items = count_items(wg, size);
    const LLVMValueRef fn = add_fiber_function(wg);
    LLVMValueRef gangs =
        LLVMBuildNUWAdd(b, items, tf_wg_number(wg, wg->item->sub_group_size - 1), "");

    gangs = LLVMBuildUDiv(b, gangs, tf_wg_number(wg, wg->item->sub_group_size), "");
    for (unsigned d = 0; d < 3; d++)
        LLVMBuildStore(b, d == 0 ? gangs : tf_wg_number(wg, 1),
                       tf_wg_address(wg, fibers, TF_WG_GROUP_FIELD(local_size, d)));
    tf_wg_emit_fibers(wg, fibers, fn);
}
