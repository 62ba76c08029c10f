// SPDX-License-Identifier: MIT
// Pass "locals": static __local variables become fixed offsets in the worker's local
// memory (compiler/arg_layout.h says which). No mutable global is left for local memory.
#include <llvm-c/Core.h>

#include "base/alloc.h"
#include "devices/cpu/cpu_abi.h"
#include "devices/cpu/wg/wg.h"

static bool place(struct tf_wg *wg, LLVMValueRef item, const struct tf_local_slot *slots,
                  size_t count)
{
    const LLVMBasicBlockRef block = LLVMGetEntryBasicBlock(item);
    const LLVMValueRef first = LLVMGetFirstInstruction(block);
    LLVMValueRef arena, address;

    LLVMPositionBuilderBefore(wg->builder, first);
    arena = tf_wg_load_fixed(wg, wg->ptr, LLVMGetParam(item, TF_ITEM_WORKER),
                             offsetof(struct tf_worker, local), 8, "local");
    for (size_t i = 0; i < count; i++) {
        const LLVMValueRef variable = slots[i].variable;

        LLVMPositionBuilderBefore(wg->builder, first);
        address = tf_wg_address(wg, arena, slots[i].offset_bytes);
        address = LLVMBuildAddrSpaceCast(wg->builder, address, LLVMTypeOf(variable), "");
        if (!tf_wg_replace_global(wg, variable, address, item))
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

    if (tf_local_layout(wg->item, layout, &slots, &count) == UINT64_MAX)
        return tf_wg_fail(wg, "out of memory");
    ok = count == 0 || (place(wg, wg->item, slots, count) &&
                        (!wg->wide || place(wg, wg->wide, slots, count)) &&
                        // constants of no use still name the variables
                        tf_wg_run_llvm(wg, "globaldce"));
    tf_free(slots);
    return ok;
}
