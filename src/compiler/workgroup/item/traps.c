// SPDX-License-Identifier: MIT
// Pass "traps": a kernel may compute nonsense but must not end the host process.
// Divisions that optimization has made are guarded as the program's own are
// (compiler/lower/undefined/unspecified.h). A work-item that runs into what the front end
// took for unreachable, or into a trap, ends.
#include <string.h>

#include <llvm-c/Core.h>

#include "compiler/ir/ir_util.h"
#include "compiler/lower/undefined/unspecified.h"
#include "compiler/workgroup/kernel/wg.h"

static bool is_trap(LLVMValueRef instruction)
{
    const char *name = tf_ir_called_name(instruction);

    return name &&
           (strcmp(name, "llvm.trap") == 0 || strcmp(name, "llvm.debugtrap") == 0 ||
            strcmp(name, "llvm.ubsantrap") == 0);
}

// A kept function returns to what called it.
static void end_item(struct tf_wg *wg, LLVMValueRef unreachable)
{
    const LLVMTypeRef result =
        LLVMGetReturnType(LLVMGlobalGetValueType(tf_ir_function_of(unreachable)));

    LLVMPositionBuilderBefore(wg->builder, unreachable);
    if (LLVMGetTypeKind(result) == LLVMVoidTypeKind)
        LLVMBuildRetVoid(wg->builder);
    else
        LLVMBuildRet(wg->builder, LLVMConstNull(result));
    LLVMInstructionEraseFromParent(unreachable);
}

static void fix_block(struct tf_wg *wg, LLVMBasicBlockRef block)
{
    LLVMValueRef next;

    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = next) {
        next = LLVMGetNextInstruction(i);
        switch ((int)LLVMGetInstructionOpcode(i)) {
        case LLVMUDiv:
        case LLVMSDiv:
        case LLVMURem:
        case LLVMSRem:
            if (tf_division_may_trap(i))
                tf_division_guard(wg->builder, i);
            break;
        case LLVMUnreachable:
            end_item(wg, i);
            break;
        case LLVMCall:
            if (is_trap(i))
                LLVMInstructionEraseFromParent(i); // `unreachable` follows, or it goes on
            break;
        default:
            break;
        }
    }
}

bool tf_wg_traps(struct tf_wg *wg)
{
    TF_FOR_EACH_FUNCTION(f, wg->module)
    {
        LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f);

        for (; block; block = LLVMGetNextBasicBlock(block))
            fix_block(wg, block);
    }
    return true;
}
