// SPDX-License-Identifier: MIT
#include "compiler/module/keep_kernels.h"

#include <string.h>

#include <llvm-c/Core.h>
#include <llvm-c/Error.h>

#include "compiler/ir/ir_util.h"
#include "compiler/ir/passes.h"

void tf_hide_all_but_kernels(LLVMModuleRef module)
{
    TF_FOR_EACH_FUNCTION(f, module)
    {
        if (!LLVMIsDeclaration(f) && !tf_ir_is_kernel(f))
            LLVMSetLinkage(f, LLVMInternalLinkage);
    }
    LLVMValueRef next;
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = next) {
        next = LLVMGetNextGlobal(g);
        if (!strncmp(tf_ir_name(g), "llvm.", 5)) { // lists of what to keep: not ours
            LLVMDeleteGlobal(g);
            continue;
        }
        LLVMSetSection(g, NULL);
        if (!LLVMIsDeclaration(g))
            LLVMSetLinkage(g, LLVMInternalLinkage);
    }
}

void tf_keep_kernels(LLVMModuleRef module)
{
    tf_hide_all_but_kernels(module);
    LLVMDisposeErrorMessage(tf_ir_run_passes(module, "globaldce", NULL));
}
