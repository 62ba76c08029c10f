// SPDX-License-Identifier: MIT
// SPV_INTEL_subgroups: shuffles, also of two values side by side, and blocks in buffers.
#include <llvm-c/Core.h>

#include "compiler/spirv/groups/spirv_group_handlers.h"
#include "compiler/spirv/groups/spirv_group_util.h"
#include "compiler/spirv/read/spirv_enums.h"

static LLVMTypeRef i32(const struct tf_spv *r)
{
    return LLVMInt32TypeInContext(r->context);
}

static LLVMValueRef number(const struct tf_spv *r, uint32_t value)
{
    return LLVMConstInt(i32(r), value, false);
}

static LLVMValueRef lane(struct tf_spv *r)
{
    return tf_spv_call(r, "get_sub_group_local_id", i32(r), NULL, 0);
}

static LLVMValueRef lanes(struct tf_spv *r)
{
    return tf_spv_call(r, "get_max_sub_group_size", i32(r), NULL, 0);
}

// The value that the work-item `from` has at word `at`, of the result's type.
static LLVMValueRef shuffle(struct tf_spv *r, uint32_t at, LLVMValueRef from)
{
    const struct tf_spv_type *const type = tf_spv_result_type(r);
    const struct tf_spv_arg whole = tf_spv_group_arg(r, at, false);
    const struct tf_spv_type *const scalar = tf_spv_scalar(type);
    static const struct tf_spv_type uint_type = {.kind = TF_SPV_INT, .bits = 32};
    struct tf_spv_arg args[] = {whole,
                                {.value = from, .type = &uint_type, .is_unsigned = true}};
    LLVMValueRef result = LLVMGetPoison(type->llvm);

    tf_spv_need(r, whole.type->llvm == type->llvm, "the result has another type");
    if (type->kind != TF_SPV_VECTOR)
        return tf_spv_call(r, "sub_group_shuffle", type->llvm, args, 2);
    args[0].type = scalar;
    for (uint32_t i = 0; i < tf_spv_components(type); i++) {
        args[0].value =
            LLVMBuildExtractElement(r->builder, whole.value, number(r, i), "");
        result = LLVMBuildInsertElement(
            r->builder, result,
            tf_spv_call(r, "sub_group_shuffle", scalar->llvm, args, 2), number(r, i), "");
    }
    return result;
}

void tf_spv_op_intel_shuffle(struct tf_spv *r)
{
    tf_spv_set_result(r, shuffle(r, 3, tf_spv_group_uint(r, 4).value));
}

void tf_spv_op_intel_shuffle_xor(struct tf_spv *r)
{
    tf_spv_set_result(
        r, shuffle(r, 3,
                   LLVMBuildXor(r->builder, lane(r), tf_spv_group_uint(r, 4).value, "")));
}

// Two values side by side, twice as many as there are work-items: `first` of the value at
// word 3, then those at word 4. The shuffle takes numbers modulo the work-items.
static void shuffle_pair(struct tf_spv *r, LLVMValueRef index)
{
    const LLVMValueRef in_first =
        LLVMBuildICmp(r->builder, LLVMIntULT, index, lanes(r), "");
    const LLVMValueRef first = shuffle(r, 3, index), second = shuffle(r, 4, index);

    tf_spv_set_result(r, LLVMBuildSelect(r->builder, in_first, first, second, ""));
}

void tf_spv_op_intel_shuffle_down(struct tf_spv *r)
{
    shuffle_pair(r, LLVMBuildAdd(r->builder, lane(r), tf_spv_group_uint(r, 5).value, ""));
}

void tf_spv_op_intel_shuffle_up(struct tf_spv *r)
{
    const LLVMValueRef last = LLVMBuildAdd(r->builder, lane(r), lanes(r), "");

    shuffle_pair(r, LLVMBuildSub(r->builder, last, tf_spv_group_uint(r, 5).value, ""));
}

// ---- Blocks ----

// The address of element `i` of this work-item: elements of all of them lie side by side.
static LLVMValueRef element_at(struct tf_spv *r, uint32_t at,
                               const struct tf_spv_type *scalar, uint32_t i)
{
    const struct tf_spv_type *const pointer =
        tf_spv_pointer_to(r, tf_spv_type_of_value_at(r, at), scalar);

    tf_spv_need(r,
                pointer->kind == TF_SPV_POINTER && pointer->element &&
                    pointer->element->llvm == scalar->llvm,
                "the pointer is one to another type");
    LLVMValueRef index = LLVMBuildAdd(
        r->builder, LLVMBuildMul(r->builder, lanes(r), number(r, i), ""), lane(r), "");
    index = LLVMBuildZExt(r->builder, index, LLVMInt64TypeInContext(r->context), "");
    return LLVMBuildInBoundsGEP2(r->builder, scalar->llvm, tf_spv_value_at(r, at), &index,
                                 1, "");
}

static const struct tf_spv_type *block_scalar(struct tf_spv *r,
                                              const struct tf_spv_type *type)
{
    tf_spv_need(r, tf_spv_is_int(type), "blocks are of integers");
    return tf_spv_scalar(type);
}

void tf_spv_op_intel_block_read(struct tf_spv *r)
{
    const struct tf_spv_type *const type = tf_spv_result_type(r);
    const struct tf_spv_type *const scalar = block_scalar(r, type);
    LLVMValueRef result = LLVMGetPoison(type->llvm);

    for (uint32_t i = 0; i < tf_spv_components(type); i++) {
        const LLVMValueRef one =
            LLVMBuildLoad2(r->builder, scalar->llvm, element_at(r, 3, scalar, i), "");

        result = type->kind == TF_SPV_VECTOR
                     ? LLVMBuildInsertElement(r->builder, result, one, number(r, i), "")
                     : one;
    }
    tf_spv_set_result(r, result);
}

void tf_spv_op_intel_block_write(struct tf_spv *r)
{
    const struct tf_spv_type *const type = tf_spv_type_of_value_at(r, 2);
    const struct tf_spv_type *const scalar = block_scalar(r, type);
    const LLVMValueRef value = tf_spv_value_at(r, 2);

    for (uint32_t i = 0; i < tf_spv_components(type); i++)
        LLVMBuildStore(r->builder,
                       type->kind == TF_SPV_VECTOR
                           ? LLVMBuildExtractElement(r->builder, value, number(r, i), "")
                           : value,
                       element_at(r, 1, scalar, i));
}
