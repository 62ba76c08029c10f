// SPDX-License-Identifier: MIT
#include "compiler/ir/passes.h"

#include <stdio.h>

#include <llvm-c/Core.h>
#include <llvm-c/Error.h>

#include "compiler/ir/llvm_version.h"

char *tf_ir_run_passes(LLVMModuleRef module, const char *passes,
                       LLVMTargetMachineRef machine, LLVMPassBuilderOptionsRef options)
{
    const LLVMPassBuilderOptionsRef own = options ? NULL : LLVMCreatePassBuilderOptions();
    const LLVMErrorRef error =
        LLVMRunPasses(module, passes, machine, options ? options : own);

    if (own)
        LLVMDisposePassBuilderOptions(own);
    return error ? LLVMGetErrorMessage(error) : NULL;
}

#if TF_LLVM_RUNS_ON_FUNCTIONS
char *tf_ir_run_passes_on(LLVMValueRef function, const char *passes,
                          LLVMTargetMachineRef machine)
{
    const LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    const LLVMErrorRef error =
        LLVMRunPassesOnFunction(function, passes, machine, options);

    LLVMDisposePassBuilderOptions(options);
    return error ? LLVMGetErrorMessage(error) : NULL;
}
#else
char *tf_ir_run_passes_on(LLVMValueRef function, const char *passes,
                          LLVMTargetMachineRef machine)
{
    char text[1024];

    snprintf(text, sizeof text, "function(%s)", passes);
    return tf_ir_run_passes(LLVMGetGlobalParent(function), text, machine, NULL);
}
#endif
