// SPDX-License-Identifier: MIT
#include "compiler/module/unroll_hint.h"

#include <string.h>

#include <llvm-c/Core.h>

static bool is_text(LLVMValueRef value, const char *text)
{
    unsigned bytes = 0;
    const char *const found =
        value && LLVMIsAMDString(value) ? LLVMGetMDString(value, &bytes) : NULL;

    return found && bytes == strlen(text) && !memcmp(found, text, bytes);
}

// Hints with a number are nodes (name, number), others (name).
uint64_t tf_unroll_hint_rounds(LLVMValueRef hint)
{
    LLVMValueRef parts[2];

    if (!hint || !LLVMIsAMDNode(hint) || LLVMGetMDNodeNumOperands(hint) != 2)
        return 0;
    LLVMGetMDNodeOperands(hint, parts);
    if (!is_text(parts[0], "llvm.loop.unroll.count") || !parts[1] ||
        !LLVMIsAConstantInt(parts[1]))
        return 0;
    return LLVMConstIntGetZExtValue(parts[1]);
}

bool tf_unroll_hint_is_open(LLVMValueRef hint)
{
    LLVMValueRef name;

    if (!hint || !LLVMIsAMDNode(hint) || LLVMGetMDNodeNumOperands(hint) != 1)
        return false;
    LLVMGetMDNodeOperands(hint, &name);
    return is_text(name, "llvm.loop.unroll.enable") ||
           is_text(name, "llvm.loop.unroll.full");
}
