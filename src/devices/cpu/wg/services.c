// SPDX-License-Identifier: MIT
// Calls of the run-time's services in place of roots that no earlier pass needs to look
// into.
#include <string.h>

#include <llvm-c/Core.h>

#include "compiler/print.h"
#include "devices/cpu/cpu_abi.h"
#include "devices/cpu/wg/wg.h"

LLVMValueRef tf_wg_load_service(struct tf_wg *wg, LLVMValueRef launch,
                                size_t offset_bytes)
{
    const LLVMValueRef services = tf_wg_load_fixed(
        wg, wg->ptr, launch, offsetof(struct tf_launch, services), 8, "services");

    return tf_wg_load_fixed(wg, wg->ptr, services, offset_bytes, 8, "");
}

bool tf_wg_is_service(const char *name)
{
    return strcmp(name, TF_PRINT_ROOT) == 0;
}

// The call of __tf_print(record, bytes) becomes print(launch, worker, record, bytes).
static void lower_print(struct tf_wg *wg, LLVMValueRef call)
{
    const LLVMValueRef fn = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
    const LLVMTypeRef params[] = {wg->ptr, wg->ptr, wg->ptr, wg->i64};
    const LLVMTypeRef type =
        LLVMFunctionType(LLVMTypeOf(call), (LLVMTypeRef *)params, 4, false);
    const LLVMValueRef launch = LLVMGetParam(fn, TF_ITEM_LAUNCH);
    LLVMValueRef args[] = {launch, LLVMGetParam(fn, TF_ITEM_WORKER),
                           LLVMGetOperand(call, 0), LLVMGetOperand(call, 1)};
    LLVMValueRef lowered;

    LLVMPositionBuilderBefore(wg->builder, call);
    lowered = LLVMBuildCall2(
        wg->builder, type,
        tf_wg_load_service(wg, launch, offsetof(struct tf_services, print)), args, 4, "");
    LLVMReplaceAllUsesWith(call, lowered);
    LLVMInstructionEraseFromParent(call);
}

void tf_wg_services(struct tf_wg *wg)
{
    const LLVMValueRef root = LLVMGetNamedFunction(wg->module, TF_PRINT_ROOT);
    LLVMUseRef use;

    while (root && (use = LLVMGetFirstUse(root)))
        lower_print(wg, LLVMGetUser(use));
}
