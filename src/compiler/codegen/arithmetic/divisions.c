// SPDX-License-Identifier: MIT
#include "compiler/codegen/arithmetic/divisions.h"

#include <stdbool.h>

#include <llvm-c/Core.h>

#include "compiler/ir/ir_util.h"

// By what may be 0, for all that LLVM knows.
static bool is_by_variable(LLVMValueRef i)
{
    return tf_ir_is_division(LLVMGetInstructionOpcode(i)) &&
           !LLVMIsConstant(LLVMGetOperand(i, 1));
}

void tf_divisions_settle(LLVMValueRef function)
{
    LLVMBuilderRef b =
        LLVMCreateBuilderInContext(LLVMGetModuleContext(LLVMGetGlobalParent(function)));

    TF_FOR_EACH_INSTRUCTION(i, function)
    {
        LLVMValueRef frozen;

        if (!is_by_variable(i))
            continue;
        LLVMPositionBuilderBefore(b, LLVMGetNextInstruction(i));
        frozen = LLVMBuildFreeze(b, i, "");
        LLVMReplaceAllUsesWith(i, frozen);
        LLVMSetOperand(frozen, 0, i);
    }
    LLVMDisposeBuilder(b);
}
