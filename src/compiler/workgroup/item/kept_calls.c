// SPDX-License-Identifier: MIT
// Pass "kept_calls": kept functions (compiler/lower/kept/kept_functions.h) get the
// parameters of the item function before their own, so that all passes find there what
// they find in an item function, and their calls hand them on.
#include <stdio.h>
#include <string.h>

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>

#include "base/alloc.h"
#include "compiler/ir/call_graph.h"
#include "compiler/ir/ir_util.h"
#include "compiler/lower/kept/kept_functions.h"
#include "compiler/workgroup/kernel/wg.h"

enum { MOST_PARAMS = 256 };

static bool has_kept(LLVMModuleRef module)
{
    TF_FOR_EACH_FUNCTION(f, module)
    {
        if (tf_kept_function(f))
            return true;
    }
    return false;
}

bool tf_wg_settle_calls(struct tf_wg *wg, bool *keeps)
{
    struct tf_call_graph graph;

    *keeps = false;
    if (!has_kept(wg->module))
        return true;
    if (!tf_call_graph_init(&graph, wg->module))
        return tf_wg_fail(wg, "out of memory");
    // Another kernel of the program is large.
    *keeps =
        tf_kept_functions_serve(tf_call_graph_node(&graph, wg->item->kernel)->inlined);
    for (size_t i = 0; i < graph.node_count && !*keeps; i++)
        tf_kept_function_release(graph.nodes[i].function);
    tf_call_graph_finish(&graph);
    return true;
}

// Of parameters that take a result of many bytes. Only the first two may bear it; what
// they point to is written all the same.
static unsigned result_kind(void)
{
    return LLVMGetEnumAttributeKindForName("sret", strlen("sret"));
}

static void drop_attributes(LLVMValueRef made)
{
    for (unsigned i = TF_ITEM_PARAMS + 1; i <= LLVMCountParams(made); i++)
        LLVMRemoveEnumAttributeAtIndex(made, i, result_kind());
    // Roots have no effects, what takes their place reads memory.
    tf_ir_remove_attribute(made, "memory");
    tf_ir_remove_attribute(made, "speculatable");
}

// The function with more parameters. It has the body of `old`.
static LLVMValueRef widen(struct tf_wg *wg, LLVMValueRef old)
{
    const LLVMTypeRef type = LLVMGlobalGetValueType(old);
    const unsigned count = LLVMCountParams(old);
    LLVMTypeRef params[MOST_PARAMS];
    LLVMValueRef made;
    char name[256]; // one of the library is no root

    snprintf(name, sizeof(name), "call.%s", tf_ir_name(old));

    LLVMGetParamTypes(wg->item_type, params);
    LLVMGetParamTypes(type, params + TF_ITEM_PARAMS);
    made = LLVMAddFunction(
        wg->module, name,
        LLVMFunctionType(LLVMGetReturnType(type), params, count + TF_ITEM_PARAMS, false));
    LLVMSetLinkage(made, LLVMInternalLinkage);
    tf_ir_copy_attributes(old, made, TF_ITEM_PARAMS);
    drop_attributes(made);
    tf_wg_add_item_attrs(old, made);
    LLVMSetSubprogram(made, LLVMGetSubprogram(old));
    tf_ir_move_body(old, made);
    for (unsigned i = 0; i < count; i++)
        LLVMReplaceAllUsesWith(LLVMGetParam(old, i),
                               LLVMGetParam(made, TF_ITEM_PARAMS + i));
    return made;
}

static void copy_call_attributes(LLVMValueRef from, LLVMValueRef to)
{
    static const char memory[] = "memory";

    tf_ir_copy_call_attributes(from, to, TF_ITEM_PARAMS);
    for (unsigned i = TF_ITEM_PARAMS + 1; i <= LLVMGetNumArgOperands(to); i++)
        LLVMRemoveCallSiteEnumAttribute(to, i, result_kind());
    LLVMRemoveCallSiteEnumAttribute(
        to, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
        LLVMGetEnumAttributeKindForName(memory, sizeof(memory) - 1));
}

static void replace_call(struct tf_wg *wg, LLVMValueRef call, LLVMValueRef made)
{
    const LLVMValueRef caller = tf_ir_function_of(call);
    const unsigned count = LLVMGetNumArgOperands(call);
    LLVMValueRef args[MOST_PARAMS], new_call;

    for (unsigned i = 0; i < TF_ITEM_PARAMS; i++)
        args[i] = LLVMGetParam(caller, i);
    for (unsigned i = 0; i < count; i++)
        args[TF_ITEM_PARAMS + i] = LLVMGetOperand(call, i);
    LLVMPositionBuilderBefore(wg->builder, call);
    new_call = LLVMBuildCall2(wg->builder, LLVMGlobalGetValueType(made), made, args,
                              TF_ITEM_PARAMS + count, "");
    copy_call_attributes(call, new_call);
    tf_ir_replace(call, new_call);
}

bool tf_wg_kept_calls(struct tf_wg *wg)
{
    LLVMValueRef *old, *made;
    size_t count;

    // Not those that nobody calls any more.
    if (!tf_wg_run_llvm(wg, "globaldce"))
        return false;
    if (!tf_kept_functions_of(wg->item->function, &old, &count))
        return tf_wg_fail(wg, "out of memory");
    made = tf_zalloc((count + 1) * sizeof(*made));
    for (size_t i = 0; made && i < count; i++)
        made[i] = widen(wg, old[i]);
    for (size_t i = 0; made && i < count; i++) {
        LLVMUseRef use;

        while ((use = LLVMGetFirstUse(old[i])))
            replace_call(wg, LLVMGetUser(use), made[i]);
        LLVMDeleteFunction(old[i]);
    }
    tf_free(old);
    if (!made)
        return tf_wg_fail(wg, "out of memory");
    tf_free(made);
    return true;
}
