// SPDX-License-Identifier: MIT
#include "compiler/module/arg_layout.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <llvm-c/Core.h>

#include "abi/image_descriptor.h"
#include "abi/long16.h"
#include "base/alloc.h"
#include "compiler/ir/kernel_metadata.h"

enum { AS_CONSTANT = 2, AS_LOCAL = 3 };

static uint64_t align_up(uint64_t value, uint64_t align)
{
    return (value + align - 1) / align * align;
}

static LLVMAttributeRef param_attr(LLVMValueRef kernel, unsigned index, const char *name)
{
    const unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));

    return LLVMGetEnumAttributeAtIndex(kernel, index + 1, kind);
}

static void place_arg(LLVMValueRef kernel, unsigned index, LLVMTargetDataRef layout,
                      struct tf_arg_slot *slot, uint32_t *block_align)
{
    const LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(kernel, index));
    const LLVMTypeKind kind = LLVMGetTypeKind(type);
    const LLVMAttributeRef byval = param_attr(kernel, index, "byval");

    *slot = (struct tf_arg_slot){.kind = TF_ARG_VALUE, .size_bytes = 8, .align_bytes = 8};
    if (byval) {
        const LLVMTypeRef object = LLVMGetTypeAttributeValue(byval);
        const LLVMAttributeRef align = param_attr(kernel, index, "align");

        slot->size_bytes = (uint32_t)LLVMABISizeOfType(layout, object);
        slot->align_bytes = align ? (uint32_t)LLVMGetEnumAttributeValue(align)
                                  : LLVMABIAlignmentOfType(layout, object);
    } else if (kind != LLVMPointerTypeKind) {
        if (tf_metadata_is_sampler(kernel, index))
            slot->kind = TF_ARG_SAMPLER;
        if (tf_metadata_is_queue(kernel, index))
            slot->kind = TF_ARG_QUEUE;
        slot->size_bytes = (uint32_t)LLVMABISizeOfType(layout, type);
        slot->align_bytes = LLVMABIAlignmentOfType(layout, type);
    } else if (LLVMGetPointerAddressSpace(type) == AS_LOCAL) {
        slot->kind = TF_ARG_LOCAL;
        slot->align_bytes = TF_LONG16_BYTES;
    } else if (LLVMGetPointerAddressSpace(type) == AS_CONSTANT &&
               tf_metadata_is_image(kernel, index)) {
        slot->kind = TF_ARG_IMAGE;
        slot->size_bytes = sizeof(struct tf_image_desc);
    } else {
        slot->kind = TF_ARG_BUFFER;
    }
    *block_align = slot->kind == TF_ARG_LOCAL ? 8 : slot->align_bytes;
}

uint32_t tf_arg_layout(LLVMValueRef kernel, LLVMTargetDataRef layout,
                       struct tf_arg_slot *slots)
{
    const unsigned count = LLVMCountParams(kernel);
    uint64_t end = 0;

    for (unsigned i = 0; i < count; i++) {
        uint32_t align;

        place_arg(kernel, i, layout, &slots[i], &align);
        end = align_up(end, align);
        slots[i].block_offset_bytes = (uint32_t)end;
        end += slots[i].size_bytes;
    }
    return (uint32_t)align_up(end, 8);
}

// Is `value` used by an instruction of `function`, directly or through constants?
static bool used_in(LLVMValueRef value, LLVMValueRef function)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        const LLVMValueRef user = LLVMGetUser(use);

        if (LLVMIsAInstruction(user)) {
            if (LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)) == function)
                return true;
        } else if (used_in(user, function)) {
            return true;
        }
    }
    return false;
}

static int compare_names(const void *left, const void *right)
{
    const struct tf_local_slot *a = left, *b = right;
    size_t a_bytes, b_bytes;
    const char *a_name = LLVMGetValueName2(a->variable, &a_bytes);
    const char *b_name = LLVMGetValueName2(b->variable, &b_bytes);
    const int order = memcmp(a_name, b_name, a_bytes < b_bytes ? a_bytes : b_bytes);

    return order ? order : (a_bytes > b_bytes) - (a_bytes < b_bytes);
}

static size_t collect_locals(LLVMValueRef kernel, struct tf_local_slot *slots)
{
    const LLVMModuleRef module = LLVMGetGlobalParent(kernel);
    size_t count = 0;

    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g)) {
        if (LLVMGetPointerAddressSpace(LLVMTypeOf(g)) != AS_LOCAL || !used_in(g, kernel))
            continue;
        if (slots)
            slots[count].variable = g;
        count++;
    }
    return count;
}

uint64_t tf_local_layout(LLVMValueRef kernel, LLVMTargetDataRef layout,
                         struct tf_local_slot **slots, size_t *count)
{
    uint64_t end = 0;

    *slots = NULL;
    *count = collect_locals(kernel, NULL);
    if (*count == 0)
        return 0;
    *slots = tf_zalloc(*count * sizeof(**slots));
    if (!*slots)
        return UINT64_MAX;
    collect_locals(kernel, *slots);
    // Names, unlike the order in the module, survive linking.
    qsort(*slots, *count, sizeof(**slots), compare_names);
    for (size_t i = 0; i < *count; i++) {
        struct tf_local_slot *slot = &(*slots)[i];
        const LLVMTypeRef type = LLVMGlobalGetValueType(slot->variable);
        const uint32_t align = LLVMGetAlignment(slot->variable);

        slot->size_bytes = LLVMABISizeOfType(layout, type);
        slot->align_bytes = LLVMABIAlignmentOfType(layout, type);
        if (align > slot->align_bytes)
            slot->align_bytes = align;
        slot->offset_bytes = align_up(end, slot->align_bytes);
        end = slot->offset_bytes + slot->size_bytes;
    }
    return align_up(end, TF_LONG16_BYTES);
}
