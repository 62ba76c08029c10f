// SPDX-License-Identifier: MIT
#include "compiler/lower/function_pointers.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <llvm-c/Core.h>

#include "base/alloc.h"
#include "compiler/front/build_log.h"
#include "compiler/ir/ir_util.h"

// Those whose address is taken, in the module's order; the first has number 1.
struct targets {
    LLVMModuleRef module;
    LLVMContextRef context;
    LLVMValueRef *functions;
    size_t count;
};

static bool is_pointer_call(LLVMValueRef inst)
{
    return LLVMIsACallInst(inst) && !LLVMIsAFunction(LLVMGetCalledValue(inst)) &&
           !LLVMIsAInlineAsm(LLVMGetCalledValue(inst));
}

static unsigned callee_operand(LLVMValueRef call)
{
    return (unsigned)LLVMGetNumOperands(call) - 1;
}

// Whether `user` calls `function` and makes no other use of it.
static bool only_calls(LLVMValueRef user, LLVMValueRef function)
{
    if (!LLVMIsACallInst(user) || LLVMGetCalledValue(user) != function)
        return false;
    for (unsigned i = 0; i < callee_operand(user); i++)
        if (LLVMGetOperand(user, i) == function)
            return false;
    return true;
}

static bool is_target(LLVMValueRef function)
{
    if (tf_ir_is_intrinsic(function))
        return false;
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use))
        if (!only_calls(LLVMGetUser(use), function))
            return true;
    return false;
}

// ---- Addresses become numbers ----

static bool collect_targets(struct targets *t)
{
    size_t functions = 0;

    TF_FOR_EACH_FUNCTION(f, t->module)
    {
        functions++;
    }
    t->functions = tf_zalloc((functions + 1) * sizeof *t->functions);
    if (!t->functions)
        return false;
    TF_FOR_EACH_FUNCTION(f, t->module)
    {
        if (is_target(f))
            t->functions[t->count++] = f;
    }
    return true;
}

static LLVMValueRef number_of(const struct targets *t, size_t index)
{
    return LLVMConstInt(LLVMInt64TypeInContext(t->context), index + 1, false);
}

// Direct calls keep their callee: replacing all uses takes them along, so they are
// remembered. False when memory is short.
static bool replace_address(const struct targets *t, size_t index)
{
    const LLVMValueRef function = t->functions[index];
    LLVMValueRef *calls;
    size_t count = 0;

    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use))
        count++;
    calls = tf_zalloc((count + 1) * sizeof *calls);
    if (!calls)
        return false;
    count = 0;
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
        const LLVMValueRef user = LLVMGetUser(use);

        if (LLVMIsACallInst(user) && LLVMGetCalledValue(user) == function)
            calls[count++] = user;
    }
    LLVMReplaceAllUsesWith(function,
                           LLVMConstIntToPtr(number_of(t, index), LLVMTypeOf(function)));
    for (size_t i = 0; i < count; i++)
        LLVMSetOperand(calls[i], callee_operand(calls[i]), function);
    tf_free(calls);
    return true;
}

// ---- Calls become choices ----

static void add_return(LLVMBuilderRef b, LLVMTypeRef type, LLVMValueRef value)
{
    if (LLVMGetTypeKind(type) == LLVMVoidTypeKind)
        LLVMBuildRetVoid(b);
    else
        LLVMBuildRet(b, value);
}

enum { MAX_PARAMS = 255 };

// `function(p1, .., pn, pointer)`: calls the target that the pointer names, as `call`
// does.
static void choose(const struct targets *t, LLVMValueRef call, LLVMValueRef function)
{
    const LLVMTypeRef type = LLVMGetCalledFunctionType(call);
    const LLVMTypeRef result = LLVMGetReturnType(type);
    const unsigned params = LLVMCountParamTypes(type);
    const LLVMBuilderRef b = LLVMCreateBuilderInContext(t->context);
    LLVMValueRef args[MAX_PARAMS + 1];
    const LLVMBasicBlockRef entry =
        LLVMAppendBasicBlockInContext(t->context, function, "entry");
    const LLVMBasicBlockRef none =
        LLVMAppendBasicBlockInContext(t->context, function, "none");

    LLVMGetParams(function, args);
    LLVMPositionBuilderAtEnd(b, none);
    add_return(b, result,
               LLVMGetTypeKind(result) == LLVMVoidTypeKind ? NULL
                                                           : LLVMConstNull(result));
    LLVMPositionBuilderAtEnd(b, entry);
    const LLVMValueRef choice = LLVMBuildSwitch(
        b,
        LLVMBuildPtrToInt(b, args[params], LLVMInt64TypeInContext(t->context), "which"),
        none, (unsigned)t->count);
    for (size_t i = 0; i < t->count; i++) {
        const LLVMValueRef target = t->functions[i];
        LLVMBasicBlockRef block;
        LLVMValueRef made;

        if (LLVMGlobalGetValueType(target) != type)
            continue;
        block = LLVMAppendBasicBlockInContext(t->context, function, tf_ir_name(target));
        LLVMAddCase(choice, number_of(t, i), block);
        LLVMPositionBuilderAtEnd(b, block);
        made = LLVMBuildCall2(b, type, target, args, params, "");
        tf_ir_copy_call_attributes(call, made, 0);
        LLVMSetInstructionCallConv(made, LLVMGetFunctionCallConv(target));
        add_return(b, result, made);
    }
    LLVMDisposeBuilder(b);
}

static void lower_call(const struct targets *t, LLVMValueRef call)
{
    const LLVMTypeRef type = LLVMGetCalledFunctionType(call);
    const LLVMValueRef pointer = LLVMGetCalledValue(call);
    const unsigned params = LLVMCountParamTypes(type);
    const LLVMBuilderRef b = LLVMCreateBuilderInContext(t->context);
    LLVMTypeRef types[MAX_PARAMS + 1];
    LLVMValueRef args[MAX_PARAMS + 1], function, made;

    LLVMGetParamTypes(type, types);
    types[params] = LLVMTypeOf(pointer);
    for (unsigned i = 0; i < params; i++)
        args[i] = LLVMGetOperand(call, i);
    args[params] = pointer;
    const LLVMTypeRef chosen =
        LLVMFunctionType(LLVMGetReturnType(type), types, params + 1, false);
    function = LLVMAddFunction(t->module, "call", chosen);
    LLVMSetLinkage(function, LLVMInternalLinkage);
    LLVMSetFunctionCallConv(function, LLVMGetInstructionCallConv(call));
    choose(t, call, function);

    LLVMPositionBuilderBefore(b, call);
    made = LLVMBuildCall2(b, chosen, function, args, params + 1, "");
    LLVMSetInstructionCallConv(made, LLVMGetInstructionCallConv(call));
    tf_ir_copy_call_attributes(call, made, 0);
    LLVMReplaceAllUsesWith(call, made);
    LLVMInstructionEraseFromParent(call);
    LLVMDisposeBuilder(b);
}

// False when a call has a form that has no target.
static bool lower_calls(const struct targets *t, LLVMValueRef function,
                        struct tf_str *log)
{
    LLVMValueRef next;

    for (LLVMValueRef inst = tf_ir_first(function); inst; inst = next) {
        next = tf_ir_next(inst);
        if (!is_pointer_call(inst))
            continue;
        const LLVMTypeRef type = LLVMGetCalledFunctionType(inst);

        if (LLVMIsFunctionVarArg(type) || LLVMCountParamTypes(type) > MAX_PARAMS) {
            tf_build_log_error(log, inst,
                               "call through a pointer with a variable number of "
                               "arguments, or more than %d",
                               MAX_PARAMS);
            return false;
        }
        lower_call(t, inst);
    }
    return true;
}

static bool has_pointer_calls(LLVMModuleRef module)
{
    TF_FOR_EACH_FUNCTION(f, module)
    {
        TF_FOR_EACH_INSTRUCTION(inst, f)
        {
            if (is_pointer_call(inst))
                return true;
        }
    }
    return false;
}

enum tf_compiler_status tf_function_pointers_lower(LLVMModuleRef module,
                                                   struct tf_str *log)
{
    struct targets t = {.module = module, .context = LLVMGetModuleContext(module)};
    const bool calls = has_pointer_calls(module);
    bool ok = collect_targets(&t);
    LLVMValueRef next;

    if (!ok)
        return TF_COMPILER_NO_MEMORY;
    for (size_t i = 0; ok && i < t.count; i++)
        ok = replace_address(&t, i);
    if (!ok) {
        tf_free(t.functions);
        return TF_COMPILER_NO_MEMORY;
    }
    for (LLVMValueRef f = LLVMGetFirstFunction(module); calls && ok && f; f = next) {
        next = LLVMGetNextFunction(f);
        ok = lower_calls(&t, f, log);
    }
    tf_free(t.functions);
    if (!ok)
        return TF_COMPILER_BAD_SOURCE;
    return TF_COMPILER_OK;
}
