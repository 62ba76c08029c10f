// SPDX-License-Identifier: MIT
// Pass "locals": static __local variables become fixed offsets in the worker's local
// memory (compiler/arg_layout.h says which). No mutable global is left for local memory.
#include <llvm-c/Core.h>

#include "devices/cpu/cpu_abi.h"
#include "devices/cpu/wg/wg.h"

bool tf_wg_locals(struct tf_wg *wg)
{
    const LLVMBasicBlockRef block = LLVMGetEntryBasicBlock(wg->item);
    const LLVMValueRef first = LLVMGetFirstInstruction(block);
    LLVMValueRef arena, address;

    if (wg->local_count == 0)
        return true;
    LLVMPositionBuilderBefore(wg->builder, first);
    arena = tf_wg_load_fixed(wg, wg->ptr, LLVMGetParam(wg->item, TF_ITEM_WORKER),
                             offsetof(struct tf_worker, local), 8, "local");
    for (size_t i = 0; i < wg->local_count; i++) {
        const LLVMValueRef variable = wg->locals[i].variable;

        LLVMPositionBuilderBefore(wg->builder, first);
        address = tf_wg_address(wg, arena, wg->locals[i].offset_bytes);
        address = LLVMBuildAddrSpaceCast(wg->builder, address, LLVMTypeOf(variable), "");
        if (!tf_wg_replace_global(wg, variable, address, wg->item))
            return false;
    }
    return tf_wg_run_llvm(wg,
                          "globaldce"); // constants of no use still name the variables
}
