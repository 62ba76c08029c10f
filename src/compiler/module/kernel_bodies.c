// SPDX-License-Identifier: MIT
#include "compiler/module/kernel_bodies.h"

#include <stdbool.h>
#include <string.h>

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>

#include "compiler/clang/debug_info.h"
#include "compiler/ir/ir_util.h"

// ---- Two of one ----

// All but the debug information, which stays with the body.
static void copy_metadata(LLVMValueRef from, LLVMValueRef to)
{
    const unsigned debug = LLVMGetMDKindIDInContext(
        LLVMGetModuleContext(LLVMGetGlobalParent(from)), "dbg", strlen("dbg"));
    size_t count;
    LLVMValueMetadataEntry *const entries = LLVMGlobalCopyAllMetadata(from, &count);

    for (unsigned i = 0; i < count; i++) {
        const unsigned kind = LLVMValueMetadataEntriesGetKind(entries, i);

        if (kind != debug)
            LLVMGlobalSetMetadata(to, kind,
                                  LLVMValueMetadataEntriesGetMetadata(entries, i));
    }
    LLVMDisposeValueMetadataEntries(entries);
}

static void split_kernel(LLVMModuleRef module, LLVMValueRef kernel)
{
    const LLVMContextRef context = LLVMGetModuleContext(module);
    const LLVMTypeRef type = LLVMGlobalGetValueType(kernel);
    const unsigned kernel_conv = LLVMGetFunctionCallConv(kernel);
    char name[512];
    size_t bytes;
    const char *const old_name = LLVMGetValueName2(kernel, &bytes);

    if (bytes >= sizeof name)
        return;
    memcpy(name, old_name, bytes);
    for (LLVMUseRef use = LLVMGetFirstUse(kernel); use; use = LLVMGetNextUse(use))
        if (LLVMIsACallInst(LLVMGetUser(use)))
            LLVMSetInstructionCallConv(LLVMGetUser(use), LLVMSPIRFUNCCallConv);
    LLVMSetValueName2(kernel, "", 0);
    const LLVMValueRef outer = LLVMAddFunction(module, "", type);
    LLVMSetValueName2(outer, name, bytes);
    LLVMSetFunctionCallConv(outer, kernel_conv);
    tf_ir_copy_attributes(kernel, outer, 0);
    copy_metadata(kernel, outer);
    LLVMSetFunctionCallConv(kernel, LLVMSPIRFUNCCallConv);
    LLVMSetValueName2(kernel, "kernel.body", strlen("kernel.body"));

    const LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
    LLVMValueRef arguments[256];
    const unsigned params = LLVMCountParams(outer);
    LLVMPositionBuilderAtEnd(builder,
                             LLVMAppendBasicBlockInContext(context, outer, "entry"));
    LLVMGetParams(outer, arguments);
    for (unsigned i = 0; i < params; i++) {
        size_t length;
        const char *const text = LLVMGetValueName2(LLVMGetParam(kernel, i), &length);

        LLVMSetValueName2(arguments[i], text, length);
    }
    const LLVMValueRef call =
        LLVMBuildCall2(builder, type, kernel, arguments, params, "");
    LLVMSetInstructionCallConv(call, LLVMSPIRFUNCCallConv);
    for (unsigned i = 0; i < params; i++) {
        const unsigned byval = LLVMGetEnumAttributeKindForName("byval", strlen("byval"));
        const LLVMAttributeRef value = LLVMGetEnumAttributeAtIndex(kernel, i + 1, byval);

        if (value)
            LLVMAddCallSiteAttribute(call, i + 1, value);
    }
    LLVMBuildRetVoid(builder);
    LLVMDisposeBuilder(builder);
}

void tf_kernel_bodies_split(LLVMModuleRef module)
{
    LLVMValueRef next;

    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = next) {
        next = LLVMGetNextFunction(f);
        if (tf_ir_is_kernel(f) && LLVMGetFirstUse(f) && LLVMCountParams(f) <= 256)
            split_kernel(module, f);
    }
}

// ---- One of two ----

// Vectors of three elements are kept as four.
static LLVMValueRef without_padding(LLVMValueRef value)
{
    if (!LLVMIsAShuffleVectorInst(value))
        return value;
    for (unsigned i = 0; i < LLVMGetNumMaskElements(value); i++) {
        if (LLVMGetMaskValue(value, i) != (int)i)
            return value;
    }
    return LLVMGetOperand(value, 0);
}

// The parameter that `value` is; by way of a variable that is written once.
static LLVMValueRef parameter_of(LLVMValueRef value)
{
    LLVMValueRef variable, stored = NULL;

    value = without_padding(value);
    if (LLVMIsAArgument(value))
        return value;
    if (!LLVMIsALoadInst(value) || LLVMGetVolatile(value))
        return NULL;
    variable = LLVMGetOperand(value, 0);
    if (!LLVMIsAAllocaInst(variable))
        return NULL;
    for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
        const LLVMValueRef user = LLVMGetUser(use);

        if (LLVMIsALoadInst(user))
            continue;
        if (!LLVMIsAStoreInst(user) || stored)
            return NULL;
        stored = LLVMGetOperand(user, 0);
    }
    if (!stored || LLVMTypeOf(stored) != LLVMTypeOf(value))
        return NULL;
    stored = without_padding(stored);
    return LLVMIsAArgument(stored) ? stored : NULL;
}

// What the kernel calls as its last deed, with its own arguments, after nothing that
// could be seen: or NULL.
static LLVMValueRef only_call(LLVMValueRef kernel)
{
    const LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(kernel);
    LLVMValueRef call = NULL;

    if (LLVMGetNextBasicBlock(block))
        return NULL;
    TF_FOR_EACH_INSTRUCTION_OF_BLOCK(i, block)
    {
        if (LLVMIsACallInst(i) && !call)
            call = i;
        else if (!LLVMIsAAllocaInst(i) && !LLVMIsALoadInst(i) && !LLVMIsAStoreInst(i) &&
                 !LLVMIsAShuffleVectorInst(i) && !LLVMIsAReturnInst(i))
            return NULL;
    }
    if (!call || !tf_ir_callee(call) ||
        LLVMGetNextInstruction(call) != LLVMGetLastInstruction(block) ||
        LLVMGetNumArgOperands(call) != LLVMCountParams(kernel))
        return NULL;
    for (unsigned i = 0; i < LLVMCountParams(kernel); i++) {
        if (parameter_of(LLVMGetOperand(call, i)) != LLVMGetParam(kernel, i))
            return NULL;
    }
    return call;
}

static bool is_body(LLVMValueRef function, LLVMValueRef call)
{
    const LLVMUseRef use = LLVMGetFirstUse(function);

    return !LLVMIsDeclaration(function) && !tf_ir_is_kernel(function) &&
           LLVMGetLinkage(function) == LLVMInternalLinkage && use &&
           !LLVMGetNextUse(use) && LLVMGetUser(use) == call;
}

static void join(LLVMValueRef kernel, LLVMValueRef body)
{
    tf_ir_move_body(body, kernel);
    tf_debug_info_take_arguments(body, kernel);
    for (unsigned i = 0; i < LLVMCountParams(body); i++)
        LLVMReplaceAllUsesWith(LLVMGetParam(body, i), LLVMGetParam(kernel, i));
    LLVMSetSubprogram(kernel, LLVMGetSubprogram(body)); // of the positions in it
    LLVMDeleteFunction(body);
}

void tf_kernel_bodies_join(LLVMModuleRef module)
{
    TF_FOR_EACH_FUNCTION(f, module)
    {
        const LLVMValueRef call = tf_ir_is_kernel(f) ? only_call(f) : NULL;
        const LLVMValueRef body = call ? tf_ir_callee(call) : NULL;

        if (!body || !is_body(body, call) ||
            LLVMGlobalGetValueType(body) != LLVMGlobalGetValueType(f))
            continue;
        join(f, body);
    }
}
