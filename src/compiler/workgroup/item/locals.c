// SPDX-License-Identifier: MIT
// Pass "locals": static __local variables become fixed offsets in the worker's local
// memory (compiler/module/arg_layout.h says which), program-scope variables in the
// program's block (compiler/lower/globals.h). No mutable global is left.
#include <llvm-c/Core.h>

#include "abi/cpu_abi.h"
#include "base/alloc.h"
#include "compiler/clang/debug_info.h"
#include "compiler/ir/ir_util.h"
#include "compiler/ir/kernel_metadata.h"
#include "compiler/ir/replace_global.h"
#include "compiler/lower/globals.h"
#include "compiler/lower/kept/kept_functions.h"
#include "compiler/workgroup/kernel/wg.h"

// Puts base + offset_bytes, computed before `first`, in the variable's place.
static bool place_at(struct tf_wg *wg, LLVMValueRef item, LLVMValueRef first,
                     LLVMValueRef variable, LLVMValueRef base, uint64_t offset_bytes)
{
    LLVMValueRef address;

    LLVMPositionBuilderBefore(wg->builder, first);
    address = tf_wg_address(wg, base, offset_bytes);
    if (wg->wishes->for_debugger) {
        const LLVMValueRef holder = LLVMBuildAlloca(wg->builder, wg->ptr, "");

        LLVMSetVolatile(LLVMBuildStore(wg->builder, address, holder), true);
        tf_debug_info_place(variable, item, holder, first);
    }
    address = LLVMBuildAddrSpaceCast(wg->builder, address, LLVMTypeOf(variable), "");
    if (!tf_ir_replace_global(wg->builder, variable, address, item))
        return tf_wg_fail(wg, "kernel %s: constant over a __local variable",
                          wg->kernel_name);
    return true;
}

static bool place(struct tf_wg *wg, LLVMValueRef item, const struct tf_local_slot *slots,
                  size_t count)
{
    const LLVMBasicBlockRef block = LLVMGetEntryBasicBlock(item);
    const LLVMValueRef first = LLVMGetFirstInstruction(block);
    LLVMValueRef arena;

    LLVMPositionBuilderBefore(wg->builder, first);
    arena = tf_wg_load_fixed(wg, wg->ptr, LLVMGetParam(item, TF_ITEM_WORKER),
                             offsetof(struct tf_worker, local), 8, "local");
    for (size_t i = 0; i < count; i++) {
        if (!place_at(wg, item, first, slots[i].variable, arena, slots[i].offset_bytes))
            return false;
    }
    return true;
}

// Program-scope variables of `item`.
static bool place_data(struct tf_wg *wg, LLVMValueRef item)
{
    const LLVMBasicBlockRef block = LLVMGetEntryBasicBlock(item);
    const LLVMValueRef first = LLVMGetFirstInstruction(block);
    LLVMValueRef base = NULL;
    uint64_t offset_bytes;

    for (LLVMValueRef g = LLVMGetFirstGlobal(wg->module); g; g = LLVMGetNextGlobal(g)) {
        if (!LLVMGetFirstUse(g) || !tf_global_offset(g, &offset_bytes))
            continue;
        LLVMPositionBuilderBefore(wg->builder, first);
        if (!base)
            base = tf_wg_load_fixed(wg, wg->ptr, LLVMGetParam(item, TF_ITEM_LAUNCH),
                                    offsetof(struct tf_launch, program_data), 8, "data");
        if (!place_at(wg, item, first, g, base, offset_bytes))
            return false;
    }
    return true;
}

// Kept functions name no static local memory, but their checks do.
static bool place_in_kept(struct tf_wg *wg, const struct tf_local_slot *slots,
                          size_t count)
{
    const bool is_checked = tf_check_modes_of(wg->module) != 0;

    TF_FOR_EACH_FUNCTION(f, wg->module)
    {
        if (!tf_kept_function(f))
            continue;
        if ((is_checked && !place(wg, f, slots, count)) || !place_data(wg, f))
            return false;
    }
    return true;
}

bool tf_wg_locals(struct tf_wg *wg)
{
    const LLVMTargetDataRef layout = LLVMGetModuleDataLayout(wg->module); // still spir64
    struct tf_local_slot *slots;
    size_t count;
    bool ok;

    if (tf_local_layout(wg->item->function, layout, &slots, &count) == UINT64_MAX)
        return tf_wg_fail(wg, "out of memory");
    ok = place(wg, wg->item->function, slots, count) &&
         place_data(wg, wg->item->function) &&
         (!wg->item->wide ||
          (place(wg, wg->item->wide, slots, count) && place_data(wg, wg->item->wide))) &&
         place_in_kept(wg, slots, count) &&
         // constants of no use still name the variables
         tf_wg_run_llvm(wg, "globaldce");
    tf_free(slots);
    return ok;
}
