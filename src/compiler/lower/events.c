// SPDX-License-Identifier: MIT
#include "compiler/lower/events.h"

#include <stdbool.h>
#include <string.h>

#include <llvm-c/Core.h>

#include "compiler/ir/ir_util.h"

static bool is_event(LLVMTypeRef type)
{
    bool same = false;

    if (LLVMGetTypeKind(type) == LLVMTargetExtTypeKind) {
        char *const text = LLVMPrintTypeToString(type);

        same = !strcmp(text, "target(\"spirv.Event\")");
        LLVMDisposeMessage(text);
    }
    return same;
}

static void remove_event(LLVMValueRef inst)
{
    if (LLVMIsAStoreInst(inst) && is_event(LLVMTypeOf(LLVMGetOperand(inst, 0)))) {
        LLVMInstructionEraseFromParent(inst);
    } else if (is_event(LLVMTypeOf(inst))) {
        LLVMReplaceAllUsesWith(inst, LLVMGetPoison(LLVMTypeOf(inst)));
        LLVMInstructionEraseFromParent(inst);
    }
}

void tf_events_remove(LLVMModuleRef module)
{
    LLVMValueRef next;

    TF_FOR_EACH_FUNCTION(f, module)
    {
        for (LLVMValueRef inst = tf_ir_first(f); inst; inst = next) {
            next = tf_ir_next(inst);
            remove_event(inst);
        }
    }
}
