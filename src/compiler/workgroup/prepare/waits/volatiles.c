// SPDX-License-Identifier: MIT
// Local memory belongs to one group, and between two barriers nobody can tell when its
// work-items read and write there, but by waiting in a loop for each other. Without such
// loops a volatile access of it is an ordinary one.
#include "compiler/workgroup/prepare/waits/wait.h"

#include <llvm-c/Core.h>

#include "compiler/ir/ir_util.h"
#include "compiler/workgroup/kernel/wg.h"

static bool is_volatile_local(LLVMValueRef i)
{
    LLVMValueRef pointer;

    if (!LLVMIsALoadInst(i) && !LLVMIsAStoreInst(i))
        return false;
    pointer = LLVMGetOperand(i, LLVMIsAStoreInst(i) ? 1 : 0);
    return LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) == TF_AS_LOCAL &&
           LLVMGetVolatile(i) && LLVMGetOrdering(i) == LLVMAtomicOrderingNotAtomic;
}

static bool has_any(LLVMValueRef fn)
{
    TF_FOR_EACH_INSTRUCTION(i, fn)
    {
        if (is_volatile_local(i))
            return true;
    }
    return false;
}

void tf_prepare_volatiles(LLVMValueRef fn)
{
    if (!has_any(fn) || tf_wait_in(fn))
        return;
    TF_FOR_EACH_INSTRUCTION(i, fn)
    {
        if (is_volatile_local(i))
            LLVMSetVolatile(i, false);
    }
}
