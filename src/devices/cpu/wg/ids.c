// SPDX-License-Identifier: MIT
// Pass "ids": the roots that built-ins stand on (cpu_abi.h) become parameters of the item
// function, and the form of the kernel is settled: a kernel that reaches a barrier runs
// on fibers.
#include <string.h>

#include <llvm-c/Core.h>

#include "devices/cpu/wg/wg.h"

// Loads through `pointer`, which points into the launch or the worker. Their fields do
// not change while the entry function runs.
static void mark_loads(struct tf_wg *wg, LLVMValueRef pointer)
{
    for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use)) {
        const LLVMValueRef user = LLVMGetUser(use);

        if (LLVMIsALoadInst(user))
            tf_wg_mark_fixed(wg, user);
        else if (LLVMIsAGetElementPtrInst(user) || LLVMIsAAddrSpaceCastInst(user))
            mark_loads(wg, user);
    }
}

// The value that takes the place of a call of root `name`; NULL if it is none.
static LLVMValueRef root_value(struct tf_wg *wg, const char *name, LLVMValueRef call)
{
    LLVMValueRef dim;

    if (strcmp(name, "__tf_launch") == 0)
        return LLVMGetParam(wg->item, TF_ITEM_LAUNCH);
    if (strcmp(name, "__tf_worker") == 0)
        return LLVMGetParam(wg->item, TF_ITEM_WORKER);
    if (strcmp(name, "__tf_group") == 0)
        return LLVMGetParam(wg->item, TF_ITEM_GROUP);
    if (strcmp(name, "__tf_local_id") != 0)
        return NULL;
    dim = LLVMGetOperand(call, 0);
    if (!LLVMIsAConstantInt(dim) || LLVMConstIntGetZExtValue(dim) > 2)
        return NULL;
    return LLVMGetParam(wg->item, TF_ITEM_LID + (unsigned)LLVMConstIntGetZExtValue(dim));
}

static void replace_root(struct tf_wg *wg, LLVMValueRef call, LLVMValueRef value)
{
    const LLVMTypeRef type = LLVMTypeOf(call);

    if (type != LLVMTypeOf(value)) { // OpenCL C 2.0 and later: a generic pointer
        LLVMPositionBuilderBefore(wg->builder, call);
        value = LLVMBuildAddrSpaceCast(wg->builder, value, type, "");
    }
    LLVMReplaceAllUsesWith(call, value);
    LLVMInstructionEraseFromParent(call);
}

static bool replace_roots(struct tf_wg *wg, LLVMBasicBlockRef block)
{
    LLVMValueRef next;

    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = next) {
        const char *name = tf_wg_called_name(i);
        LLVMValueRef value;

        next = LLVMGetNextInstruction(i);
        if (!name || strncmp(name, "__tf_", strlen("__tf_")) != 0)
            continue;
        if (strcmp(name, "__tf_barrier") == 0) {
            wg->has_barrier = true;
            continue;
        }
        value = root_value(wg, name, i);
        if (!value)
            return tf_wg_fail(wg, "kernel %s: %s is called in an unknown way",
                              wg->kernel_name, name);
        replace_root(wg, i, value);
    }
    return true;
}

bool tf_wg_ids(struct tf_wg *wg)
{
    LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(wg->item);

    for (; block; block = LLVMGetNextBasicBlock(block)) {
        if (!replace_roots(wg, block))
            return false;
    }
    mark_loads(wg, LLVMGetParam(wg->item, TF_ITEM_LAUNCH));
    mark_loads(wg, LLVMGetParam(wg->item, TF_ITEM_WORKER));
    if (wg->has_barrier)
        wg->form = TF_WG_FIBERS;
    else if (wg->form == TF_WG_AUTO)
        wg->form = TF_WG_LOOPS;
    return true;
}
