// SPDX-License-Identifier: MIT
#include "compiler/workgroup/analysis/access.h"

#include <stddef.h>

#include "compiler/ir/ir_util.h"
#include "compiler/workgroup/kernel/wg.h"

// Most types are these; for others the layout looks into its tables.
static uint64_t usual_bytes(LLVMTypeRef type)
{
    unsigned bits;

    switch ((int)LLVMGetTypeKind(type)) {
    case LLVMHalfTypeKind:
        return 2;
    case LLVMFloatTypeKind:
        return 4;
    case LLVMDoubleTypeKind:
        return 8;
    case LLVMIntegerTypeKind:
        bits = LLVMGetIntTypeWidth(type);
        return bits == 8 || bits == 16 || bits == 32 || bits == 64 ? bits / 8 : 0;
    default:
        return 0;
    }
}

uint64_t tf_size_bytes(LLVMTargetDataRef layout, LLVMTypeRef type)
{
    const uint64_t usual = usual_bytes(type);

    switch ((int)LLVMGetTypeKind(type)) {
    case LLVMVoidTypeKind:
    case LLVMLabelTypeKind:
    case LLVMMetadataTypeKind:
    case LLVMTokenTypeKind:
        return 0;
    default:
        return usual ? usual : LLVMABISizeOfType(layout, type);
    }
}

bool tf_has_plain_bytes(LLVMTargetDataRef layout, LLVMTypeRef type)
{
    const bool is_vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;

    if (usual_bytes(type))
        return true;
    if (is_vector ? !tf_has_plain_bytes(layout, LLVMGetElementType(type))
                  : !tf_ir_is_scalar(type))
        return false;
    return LLVMSizeOfTypeInBits(layout, type) == 8 * LLVMABISizeOfType(layout, type);
}

struct tf_access tf_access_of(LLVMTargetDataRef layout, LLVMValueRef instruction)
{
    const bool is_store = LLVMIsAStoreInst(instruction) != NULL;
    const LLVMTypeRef type =
        LLVMTypeOf(is_store ? LLVMGetOperand(instruction, 0) : instruction);
    const bool is_vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
    struct tf_access a = {
        .instruction = instruction,
        .pointer = LLVMGetOperand(instruction, is_store ? 1 : 0),
        .type = type,
        .element = is_vector ? LLVMGetElementType(type) : type,
        .count = is_vector ? LLVMGetVectorSize(type) : 1,
        .align_bytes = LLVMGetAlignment(instruction),
    };

    if (tf_has_plain_bytes(layout, a.element))
        a.element_bytes = tf_size_bytes(layout, a.element);
    return a;
}

struct tf_access tf_access_in_words(const struct tf_access *a)
{
    const uint64_t bytes = tf_access_bytes(a);
    const uint64_t best = bytes % 8 == 0 ? 8 : bytes % 4 == 0 ? 4 : 0;
    struct tf_access e = *a;

    if (a->count == 1)
        return e;
    if (best > a->element_bytes && LLVMGetTypeKind(a->element) != LLVMPointerTypeKind) {
        e.element = LLVMIntTypeInContext(LLVMGetTypeContext(a->type), 8 * (unsigned)best);
        e.element_bytes = best;
        e.count = (unsigned)(bytes / best);
        e.type = e.count == 1 ? e.element : LLVMVectorType(e.element, e.count);
    }
    if (e.count > 1 && e.align_bytes > e.element_bytes)
        e.align_bytes = (unsigned)e.element_bytes;
    return e;
}

uint64_t tf_access_bytes(const struct tf_access *a)
{
    return a->count * a->element_bytes;
}

bool tf_access_is_local(const struct tf_access *a)
{
    return LLVMGetPointerAddressSpace(LLVMTypeOf(a->pointer)) == TF_AS_LOCAL;
}

bool tf_access_is_of_buffer(LLVMValueRef instruction)
{
    const LLVMValueRef pointer =
        LLVMGetOperand(instruction, LLVMIsAStoreInst(instruction) ? 1 : 0);
    const unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(pointer));

    return space == TF_AS_GLOBAL || space == TF_AS_CONSTANT;
}

bool tf_access_is_ordered(LLVMValueRef instruction)
{
    return !tf_ir_is_ordinary(instruction);
}
