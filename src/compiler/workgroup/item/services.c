// SPDX-License-Identifier: MIT
// Roots that ask the run-time: calls of its services in place of those that no earlier
// pass needs to look into, and the address ranges behind __tf_space.
#include <llvm-c/Core.h>

#include "abi/check_record.h"
#include "abi/cpu_abi.h"
#include "compiler/ir/roots.h"
#include "compiler/lower/spaces.h"
#include "compiler/workgroup/kernel/wg.h"

LLVMValueRef tf_wg_load_service(struct tf_wg *wg, LLVMValueRef launch,
                                size_t offset_bytes)
{
    const LLVMValueRef services = tf_wg_load_fixed(
        wg, wg->ptr, launch, offsetof(struct tf_launch, services), 8, "services");

    return tf_wg_load_fixed(wg, wg->ptr, services, offset_bytes, 8, "");
}

// Whether `address` lies in [start, start + bytes); all are i64.
static LLVMValueRef in_range(struct tf_wg *wg, LLVMValueRef address, LLVMValueRef start,
                             LLVMValueRef bytes)
{
    const LLVMValueRef offset = LLVMBuildSub(wg->builder, address, start, "");

    return LLVMBuildICmp(wg->builder, LLVMIntULT, offset, bytes, "");
}

static LLVMValueRef worker_field(struct tf_wg *wg, LLVMValueRef item, size_t offset_bytes)
{
    return tf_wg_load_fixed(wg, wg->i64, LLVMGetParam(item, TF_ITEM_WORKER), offset_bytes,
                            8, "");
}

LLVMValueRef tf_wg_space(struct tf_wg *wg, LLVMValueRef item, LLVMValueRef call)
{
    const LLVMBuilderRef b = wg->builder;
    const LLVMTypeRef i32 = LLVMTypeOf(call);
    LLVMValueRef address, low, end, local, private, scratch, outside;

    LLVMPositionBuilderBefore(b, call);
    address = LLVMBuildPtrToInt(b, LLVMGetOperand(call, 0), wg->i64, "");
    local =
        in_range(wg, address, worker_field(wg, item, offsetof(struct tf_worker, local)),
                 worker_field(wg, item, offsetof(struct tf_worker, local_bytes)));
    low = worker_field(wg, item, offsetof(struct tf_worker, stack_limit));
    end = worker_field(wg, item, offsetof(struct tf_worker, stack_end));
    private = in_range(wg, address, low, LLVMBuildSub(b, end, low, ""));
    scratch =
        in_range(wg, address, worker_field(wg, item, offsetof(struct tf_worker, scratch)),
                 worker_field(wg, item, offsetof(struct tf_worker, scratch_bytes)));
    outside = LLVMBuildSelect(b, LLVMBuildOr(b, private, scratch, ""),
                              LLVMConstInt(i32, TF_SPACE_PRIVATE, false),
                              LLVMConstInt(i32, TF_SPACE_GLOBAL, false), "");
    return LLVMBuildSelect(b, local, LLVMConstInt(i32, TF_SPACE_LOCAL, false), outside,
                           "");
}

// The call of __tf_print(record, bytes) becomes print(launch, worker, record, bytes),
// those of __tf_enqueue, __tf_ask and __tf_check the same of their services.
static void lower_call(struct tf_wg *wg, LLVMValueRef call, size_t service_bytes)
{
    enum { MOST = 8 };
    const LLVMValueRef fn = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
    const LLVMValueRef launch = LLVMGetParam(fn, TF_ITEM_LAUNCH);
    LLVMTypeRef params[MOST] = {wg->ptr, wg->ptr}, type;
    LLVMValueRef args[MOST] = {launch, LLVMGetParam(fn, TF_ITEM_WORKER)}, lowered;
    unsigned count = 2;

    for (unsigned i = 0; i < LLVMGetNumArgOperands(call) && count < MOST; i++, count++) {
        args[count] = LLVMGetOperand(call, i);
        params[count] = LLVMTypeOf(args[count]);
    }
    type = LLVMFunctionType(LLVMTypeOf(call), params, count, false);
    LLVMPositionBuilderBefore(wg->builder, call);
    lowered =
        LLVMBuildCall2(wg->builder, type, tf_wg_load_service(wg, launch, service_bytes),
                       args, count, "");
    LLVMReplaceAllUsesWith(call, lowered);
    LLVMInstructionEraseFromParent(call);
}

static void lower_calls(struct tf_wg *wg, enum tf_root root, size_t service_bytes)
{
    const LLVMValueRef function = LLVMGetNamedFunction(wg->module, tf_root_name(root));
    LLVMUseRef use;

    while (function && (use = LLVMGetFirstUse(function)))
        lower_call(wg, LLVMGetUser(use), service_bytes);
}

void tf_wg_services(struct tf_wg *wg)
{
    lower_calls(wg, TF_ROOT_PRINT, offsetof(struct tf_services, print));
    lower_calls(wg, TF_ROOT_ENQUEUE, offsetof(struct tf_services, enqueue));
    lower_calls(wg, TF_ROOT_ASK, offsetof(struct tf_services, ask));
    lower_calls(wg, TF_ROOT_CHECK, offsetof(struct tf_checked_services, check));
}
