// SPDX-License-Identifier: MIT
#include "compiler/spir/spir_calls.h"

#include <string.h>

#include <llvm-c/Core.h>

#include "base/alloc.h"
#include "compiler/ir/ir_util.h"
#include "compiler/spir/spir_names.h"

enum { MOST_PARAMS = 16 }; // of a function that takes an image, a sampler or an event

struct border {
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMBuilderRef builder;
    struct tf_str *log;
    LLVMValueRef then, now; // the function, with the types of both
    enum tf_spir_param params[MOST_PARAMS];
    size_t count;
    bool returns_event;
};

static bool fail(struct border *b, const char *what)
{
    tf_str_printf(b->log, "error: SPIR: %s '%.200s'\n", what, tf_ir_name(b->then));
    return false;
}

static LLVMTypeRef event_type(const struct border *b)
{
    return LLVMTargetExtTypeInContext(b->context, "spirv.Event", NULL, 0, NULL, 0);
}

// The type of today for a parameter; NULL: it is not of the type that its name says.
static LLVMTypeRef param_type(const struct border *b, size_t i, LLVMTypeRef then)
{
    const LLVMTypeKind kind = LLVMGetTypeKind(then);

    switch (b->params[i]) {
    case TF_SPIR_IMAGE:
        return kind == LLVMPointerTypeKind
                   ? LLVMPointerTypeInContext(b->context, TF_SPIR_IMAGE_SPACE)
                   : NULL;
    case TF_SPIR_SAMPLER:
        return kind == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(then) == 32
                   ? LLVMInt64TypeInContext(b->context)
                   : NULL;
    case TF_SPIR_EVENT:
        return kind == LLVMPointerTypeKind ? event_type(b) : NULL;
    case TF_SPIR_PLAIN:
        break;
    }
    return then;
}

static bool declare(struct border *b, const char *name)
{
    const LLVMTypeRef then = LLVMGlobalGetValueType(b->then);
    LLVMTypeRef params[MOST_PARAMS], result = LLVMGetReturnType(then);

    if (LLVMCountParamTypes(then) != b->count || LLVMIsFunctionVarArg(then))
        return fail(b, "another number of parameters than its name says has");
    LLVMGetParamTypes(then, params);
    for (size_t i = 0; i < b->count; i++) {
        params[i] = param_type(b, i, params[i]);
        if (!params[i])
            return fail(b, "another type than its name says is a parameter of");
    }
    if (b->returns_event)
        result = event_type(b);
    const LLVMTypeRef now = LLVMFunctionType(result, params, (unsigned)b->count, false);
    // Two names of SPIR's may be one of today.
    b->now = LLVMGetNamedFunction(b->module, name);
    if (b->now == b->then)
        LLVMSetValueName2(b->then, "", 0), b->now = NULL;
    if (!b->now) {
        b->now = LLVMAddFunction(b->module, name, now);
        LLVMSetFunctionCallConv(b->now, LLVMSPIRFUNCCallConv);
        tf_ir_add_attribute(b->now, "convergent");
        tf_ir_add_attribute(b->now, "nounwind");
    }
    return LLVMGlobalGetValueType(b->now) == now || fail(b, "two types has the function");
}

static LLVMValueRef convert(struct border *b, size_t i, LLVMValueRef then)
{
    switch (b->params[i]) {
    case TF_SPIR_IMAGE:
        return LLVMBuildAddrSpaceCast(
            b->builder, then, LLVMPointerTypeInContext(b->context, TF_SPIR_IMAGE_SPACE),
            "");
    case TF_SPIR_SAMPLER:
        return LLVMBuildZExt(b->builder, then, LLVMInt64TypeInContext(b->context), "");
    case TF_SPIR_EVENT: // which one is nothing that a function asks
        return LLVMConstNull(event_type(b));
    case TF_SPIR_PLAIN:
        break;
    }
    return then;
}

static bool convert_call(struct border *b, LLVMValueRef call)
{
    LLVMValueRef args[MOST_PARAMS], now;

    if (!LLVMIsACallInst(call) || LLVMGetCalledValue(call) != b->then ||
        LLVMGetNumArgOperands(call) != b->count)
        return fail(b, "another use than a call has");
    LLVMPositionBuilderBefore(b->builder, call);
    for (unsigned i = 0; i < b->count; i++)
        args[i] = convert(b, i, LLVMGetOperand(call, i));
    now = LLVMBuildCall2(b->builder, LLVMGlobalGetValueType(b->now), b->now, args,
                         (unsigned)b->count, "");
    LLVMSetInstructionCallConv(now, LLVMSPIRFUNCCallConv);
    if (LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind)
        LLVMReplaceAllUsesWith(call,
                               b->returns_event ? LLVMConstNull(LLVMTypeOf(call)) : now);
    LLVMInstructionEraseFromParent(call);
    return true;
}

static bool convert_all(struct border *b, const char *name)
{
    LLVMUseRef use;

    if (!declare(b, name))
        return false;
    while ((use = LLVMGetFirstUse(b->then)))
        if (!convert_call(b, LLVMGetUser(use)))
            return false;
    LLVMDeleteFunction(b->then);
    return true;
}

static void rename_to(struct border *b, const char *name)
{
    const LLVMValueRef same = LLVMGetNamedFunction(b->module, name);

    if (same && same != b->then) {
        LLVMReplaceAllUsesWith(b->then, same);
        LLVMDeleteFunction(b->then);
    } else if (!same) {
        LLVMSetValueName2(b->then, name, strlen(name));
    }
}

static bool makes_event(const char *symbol)
{
    char name[64];

    return !strncmp(tf_ir_source_name(symbol, name, sizeof name), "async_work_group_",
                    strlen("async_work_group_"));
}

static bool convert_function(struct border *b, LLVMValueRef function)
{
    const char *const then = tf_ir_name(function);
    char *const now = tf_spir_name_now(then);
    bool special, ok = true;

    if (!now) {
        tf_str_add(b->log, "error: out of memory\n");
        return false;
    }
    b->then = function;
    b->count = tf_spir_params(then, b->params, MOST_PARAMS);
    special = b->returns_event = b->count > 0 && makes_event(then);
    for (size_t i = 0; i < b->count && i < MOST_PARAMS; i++)
        special |= b->params[i] != TF_SPIR_PLAIN;
    if (special && b->count <= MOST_PARAMS)
        ok = convert_all(b, now);
    else
        rename_to(b, now);
    tf_free(now);
    return ok;
}

bool tf_spir_calls(LLVMModuleRef module, struct tf_str *log)
{
    struct border b = {
        .context = LLVMGetModuleContext(module), .module = module, .log = log};
    LLVMValueRef last = LLVMGetLastFunction(module), f, next;
    bool ok = true;

    b.builder = LLVMCreateBuilderInContext(b.context);
    for (f = LLVMGetFirstFunction(module); f && ok; f = next) {
        next = f == last ? NULL : LLVMGetNextFunction(f); // new ones stand behind
        if (LLVMIsDeclaration(f) && !tf_ir_is_intrinsic(f))
            ok = convert_function(&b, f);
    }
    LLVMDisposeBuilder(b.builder);
    return ok;
}
