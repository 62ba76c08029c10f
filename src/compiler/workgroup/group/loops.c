// SPDX-License-Identifier: MIT
// The loop form of a group: three nested loops over the local ids round the inlined item
// function. Legal for kernels without barriers only.
#include <llvm-c/Core.h>

#include "compiler/workgroup/kernel/wg.h"

struct loop {
    LLVMBasicBlockRef head;
    LLVMValueRef id;
};

// Every size is at least 1: the loops test at their end, so that what does not depend on
// the id is known to run and can be hoisted.
static void open_loop(struct tf_wg *wg, struct loop *loop)
{
    const LLVMBuilderRef b = wg->builder;
    LLVMBasicBlockRef before = LLVMGetInsertBlock(b);
    LLVMValueRef zero = LLVMConstNull(wg->i64);

    loop->head = LLVMAppendBasicBlockInContext(wg->context, wg->forms->entry, "items");
    LLVMBuildBr(b, loop->head);
    LLVMPositionBuilderAtEnd(b, loop->head);
    loop->id = LLVMBuildPhi(b, wg->i64, "lid");
    LLVMAddIncoming(loop->id, &zero, &before, 1);
}

static void close_loop(struct tf_wg *wg, const struct loop *loop, LLVMValueRef size)
{
    const LLVMBuilderRef b = wg->builder;
    LLVMBasicBlockRef latch = LLVMGetInsertBlock(b), after;
    LLVMValueRef next = LLVMBuildAdd(b, loop->id, LLVMConstInt(wg->i64, 1, false), "");
    LLVMValueRef done;

    LLVMSetNUW(next, true);
    LLVMSetNSW(next, true);
    LLVMAddIncoming(loop->id, &next, &latch, 1);
    done = LLVMBuildICmp(b, LLVMIntEQ, next, size, "");
    after = LLVMAppendBasicBlockInContext(wg->context, wg->forms->entry, "after");
    LLVMBuildCondBr(b, done, after, loop->head);
    LLVMPositionBuilderAtEnd(b, after);
}

void tf_wg_emit_loops(struct tf_wg *wg, LLVMValueRef group, const LLVMValueRef size[3])
{
    LLVMValueRef args[TF_ITEM_PARAMS];
    struct loop loops[3];

    args[TF_ITEM_LAUNCH] = LLVMGetParam(wg->forms->entry, TF_ITEM_LAUNCH);
    args[TF_ITEM_WORKER] = LLVMGetParam(wg->forms->entry, TF_ITEM_WORKER);
    args[TF_ITEM_GROUP] = group;
    for (int d = 2; d >= 0; d--) {
        open_loop(wg, &loops[d]);
        args[TF_ITEM_LID + d] = loops[d].id;
    }
    LLVMBuildCall2(wg->builder, wg->item_type, wg->item->function, args, TF_ITEM_PARAMS,
                   "");
    for (int d = 0; d < 3; d++)
        close_loop(wg, &loops[d], size[d]);
}
