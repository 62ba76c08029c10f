// SPDX-License-Identifier: MIT
#include "compiler/lower/kept/kept_parameters.h"

#include <stdio.h>
#include <string.h>

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>

#include "compiler/ir/ir_util.h"
#include "compiler/lower/kept/kept_functions.h"

// Its own, as many masks (compiler/check), and what others put before them.
enum { MOST_PARAMS = 2 * TF_KEPT_MOST_PARAMS + 16 };

// Of parameters that take a result of many bytes. Only the first two may bear it; what
// they point to is written all the same.
static unsigned result_kind(void)
{
    return LLVMGetEnumAttributeKindForName("sret", strlen("sret"));
}

static void drop_attributes(LLVMValueRef made, unsigned shift)
{
    for (unsigned i = shift + 1; i <= LLVMCountParams(made); i++)
        LLVMRemoveEnumAttributeAtIndex(made, i, result_kind());
    // Roots have no effects, what takes their place reads memory.
    tf_ir_remove_attribute(made, "memory");
    tf_ir_remove_attribute(made, "speculatable");
}

LLVMValueRef tf_kept_function_widen(LLVMValueRef old, const char *prefix,
                                    const LLVMTypeRef *types, unsigned count)
{
    const LLVMTypeRef type = LLVMGlobalGetValueType(old);
    const unsigned own = LLVMCountParams(old);
    LLVMTypeRef params[MOST_PARAMS];
    LLVMValueRef made;
    char name[256]; // one of the library is no root

    snprintf(name, sizeof(name), "%s%s", prefix, tf_ir_name(old));
    memcpy(params, types, count * sizeof(*types));
    LLVMGetParamTypes(type, params + count);
    made = LLVMAddFunction(
        LLVMGetGlobalParent(old), name,
        LLVMFunctionType(LLVMGetReturnType(type), params, count + own, false));
    LLVMSetLinkage(made, LLVMInternalLinkage);
    tf_ir_copy_attributes(old, made, count);
    drop_attributes(made, count);
    LLVMSetSubprogram(made, LLVMGetSubprogram(old));
    tf_ir_move_body(old, made);
    for (unsigned i = 0; i < own; i++)
        LLVMReplaceAllUsesWith(LLVMGetParam(old, i), LLVMGetParam(made, count + i));
    return made;
}

static void copy_call_attributes(LLVMValueRef from, LLVMValueRef to, unsigned shift)
{
    static const char memory[] = "memory";

    tf_ir_copy_call_attributes(from, to, shift);
    for (unsigned i = shift + 1; i <= LLVMGetNumArgOperands(to); i++)
        LLVMRemoveCallSiteEnumAttribute(to, i, result_kind());
    LLVMRemoveCallSiteEnumAttribute(
        to, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
        LLVMGetEnumAttributeKindForName(memory, sizeof(memory) - 1));
}

LLVMValueRef tf_kept_function_call(LLVMBuilderRef b, LLVMValueRef call, LLVMValueRef made,
                                   const LLVMValueRef *args, unsigned count)
{
    const unsigned own = LLVMGetNumArgOperands(call);
    LLVMValueRef all[MOST_PARAMS], new_call;

    memcpy(all, args, count * sizeof(*args));
    for (unsigned i = 0; i < own; i++)
        all[count + i] = LLVMGetOperand(call, i);
    LLVMPositionBuilderBefore(b, call);
    new_call =
        LLVMBuildCall2(b, LLVMGlobalGetValueType(made), made, all, count + own, "");
    copy_call_attributes(call, new_call, count);
    tf_ir_replace(call, new_call);
    return new_call;
}
