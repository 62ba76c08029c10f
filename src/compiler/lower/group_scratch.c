// SPDX-License-Identifier: MIT
#include "compiler/lower/group_scratch.h"

#include <llvm-c/Core.h>

#include "compiler/ir/ir_util.h"
#include "compiler/ir/roots.h"
#include "compiler/lower/spaces.h"

static LLVMValueRef add_variable(LLVMModuleRef module, uint32_t max_items)
{
    enum { ALIGN_BYTES = 64 };
    const LLVMTypeRef type =
        LLVMArrayType2(LLVMInt64TypeInContext(LLVMGetModuleContext(module)), max_items);
    // No name of OpenCL C has a dot.
    const LLVMValueRef variable =
        LLVMAddGlobalInAddressSpace(module, type, "tf.group_scratch", TF_SPACE_LOCAL);

    LLVMSetLinkage(variable, LLVMInternalLinkage);
    LLVMSetInitializer(variable, LLVMGetUndef(type));
    LLVMSetAlignment(variable, ALIGN_BYTES);
    return variable;
}

void tf_group_scratch_lower(LLVMModuleRef module, uint32_t max_items)
{
    const LLVMValueRef root =
        LLVMGetNamedFunction(module, tf_root_name(TF_ROOT_GROUP_SCRATCH));
    LLVMValueRef variable;
    LLVMUseRef use;

    if (!root || !LLVMGetFirstUse(root))
        return;
    variable = add_variable(module, max_items);
    while ((use = LLVMGetFirstUse(root))) {
        const LLVMValueRef call = LLVMGetUser(use);

        LLVMReplaceAllUsesWith(call, variable);
        LLVMInstructionEraseFromParent(call);
    }
    LLVMDeleteFunction(root);
}
