// SPDX-License-Identifier: MIT
// V: what one block has made for another is there.
#include "compiler/ir/ir_util.h"
#include "compiler/workgroup/check/check_parts.h"

#include <string.h>

static bool is_slot(LLVMValueRef variable)
{
    static const char name[] = "slot";

    return LLVMIsAAllocaInst(variable) &&
           !strncmp(tf_ir_name(variable), name, sizeof(name) - 1);
}

// A load, where nothing but loads has to do with it; or NULL.
static LLVMValueRef load_of_nothing(LLVMValueRef slot)
{
    LLVMValueRef load = NULL;

    for (LLVMUseRef use = LLVMGetFirstUse(slot); use; use = LLVMGetNextUse(use)) {
        load = LLVMGetUser(use);
        if (!LLVMIsALoadInst(load))
            return NULL;
    }
    return load;
}

void tf_check_slots(struct tf_check *c)
{
    LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(c->function));

    for (; i; i = LLVMGetNextInstruction(i)) {
        const LLVMValueRef load = is_slot(i) ? load_of_nothing(i) : NULL;

        if (load)
            tf_check_fault(c, "V", load, "nobody has stored what is loaded");
    }
}
