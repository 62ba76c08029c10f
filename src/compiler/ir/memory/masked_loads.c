// SPDX-License-Identifier: MIT
// LLVM 22's instcombine makes one load of a load under a mask and the choice between what
// it loaded and another value, and that load stands where the choice did: behind stores
// that came between. `if (c[i]) { t = a[i]; a[i] = x; } else t = y;` then reads what it
// has just written, in our lanes, and in LLVM's own vectors of loops. It does not look
// through freeze, which is no instruction of any processor.
#include "compiler/ir/memory/masked_loads.h"

#include "compiler/ir/ir_util.h"
#include "compiler/ir/memory/effects.h"

enum { MOST_STEPS = 4 }; // of conversions from the load to the choice

// Conversions and negations may change places with the choice.
static bool leads_to_choice(LLVMValueRef value, unsigned steps)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        const LLVMValueRef user = LLVMGetUser(use);

        if (LLVMIsAFreezeInst(user)) // settled before
            continue;
        if (LLVMIsASelectInst(user) || (steps > 0 && LLVMIsAUnaryInstruction(user) &&
                                        leads_to_choice(user, steps - 1)))
            return true;
    }
    return false;
}

// Whether the rest of the block reads only. What chooses in other blocks is taken for
// coming after a store.
static bool is_last_access(LLVMValueRef load)
{
    for (LLVMUseRef use = LLVMGetFirstUse(load); use; use = LLVMGetNextUse(use)) {
        if (LLVMGetInstructionParent(LLVMGetUser(use)) != LLVMGetInstructionParent(load))
            return false;
    }
    for (LLVMValueRef i = LLVMGetNextInstruction(load); i;
         i = LLVMGetNextInstruction(i)) {
        if (!tf_writes_nothing(i))
            return false;
    }
    return true;
}

static void freeze(LLVMBuilderRef b, LLVMValueRef load)
{
    LLVMValueRef frozen;

    LLVMPositionBuilderBefore(b, LLVMGetNextInstruction(load));
    frozen = LLVMBuildFreeze(b, load, "");
    LLVMReplaceAllUsesWith(load, frozen);
    LLVMSetOperand(frozen, 0, load);
}

void tf_masked_loads_settle(LLVMValueRef function)
{
    const LLVMBuilderRef b =
        LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(function)));

    TF_FOR_EACH_INSTRUCTION(i, function)
    {
        if (tf_ir_calls(i, "llvm.masked.load.") && leads_to_choice(i, MOST_STEPS) &&
            !is_last_access(i))
            freeze(b, i);
    }
    LLVMDisposeBuilder(b);
}
