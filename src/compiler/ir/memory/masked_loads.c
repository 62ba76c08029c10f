// SPDX-License-Identifier: MIT
// LLVM 22's instcombine makes one load of a load under a mask and the choice between what
// it loaded and another value, and that load stands where the choice did: behind stores
// that came between. `if (c[i]) { t = a[i]; a[i] = x; } else t = y;` then reads what it
// has just written, in our lanes, and in LLVM's own vectors of loops. It does not look
// through freeze, which is no instruction of any processor.
#include "compiler/ir/memory/masked_loads.h"

#include "compiler/ir/ir_util.h"
#include "compiler/ir/memory/effects.h"

enum {
    MOST_STEPS = 4,   // of conversions from the load to the choice
    MOST_LOOKS = 256, // at instructions behind the load
};

// Whether nothing between the two can write, as far as is looked: then the load may as
// well stand where the choice does.
static bool is_near(LLVMValueRef load, LLVMValueRef choice)
{
    LLVMValueRef i = LLVMGetNextInstruction(load);

    if (LLVMGetInstructionParent(choice) != LLVMGetInstructionParent(load))
        return false;
    for (unsigned looks = 0; i && i != choice && looks < MOST_LOOKS; looks++) {
        if (!tf_writes_nothing(i))
            return false;
        i = LLVMGetNextInstruction(i);
    }
    return i == choice;
}

// Whether `value`, made of what was loaded, goes to a choice that is not near.
// Conversions and negations may change places with the choice.
static bool leads_far(LLVMValueRef load, LLVMValueRef value, unsigned steps)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        const LLVMValueRef user = LLVMGetUser(use);

        if (LLVMIsAFreezeInst(user)) // settled before
            continue;
        if (LLVMIsASelectInst(user) && !is_near(load, user))
            return true;
        if (steps > 0 && LLVMIsAUnaryInstruction(user) &&
            leads_far(load, user, steps - 1))
            return true;
    }
    return false;
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
        if (tf_ir_calls(i, "llvm.masked.load.") && leads_far(i, i, MOST_STEPS))
            freeze(b, i);
    }
    LLVMDisposeBuilder(b);
}
