// SPDX-License-Identifier: MIT
// What a value was loaded from: the launch, an argument, or an address made of one.
#include <llvm-c/Core.h>

#include "abi/cpu_abi.h"
#include "compiler/workgroup/kernel/wg.h"

// Takes constants away from *pointer. -1: something else is added.
static int64_t constant_offset(LLVMValueRef *pointer)
{
    const LLVMTypeRef byte =
        LLVMInt8TypeInContext(LLVMGetTypeContext(LLVMTypeOf(*pointer)));
    int64_t offset = 0;

    while (LLVMIsAGetElementPtrInst(*pointer)) {
        const LLVMValueRef index = LLVMGetOperand(*pointer, 1);

        if (LLVMGetNumOperands(*pointer) != 2 || !LLVMIsAConstantInt(index) ||
            LLVMGetGEPSourceElementType(*pointer) != byte)
            return -1;
        offset += LLVMConstIntGetSExtValue(index);
        *pointer = LLVMGetOperand(*pointer, 0);
    }
    return offset;
}

bool tf_wg_is_fixed_load(LLVMValueRef value)
{
    static const char name[] = "invariant.load";

    return LLVMIsALoadInst(value) &&
           LLVMGetMetadata(value,
                           LLVMGetMDKindIDInContext(LLVMGetTypeContext(LLVMTypeOf(value)),
                                                    name, sizeof(name) - 1));
}

bool tf_wg_is_of_launch(LLVMValueRef value)
{
    LLVMValueRef at;

    if (!tf_wg_is_fixed_load(value))
        return false;
    at = LLVMGetOperand(value, 0);
    while (LLVMIsAGetElementPtrInst(at))
        at = LLVMGetOperand(at, 0);
    return tf_wg_is_fixed_load(at) || LLVMIsAArgument(at);
}

int64_t tf_wg_block_offset(LLVMValueRef fn, LLVMValueRef value)
{
    LLVMValueRef from;
    int64_t offset;

    if (!LLVMIsALoadInst(value))
        return -1;
    from = LLVMGetOperand(value, 0);
    offset = constant_offset(&from);
    if (offset < 0 || !LLVMIsALoadInst(from))
        return -1;
    from = LLVMGetOperand(from, 0);
    return constant_offset(&from) == offsetof(struct tf_launch, args) &&
                   from == LLVMGetParam(fn, TF_ITEM_LAUNCH)
               ? offset
               : -1;
}

int tf_wg_buffer_of(const struct tf_wg *wg, LLVMValueRef fn, LLVMValueRef address)
{
    const struct tf_item *item = wg->item;
    const int64_t offset = tf_wg_block_offset(fn, address);

    for (unsigned i = 0; offset >= 0 && i < item->arg_count; i++) {
        if (item->args[i].kind == TF_ARG_BUFFER &&
            item->args[i].block_offset_bytes == offset)
            return (int)i;
    }
    return -1;
}
