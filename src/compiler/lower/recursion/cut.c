// SPDX-License-Identifier: MIT
#include "compiler/lower/recursion/cut.h"

#include <string.h>

#include <llvm-c/Core.h>
#include <llvm-c/Error.h>
#include <llvm-c/Target.h>

#include "compiler/front/build_log.h"
#include "compiler/ir/ir_util.h"
#include "compiler/ir/passes.h"

static const char simplify[] =
    "sroa<modify-cfg>,early-cse,simplifycfg,tailcallelim,simplifycfg,adce";
static const char values_to_variables[] = "reg2mem";

static bool run(LLVMValueRef function, const char *passes, struct tf_str *log)
{
    char *const text = tf_ir_run_passes_on(function, passes, NULL);

    if (!text)
        return true;
    tf_build_log_error(log, NULL, "recursion: %s", text);
    LLVMDisposeErrorMessage(text);
    return false;
}

// What Clang promises of functions of OpenCL C, or what keeps passes away.
static void drop_attributes(LLVMValueRef function)
{
    static const char *const untrue[] = {"norecurse", "optnone",      "noinline",
                                         "memory",    "willreturn",   "nosync",
                                         "nofree",    "speculatable", "mustprogress"};

    for (size_t i = 0; i < sizeof untrue / sizeof *untrue; i++)
        tf_ir_remove_attribute(function, untrue[i]);
}

bool tf_recursion_simplify(const struct tf_cycle *cycle, struct tf_str *log)
{
    for (unsigned i = 0; i < cycle->count; i++) {
        drop_attributes(cycle->functions[i]);
        if (!run(cycle->functions[i], simplify, log))
            return false;
    }
    return true;
}

static LLVMValueRef behind_variables(LLVMValueRef function)
{
    LLVMValueRef at = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));

    while (LLVMIsAAllocaInst(at))
        at = LLVMGetNextInstruction(at);
    return at;
}

static void hoist_variables(LLVMValueRef function, LLVMBuilderRef b)
{
    const LLVMValueRef first = behind_variables(function);
    LLVMValueRef next;

    for (LLVMValueRef i = first; i; i = next) {
        next = tf_ir_next(i);
        if (!LLVMIsAAllocaInst(i) || i == first)
            continue;
        LLVMInstructionRemoveFromParent(i);
        LLVMPositionBuilderBefore(b, first);
        LLVMInsertIntoBuilder(b, i);
    }
}

static void replace_uses_but_one(LLVMValueRef old, LLVMValueRef user, LLVMValueRef value)
{
    LLVMReplaceAllUsesWith(old, value);
    LLVMSetOperand(user, 0, old);
}

static void copy_by_value(LLVMValueRef param, LLVMTypeRef type, unsigned align,
                          LLVMBuilderRef b)
{
    const LLVMModuleRef module = LLVMGetGlobalParent(LLVMGetParamParent(param));
    const LLVMTypeRef i64 = LLVMInt64TypeInContext(LLVMGetModuleContext(module));
    const LLVMTargetDataRef layout = LLVMGetModuleDataLayout(module);
    const LLVMValueRef variable = LLVMBuildAlloca(b, type, "");
    const uint64_t bytes = LLVMABISizeOfType(layout, type);

    if (align > LLVMGetAlignment(variable))
        LLVMSetAlignment(variable, align);
    LLVMReplaceAllUsesWith(param, variable);
    LLVMBuildMemCpy(b, variable, LLVMGetAlignment(variable), param, align ? align : 1,
                    LLVMConstInt(i64, bytes, false));
}

static LLVMAttributeRef attribute(LLVMValueRef function, unsigned at, const char *name)
{
    return LLVMGetEnumAttributeAtIndex(
        function, at, LLVMGetEnumAttributeKindForName(name, strlen(name)));
}

static void keep_parameter(LLVMValueRef function, unsigned index, LLVMBuilderRef b)
{
    const LLVMValueRef param = LLVMGetParam(function, index);
    const LLVMAttributeRef by_value = attribute(function, index + 1, "byval");
    const LLVMAttributeRef align = attribute(function, index + 1, "align");
    LLVMValueRef kept;

    LLVMPositionBuilderBefore(b, behind_variables(function));
    if (by_value) {
        copy_by_value(param, LLVMGetTypeAttributeValue(by_value),
                      align ? (unsigned)LLVMGetEnumAttributeValue(align) : 0, b);
        return;
    }
    kept = LLVMBuildFreeze(b, param, "");
    replace_uses_but_one(param, kept, kept);
}

// What `call` and all behind it were becomes a block of its own.
static void cut_before(LLVMValueRef call, LLVMBuilderRef b)
{
    const LLVMBasicBlockRef head = LLVMGetInstructionParent(call);
    const LLVMContextRef context =
        LLVMGetModuleContext(LLVMGetGlobalParent(tf_ir_function_of(call)));
    const LLVMBasicBlockRef tail = LLVMCreateBasicBlockInContext(context, "call");
    LLVMValueRef next;

    LLVMInsertExistingBasicBlockAfterInsertBlock(b, tail);
    LLVMPositionBuilderAtEnd(b, tail);
    for (LLVMValueRef i = call; i; i = next) {
        next = LLVMGetNextInstruction(i);
        LLVMInstructionRemoveFromParent(i);
        LLVMInsertIntoBuilder(b, i);
    }
    LLVMPositionBuilderAtEnd(b, head);
    LLVMBuildBr(b, tail);
}

static void cut_at_calls(LLVMValueRef function, const struct tf_cycle *cycle,
                         LLVMBuilderRef b)
{
    LLVMValueRef next;

    for (LLVMValueRef i = tf_ir_first(function); i; i = next) {
        next = tf_ir_next(i);
        if (tf_cycle_callee(cycle, i) < 0)
            continue;
        LLVMPositionBuilderAtEnd(b, LLVMGetInstructionParent(i));
        cut_before(i, b);
    }
}

static bool has_phi(LLVMValueRef function)
{
    TF_FOR_EACH_INSTRUCTION(i, function)
    {
        if (LLVMIsAPHINode(i))
            return true;
    }
    return false;
}

bool tf_recursion_cut(LLVMValueRef function, const struct tf_cycle *cycle,
                      struct tf_str *log)
{
    const LLVMBuilderRef b =
        LLVMCreateBuilderInContext(LLVMGetModuleContext(LLVMGetGlobalParent(function)));
    bool ok;

    drop_attributes(function);
    hoist_variables(function, b);
    for (unsigned i = 0; i < LLVMCountParams(function); i++)
        keep_parameter(function, i, b);
    ok = run(function, values_to_variables, log);
    if (ok) {
        cut_at_calls(function, cycle, b);
        ok = run(function, values_to_variables, log) && !has_phi(function);
    }
    LLVMDisposeBuilder(b);
    return ok;
}
