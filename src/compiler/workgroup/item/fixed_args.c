// SPDX-License-Identifier: MIT
#include "compiler/workgroup/item/fixed_args.h"

#include <string.h>

#include <llvm-c/Core.h>

#include "abi/cpu_abi.h"
#include "abi/image_descriptor.h"
#include "compiler/ir/ir_util.h"
#include "compiler/workgroup/kernel/wg.h"

LLVMValueRef tf_fixed_sampler(struct tf_wg *wg, unsigned index)
{
    const struct tf_arg_slot *const slot = &wg->item->args[index];
    uint64_t bits;

    if (!wg->wishes->fixed_args || slot->kind != TF_ARG_SAMPLER)
        return NULL;
    memcpy(&bits, (const char *)wg->wishes->fixed_args + slot->block_offset_bytes,
           sizeof bits);
    return LLVMConstInt(LLVMInt64TypeInContext(wg->context), bits, false);
}

LLVMValueRef tf_fixed_base(LLVMValueRef address, uint64_t *offset)
{
    for (;;) {
        if (LLVMIsAAddrSpaceCastInst(address)) {
            address = LLVMGetOperand(address, 0);
        } else if (LLVMIsAGetElementPtrInst(address) &&
                   LLVMGetNumOperands(address) == 2 &&
                   LLVMIsAConstantInt(LLVMGetOperand(address, 1)) &&
                   LLVMGetTypeKind(LLVMGetGEPSourceElementType(address)) ==
                       LLVMIntegerTypeKind &&
                   LLVMGetIntTypeWidth(LLVMGetGEPSourceElementType(address)) == 8) {
            *offset += (uint64_t)LLVMConstIntGetSExtValue(LLVMGetOperand(address, 1));
            address = LLVMGetOperand(address, 0);
        } else {
            return address;
        }
    }
}

static bool is_block(LLVMValueRef value, LLVMValueRef function)
{
    uint64_t offset = 0;

    return LLVMIsALoadInst(value) &&
           tf_fixed_base(LLVMGetOperand(value, 0), &offset) ==
               LLVMGetParam(function, TF_ITEM_LAUNCH) &&
           offset == offsetof(struct tf_launch, args);
}

// The image whose descriptor has the byte at `offset` of the block, NULL: none has.
static const struct tf_arg_slot *image_at(const struct tf_wg *wg, uint64_t offset)
{
    for (unsigned i = 0; i < wg->item->arg_count; i++) {
        const struct tf_arg_slot *const slot = &wg->item->args[i];

        if (slot->kind == TF_ARG_IMAGE && offset >= slot->block_offset_bytes &&
            offset - slot->block_offset_bytes < slot->size_bytes)
            return slot;
    }
    return NULL;
}

static void fix(struct tf_wg *wg, LLVMValueRef load, uint64_t offset)
{
    const LLVMTypeRef type = LLVMTypeOf(load);
    const LLVMTypeKind kind = LLVMGetTypeKind(type);
    uint32_t bits;
    LLVMValueRef value;

    memcpy(&bits, (const char *)wg->wishes->fixed_args + offset, sizeof bits);
    value = LLVMConstInt(LLVMInt32TypeInContext(wg->context), bits, false);
    if (kind == LLVMFloatTypeKind)
        value = LLVMConstBitCast(value, type);
    else if (type != LLVMInt32TypeInContext(wg->context))
        return;
    LLVMReplaceAllUsesWith(load, value);
    LLVMInstructionEraseFromParent(load);
}

static bool has_images(const struct tf_wg *wg)
{
    for (unsigned i = 0; i < wg->item->arg_count; i++) {
        if (wg->item->args[i].kind == TF_ARG_IMAGE)
            return true;
    }
    return false;
}

void tf_fixed_images(struct tf_wg *wg, LLVMValueRef function)
{
    LLVMValueRef i = has_images(wg) ? tf_ir_first(function) : NULL;

    for (LLVMValueRef next; i; i = next) {
        const struct tf_arg_slot *slot;
        uint64_t offset = 0;

        next = tf_ir_next(i);
        if (!LLVMIsALoadInst(i) || LLVMGetVolatile(i) ||
            !is_block(tf_fixed_base(LLVMGetOperand(i, 0), &offset), function))
            continue;
        slot = image_at(wg, offset);
        if (!slot)
            continue;
        tf_wg_mark_fixed(wg, i);
        if (wg->wishes->fixed_args &&
            offset - slot->block_offset_bytes >= TF_IMAGE_FIXED_FROM)
            fix(wg, i, offset);
    }
}

// The argument that `address` begins at, an image; NULL: it is none.
static const struct tf_arg_slot *image_argument(const struct tf_wg *wg,
                                                LLVMValueRef address)
{
    for (unsigned i = 0; i < wg->item->arg_count; i++)
        if (LLVMGetParam(wg->item->kernel, i) == address)
            return wg->item->args[i].kind == TF_ARG_IMAGE ? &wg->item->args[i] : NULL;
    return NULL;
}

void tf_fixed_kernel(struct tf_wg *wg)
{
    LLVMValueRef i = wg->wishes->fixed_args ? tf_ir_first(wg->item->kernel) : NULL;

    for (LLVMValueRef next; i; i = next) {
        const struct tf_arg_slot *slot;
        uint64_t offset = 0;

        next = tf_ir_next(i);
        if (!LLVMIsALoadInst(i) || LLVMGetVolatile(i))
            continue;
        slot = image_argument(wg, tf_fixed_base(LLVMGetOperand(i, 0), &offset));
        if (slot && offset >= TF_IMAGE_FIXED_FROM &&
            offset + sizeof(uint32_t) <= slot->size_bytes)
            fix(wg, i, slot->block_offset_bytes + offset);
    }
}
