// SPDX-License-Identifier: MIT
// Pass "kept_calls": kept functions (compiler/lower/kept/kept_functions.h) get the
// parameters of the item function before their own, so that all passes find there what
// they find in an item function, and their calls hand them on.
#include <llvm-c/Core.h>

#include "base/alloc.h"
#include "compiler/ir/ir_util.h"
#include "compiler/lower/kept/kept_functions.h"
#include "compiler/lower/kept/kept_parameters.h"
#include "compiler/workgroup/kernel/wg.h"

bool tf_wg_settle_calls(struct tf_wg *wg, bool *keeps)
{
    return tf_kept_functions_settle(wg->item->kernel, keeps) ||
           tf_wg_fail(wg, "out of memory");
}

static LLVMValueRef widen(struct tf_wg *wg, LLVMValueRef old)
{
    LLVMTypeRef params[TF_ITEM_PARAMS];
    LLVMValueRef made;

    LLVMGetParamTypes(wg->item_type, params);
    made = tf_kept_function_widen(old, "call.", params, TF_ITEM_PARAMS);
    tf_wg_add_item_attrs(old, made);
    return made;
}

static void replace_call(struct tf_wg *wg, LLVMValueRef call, LLVMValueRef made)
{
    const LLVMValueRef caller = tf_ir_function_of(call);
    LLVMValueRef args[TF_ITEM_PARAMS];

    for (unsigned i = 0; i < TF_ITEM_PARAMS; i++)
        args[i] = LLVMGetParam(caller, i);
    tf_kept_function_call(wg->builder, call, made, args, TF_ITEM_PARAMS);
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
