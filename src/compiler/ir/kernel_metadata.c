// SPDX-License-Identifier: MIT
#include "compiler/ir/kernel_metadata.h"

#include <string.h>

#include <llvm-c/Core.h>

#include "abi/check_record.h"
#include "base/alloc.h"

LLVMValueRef tf_metadata_of(LLVMValueRef kernel, const char *name)
{
    const LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(kernel));
    const unsigned wanted =
        LLVMGetMDKindIDInContext(context, name, (unsigned)strlen(name));
    LLVMValueRef found = NULL;
    size_t count;
    LLVMValueMetadataEntry *const entries = LLVMGlobalCopyAllMetadata(kernel, &count);

    for (unsigned i = 0; i < count; i++)
        if (LLVMValueMetadataEntriesGetKind(entries, i) == wanted)
            found = LLVMMetadataAsValue(context,
                                        LLVMValueMetadataEntriesGetMetadata(entries, i));
    LLVMDisposeValueMetadataEntries(entries);
    return found;
}

LLVMValueRef tf_metadata_operand(LLVMValueRef node, unsigned index)
{
    LLVMValueRef operand = NULL;

    if (!node || index >= (unsigned)LLVMGetMDNodeNumOperands(node))
        return NULL;
    LLVMValueRef *const list =
        tf_zalloc((size_t)LLVMGetMDNodeNumOperands(node) * sizeof *list);
    if (list) {
        LLVMGetMDNodeOperands(node, list);
        operand = list[index];
    }
    tf_free(list);
    return operand;
}

uint32_t tf_metadata_number(LLVMValueRef node, unsigned index)
{
    const LLVMValueRef value = tf_metadata_operand(node, index);

    return value && LLVMIsAConstantInt(value) ? (uint32_t)LLVMConstIntGetZExtValue(value)
                                              : 0;
}

char *tf_metadata_text(LLVMValueRef node, unsigned index)
{
    const LLVMValueRef value = tf_metadata_operand(node, index);
    unsigned bytes = 0;
    const char *const text = value ? LLVMGetMDString(value, &bytes) : NULL;
    char *const copy = tf_zalloc(bytes + 1);

    if (copy && text)
        memcpy(copy, text, bytes);
    return copy;
}

static bool base_type_is(LLVMValueRef kernel, unsigned index, const char *head,
                         const char *tail)
{
    const LLVMValueRef text =
        tf_metadata_operand(tf_metadata_of(kernel, "kernel_arg_base_type"), index);
    unsigned bytes = 0;
    const char *const type = text ? LLVMGetMDString(text, &bytes) : NULL;

    return type && bytes >= strlen(head) + strlen(tail) &&
           !memcmp(type, head, strlen(head)) &&
           !memcmp(type + bytes - strlen(tail), tail, strlen(tail));
}

bool tf_metadata_is_image(LLVMValueRef kernel, unsigned index)
{
    return base_type_is(kernel, index, "image", "_t");
}

bool tf_metadata_is_sampler(LLVMValueRef kernel, unsigned index)
{
    return base_type_is(kernel, index, "sampler_t", "");
}

bool tf_metadata_is_queue(LLVMValueRef kernel, unsigned index)
{
    return base_type_is(kernel, index, "queue_t", "");
}

// ---- Checks ----

#define CHECKS_METADATA "tf.checks"

void tf_check_modes_want(LLVMModuleRef module, unsigned modes)
{
    const LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMMetadataRef number =
        LLVMValueAsMetadata(LLVMConstInt(LLVMInt32TypeInContext(context), modes, false));

    LLVMAddNamedMetadataOperand(
        module, CHECKS_METADATA,
        LLVMMetadataAsValue(context, LLVMMDNodeInContext2(context, &number, 1)));
}

unsigned tf_check_modes_of(LLVMModuleRef module)
{
    enum { MOST = 64 };
    const unsigned count = LLVMGetNamedMetadataNumOperands(module, CHECKS_METADATA);
    LLVMValueRef nodes[MOST], number = NULL;
    unsigned modes = 0;

    if (count == 0 || count > MOST) // as many parts, all of one build
        return count ? TF_CHECK_ALL : 0;
    LLVMGetNamedMetadataOperands(module, CHECKS_METADATA, nodes);
    for (unsigned i = 0; i < count; i++) {
        if (LLVMGetMDNodeNumOperands(nodes[i]) != 1)
            continue;
        LLVMGetMDNodeOperands(nodes[i], &number);
        if (number && LLVMIsAConstantInt(number))
            modes |= (unsigned)LLVMConstIntGetZExtValue(number);
    }
    return modes & TF_CHECK_ALL;
}
