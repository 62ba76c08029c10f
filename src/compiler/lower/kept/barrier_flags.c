// SPDX-License-Identifier: MIT
#include "compiler/lower/kept/barrier_flags.h"

#include <llvm-c/Core.h>

#include "abi/check_record.h"
#include "compiler/ir/ir_util.h"
#include "compiler/ir/kernel_metadata.h"
#include "compiler/ir/roots.h"

static void keep(LLVMModuleRef module, LLVMValueRef barrier, LLVMBuilderRef builder)
{
    const LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMTypeRef i32 = LLVMInt32TypeInContext(context);
    const LLVMTypeRef type =
        LLVMFunctionType(LLVMVoidTypeInContext(context), &i32, 1, false);
    const char *name = tf_root_name(TF_ROOT_CHECK_FLAGS);
    LLVMValueRef root = LLVMGetNamedFunction(module, name);

    if (!root)
        root = LLVMAddFunction(module, name, type);
    for (LLVMUseRef use = LLVMGetFirstUse(barrier); use; use = LLVMGetNextUse(use)) {
        const LLVMValueRef call = LLVMGetUser(use);
        LLVMValueRef flags;

        if (!LLVMIsACallInst(call) || tf_ir_callee(call) != barrier)
            continue;
        flags = LLVMGetOperand(call, 0);
        LLVMPositionBuilderBefore(builder, call);
        LLVMBuildCall2(builder, type, root, &flags, 1, "");
    }
}

void tf_barrier_flags_keep(LLVMModuleRef module)
{
    static const char *const barriers[] = {"_Z7barrierj", "_Z18work_group_barrierj",
                                           "_Z18work_group_barrierj12memory_scope"};
    LLVMBuilderRef builder;

    if (!(tf_check_modes_of(module) & TF_CHECK_RACES))
        return;
    builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    for (size_t i = 0; i < sizeof(barriers) / sizeof(barriers[0]); i++) {
        const LLVMValueRef barrier = LLVMGetNamedFunction(module, barriers[i]);

        if (barrier)
            keep(module, barrier, builder);
    }
    LLVMDisposeBuilder(builder);
}
