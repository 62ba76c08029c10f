// SPDX-License-Identifier: MIT
#include "compiler/ir/vector/component.h"

#include <stdbool.h>

#include <llvm-c/Core.h>

static unsigned component_kind(LLVMContextRef context)
{
    static const char name[] = "trefoil.component";

    return LLVMGetMDKindIDInContext(context, name, sizeof(name) - 1);
}

void tf_say_component(LLVMValueRef load, unsigned component)
{
    const LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(load));
    LLVMValueRef number = LLVMConstInt(LLVMInt32TypeInContext(context), component, false);

    LLVMSetMetadata(load, component_kind(context),
                    LLVMMDNodeInContext(context, &number, 1));
}

int tf_component_of(LLVMValueRef load)
{
    const LLVMValueRef node =
        LLVMGetMetadata(load, component_kind(LLVMGetTypeContext(LLVMTypeOf(load))));
    LLVMValueRef number;

    if (!node)
        return -1;
    LLVMGetMDNodeOperands(node, &number);
    return (int)LLVMConstIntGetZExtValue(number);
}
