// SPDX-License-Identifier: MIT
#include "compiler/workgroup/gang/gang_steps.h"

LLVMValueRef gang_function(struct gang *g, bool masked)
{
    const char *name = masked             ? "tf_gang_masked"
                       : g->plan->of.rows ? "tf_gang_pack"
                                          : "tf_gang";
    LLVMValueRef fn = LLVMGetNamedFunction(g->wg->module, name);
    LLVMTypeRef params[TF_ITEM_PARAMS + 1], type;
    unsigned count = TF_ITEM_PARAMS;

    if (fn)
        return fn;
    LLVMGetParamTypes(g->wg->item_type, params);
    if (masked)
        params[count++] = g->i64;
    type = LLVMFunctionType(g->wg->void_type, params, count, false);
    fn = LLVMAddFunction(g->wg->module, name, type);
    tf_wg_add_item_attrs(g->from, fn);
    return fn;
}
