// SPDX-License-Identifier: MIT
// Which argument an address was made of.
#include <llvm-c/Core.h>

#include "abi/cpu_abi.h"
#include "compiler/workgroup/kernel/wg.h"

// Takes constants away from *pointer. -1: something else is added.
static int64_t constant_offset(const struct tf_wg *wg, LLVMValueRef *pointer)
{
    int64_t offset = 0;

    while (LLVMIsAGetElementPtrInst(*pointer)) {
        const LLVMValueRef index = LLVMGetOperand(*pointer, 1);

        if (LLVMGetNumOperands(*pointer) != 2 || !LLVMIsAConstantInt(index) ||
            LLVMGetGEPSourceElementType(*pointer) != wg->i8)
            return -1;
        offset += LLVMConstIntGetSExtValue(index);
        *pointer = LLVMGetOperand(*pointer, 0);
    }
    return offset;
}

int tf_wg_buffer_of(const struct tf_wg *wg, LLVMValueRef fn, LLVMValueRef address)
{
    const struct tf_item *item = wg->item;
    LLVMValueRef from;
    int64_t offset;

    if (!LLVMIsALoadInst(address))
        return -1;
    from = LLVMGetOperand(address, 0);
    offset = constant_offset(wg, &from);
    if (offset < 0 || !LLVMIsALoadInst(from))
        return -1;
    from = LLVMGetOperand(from, 0);
    if (constant_offset(wg, &from) != offsetof(struct tf_launch, args) ||
        from != LLVMGetParam(fn, TF_ITEM_LAUNCH))
        return -1;
    for (unsigned i = 0; i < item->arg_count; i++) {
        if (item->args[i].kind == TF_ARG_BUFFER &&
            item->args[i].block_offset_bytes == offset)
            return (int)i;
    }
    return -1;
}
