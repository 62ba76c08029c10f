// SPDX-License-Identifier: MIT
#include "compiler/lower/named_barriers.h"

#include <llvm-c/Core.h>

#include "compiler/ir/ir_util.h"
#include "compiler/ir/roots.h"
#include "compiler/lower/spaces.h"

static LLVMValueRef add_variable(LLVMModuleRef module)
{
    enum { WORDS = 3, ALIGN_BYTES = 4 }; // struct of lib/opencl-c-more.h
    const LLVMTypeRef type =
        LLVMArrayType2(LLVMInt32TypeInContext(LLVMGetModuleContext(module)), WORDS);
    // No name of OpenCL C has a dot.
    const LLVMValueRef variable =
        LLVMAddGlobalInAddressSpace(module, type, "tf.named_barrier", TF_SPACE_LOCAL);

    LLVMSetLinkage(variable, LLVMInternalLinkage);
    LLVMSetInitializer(variable, LLVMGetUndef(type));
    LLVMSetAlignment(variable, ALIGN_BYTES);
    return variable;
}

void tf_named_barriers_lower(LLVMModuleRef module)
{
    const LLVMValueRef root =
        LLVMGetNamedFunction(module, tf_root_name(TF_ROOT_NAMED_BARRIER));
    LLVMUseRef use;

    if (!root)
        return;
    while ((use = LLVMGetFirstUse(root))) {
        const LLVMValueRef call = LLVMGetUser(use);

        LLVMReplaceAllUsesWith(call, add_variable(module));
        LLVMInstructionEraseFromParent(call);
    }
    LLVMDeleteFunction(root);
}
