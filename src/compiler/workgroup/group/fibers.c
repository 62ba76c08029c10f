// SPDX-License-Identifier: MIT
// The fiber form: the run-time gives each work-item of a group, or each gang, a stack of
// its own and calls the function of it there; a barrier is a call that returns when all
// others have arrived. Any kernel is right in this form; the others are measured against
// it.
#include <string.h>

#include <llvm-c/Core.h>

#include "abi/cpu_abi.h"
#include "compiler/ir/ir_util.h"
#include "compiler/ir/roots.h"
#include "compiler/workgroup/kernel/wg.h"

void tf_wg_emit_fibers(struct tf_wg *wg, LLVMValueRef group, LLVMValueRef item)
{
    LLVMTypeRef params[] = {wg->ptr, wg->ptr, wg->ptr, wg->ptr};
    const LLVMTypeRef type = LLVMFunctionType(wg->void_type, params, 4, false);
    const LLVMValueRef launch = LLVMGetParam(wg->forms->entry, TF_ITEM_LAUNCH);
    const LLVMValueRef service =
        tf_wg_load_service(wg, launch, offsetof(struct tf_services, run_fibers));
    LLVMValueRef args[] = {launch, LLVMGetParam(wg->forms->entry, TF_ITEM_WORKER), group,
                           item};

    LLVMBuildCall2(wg->builder, type, service, args, 4, "");
}

// Calls of the service at `offset_bytes`.
static void lower(struct tf_wg *wg, LLVMValueRef call, size_t offset_bytes)
{
    const LLVMTypeRef type = LLVMFunctionType(wg->void_type, &wg->ptr, 1, false);
    const unsigned convergent =
        LLVMGetEnumAttributeKindForName("convergent", strlen("convergent"));
    const LLVMValueRef fn = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
    LLVMValueRef worker = LLVMGetParam(fn, TF_ITEM_WORKER), service, lowered;

    LLVMPositionBuilderBefore(wg->builder, call);
    service = tf_wg_load_service(wg, LLVMGetParam(fn, TF_ITEM_LAUNCH), offset_bytes);
    lowered = LLVMBuildCall2(wg->builder, type, service, &worker, 1, "");
    LLVMAddCallSiteAttribute(lowered, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                             LLVMCreateEnumAttribute(wg->context, convergent, 0));
    LLVMInstructionEraseFromParent(call);
}

static void lower_barriers(struct tf_wg *wg, LLVMValueRef fn)
{
    const size_t barrier = wg->item->waits ? offsetof(struct tf_services, gather)
                                           : offsetof(struct tf_services, barrier);
    LLVMValueRef next;

    for (LLVMValueRef i = tf_ir_first(fn); i; i = next) {
        next = tf_ir_next(i);
        if (tf_root_of(i) == TF_ROOT_BARRIER)
            lower(wg, i, barrier);
        else if (tf_root_of(i) == TF_ROOT_YIELD)
            lower(wg, i, offsetof(struct tf_services, yield));
    }
}

bool tf_wg_barriers(struct tf_wg *wg)
{
    if (!wg->item->has_barrier && !wg->item->waits)
        return true;
    // Where the item function was cut, nobody calls it any more.
    if (!wg->forms->group_loops && wg->item->function)
        lower_barriers(wg, wg->item->function);
    if (wg->forms->gang_fibers) {
        lower_barriers(wg, wg->lanes->gang);
        lower_barriers(wg, wg->lanes->gang_masked);
    }
    return true;
}
