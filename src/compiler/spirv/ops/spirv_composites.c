// SPDX-License-Identifier: MIT
// Vectors, arrays and structs as values.
#include <llvm-c/Core.h>

#include "compiler/spirv/ops/spirv_handlers.h"
#include "compiler/spirv/ops/spirv_operands.h"

static LLVMValueRef number(const struct tf_spv *r, uint64_t n)
{
    return LLVMConstInt(LLVMInt32TypeInContext(r->context), n, false);
}

// The type of part `i` of a value.
static const struct tf_spv_type *part_type(struct tf_spv *r,
                                           const struct tf_spv_type *type, uint64_t i)
{
    uint64_t count = 0;

    if (type->kind == TF_SPV_STRUCT)
        count = type->member_count;
    else if (type->kind == TF_SPV_ARRAY || type->kind == TF_SPV_VECTOR)
        count = type->count;
    tf_spv_need(r, i < count, "index %llu is behind the %llu parts of the type",
                (unsigned long long)i, (unsigned long long)count);
    return type->kind == TF_SPV_STRUCT ? type->members[i] : type->element;
}

static LLVMValueRef extract(struct tf_spv *r, const struct tf_spv_type *type,
                            LLVMValueRef value, uint32_t i)
{
    return type->kind == TF_SPV_VECTOR
               ? LLVMBuildExtractElement(r->builder, value, number(r, i), "")
               : LLVMBuildExtractValue(r->builder, value, i, "");
}

static LLVMValueRef insert(struct tf_spv *r, const struct tf_spv_type *type,
                           LLVMValueRef value, LLVMValueRef part, uint32_t i)
{
    return type->kind == TF_SPV_VECTOR
               ? LLVMBuildInsertElement(r->builder, value, part, number(r, i), "")
               : LLVMBuildInsertValue(r->builder, value, part, i, "");
}

void tf_spv_op_composite_extract(struct tf_spv *r)
{
    const struct tf_spv_type *type = tf_spv_type_of_value_at(r, 3);
    LLVMValueRef value = tf_spv_value_at(r, 3);

    tf_spv_check_value(r, type);
    for (uint32_t at = 4; at < r->op.count; at++) {
        const uint32_t i = tf_spv_word(r, at);
        const struct tf_spv_type *const part = part_type(r, type, i);

        value = extract(r, type, value, i);
        type = part;
    }
    tf_spv_set_result(r, value);
}

void tf_spv_op_composite_insert(struct tf_spv *r)
{
    const struct tf_spv_type *const result = tf_spv_result_type(r);
    const uint32_t depth = r->op.count - 5;
    const struct tf_spv_type **const types =
        TF_SPV_NEW(r, const struct tf_spv_type *, depth + 1);
    LLVMValueRef *const values = TF_SPV_NEW(r, LLVMValueRef, depth + 1);

    tf_spv_check_value(r, result);
    types[0] = result;
    values[0] = tf_spv_value_of(r, 4, result->llvm);
    for (uint32_t i = 0; i < depth; i++) {
        const uint32_t index = tf_spv_word(r, 5 + i);

        types[i + 1] = part_type(r, types[i], index);
        if (i + 1 < depth)
            values[i + 1] = extract(r, types[i], values[i], index);
    }
    LLVMValueRef value = tf_spv_value_of(r, 3, types[depth]->llvm);
    for (uint32_t i = depth; i-- > 0;)
        value = insert(r, types[i], values[i], value, tf_spv_word(r, 5 + i));
    tf_spv_set_result(r, value);
}

// A vector is made of components and of vectors, one behind the other.
static LLVMValueRef construct_vector(struct tf_spv *r, const struct tf_spv_type *type)
{
    LLVMValueRef value = LLVMGetPoison(type->llvm);
    uint32_t filled = 0;

    for (uint32_t at = 3; at < r->op.count; at++) {
        const struct tf_spv_type *const part = tf_spv_type_of_value_at(r, at);
        const LLVMValueRef given = tf_spv_value_at(r, at);
        const uint32_t count = tf_spv_components(part);

        tf_spv_need(r, tf_spv_scalar(part)->llvm == type->element->llvm,
                    "id %u is not of the vector's components", r->op.words[at]);
        tf_spv_need(r, count <= type->count - filled,
                    "more components than the vector has");
        for (uint32_t i = 0; i < count; i++)
            value =
                insert(r, type, value,
                       part->kind == TF_SPV_VECTOR ? extract(r, part, given, i) : given,
                       filled++);
    }
    tf_spv_need(r, filled == type->count, "%u of %llu components are given", filled,
                (unsigned long long)type->count);
    return value;
}

void tf_spv_op_composite_construct(struct tf_spv *r)
{
    const struct tf_spv_type *const type = tf_spv_result_type(r);
    const uint32_t count = r->op.count - 3;
    LLVMValueRef value;

    tf_spv_check_value(r, type);
    if (type->kind == TF_SPV_VECTOR) {
        tf_spv_set_result(r, construct_vector(r, type));
        return;
    }
    tf_spv_need(r, type->kind == TF_SPV_STRUCT || type->kind == TF_SPV_ARRAY,
                "the type has no parts");
    tf_spv_need(r,
                count == (type->kind == TF_SPV_STRUCT ? type->member_count : type->count),
                "%u constituents are not as many as the type has", count);
    value = LLVMGetPoison(type->llvm);
    for (uint32_t i = 0; i < count; i++)
        value = insert(r, type, value,
                       tf_spv_value_of(r, 3 + i, part_type(r, type, i)->llvm), i);
    tf_spv_set_result(r, value);
}

static LLVMValueRef index_at(struct tf_spv *r, uint32_t at)
{
    tf_spv_need(r, tf_spv_type_of_value_at(r, at)->kind == TF_SPV_INT,
                "the index is no integer");
    return tf_spv_value_at(r, at);
}

void tf_spv_op_vector_extract_dynamic(struct tf_spv *r)
{
    tf_spv_need(r, tf_spv_type_of_value_at(r, 3)->kind == TF_SPV_VECTOR,
                "the operand is no vector");
    tf_spv_set_result(r, LLVMBuildExtractElement(r->builder, tf_spv_value_at(r, 3),
                                                 index_at(r, 4), ""));
}

void tf_spv_op_vector_insert_dynamic(struct tf_spv *r)
{
    const struct tf_spv_type *const type = tf_spv_result_type(r);

    tf_spv_need(r, type->kind == TF_SPV_VECTOR, "the result is no vector");
    tf_spv_set_result(
        r, LLVMBuildInsertElement(r->builder, tf_spv_value_of(r, 3, type->llvm),
                                  tf_spv_value_of(r, 4, type->element->llvm),
                                  index_at(r, 5), ""));
}

// The vector in word `at` with `width` components; those that it lacks are undefined.
static LLVMValueRef widened(struct tf_spv *r, uint32_t at, uint32_t width,
                            LLVMTypeRef element)
{
    const struct tf_spv_type *const type = tf_spv_type_of_value_at(r, at);
    const LLVMValueRef value = tf_spv_value_at(r, at);
    LLVMValueRef mask[16];

    if (type->element->llvm != element)
        return LLVMConstNull(LLVMVectorType(element, width));
    if (type->count == width)
        return value;
    for (uint32_t i = 0; i < width; i++)
        mask[i] = i < type->count ? number(r, i)
                                  : LLVMGetUndef(LLVMInt32TypeInContext(r->context));
    return LLVMBuildShuffleVector(r->builder, value, LLVMGetPoison(type->llvm),
                                  LLVMConstVector(mask, width), "");
}

// LLVM's back end gives a shuffle nothing, of another type, where it needs no second
// vector.
static bool is_nothing_at(struct tf_spv *r, uint32_t at)
{
    const LLVMValueRef value = tf_spv_value_at(r, at);

    return LLVMIsConstant(value) && (LLVMIsNull(value) || LLVMIsUndef(value));
}

void tf_spv_op_vector_shuffle(struct tf_spv *r)
{
    const struct tf_spv_type *const result = tf_spv_result_type(r);
    const struct tf_spv_type *const a = tf_spv_type_of_value_at(r, 3);
    const struct tf_spv_type *const b = tf_spv_type_of_value_at(r, 4);
    const uint32_t count = r->op.count - 5;
    LLVMValueRef mask[16];

    tf_spv_need(r,
                a->kind == TF_SPV_VECTOR && b->kind == TF_SPV_VECTOR &&
                    result->kind == TF_SPV_VECTOR,
                "the operands and the result are no vectors");
    tf_spv_need(r,
                (a->element->llvm == b->element->llvm || is_nothing_at(r, 4)) &&
                    a->element->llvm == result->element->llvm,
                "the vectors are of different components");
    tf_spv_need(r, count == result->count, "%u components for %llu of the result", count,
                (unsigned long long)result->count);
    const uint32_t width = (uint32_t)(a->count > b->count ? a->count : b->count);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t from = tf_spv_word(r, 5 + i);

        tf_spv_need(r, from == ~0u || from < a->count + b->count,
                    "component %u is behind the last one", from);
        mask[i] = from == ~0u       ? LLVMGetUndef(LLVMInt32TypeInContext(r->context))
                  : from < a->count ? number(r, from)
                                    : number(r, from - a->count + width);
    }
    tf_spv_set_result(r, LLVMBuildShuffleVector(r->builder,
                                                widened(r, 3, width, a->element->llvm),
                                                widened(r, 4, width, a->element->llvm),
                                                LLVMConstVector(mask, count), ""));
}

// Types that differ in name only: their parts are copied one by one. They are nested no
// deeper than types may be.
static LLVMValueRef copy_logical(struct tf_spv *r, const struct tf_spv_type *from,
                                 const struct tf_spv_type *to, LLVMValueRef value)
{
    LLVMValueRef copy;

    if (from->llvm == to->llvm)
        return value;
    tf_spv_need(r,
                from->kind == to->kind &&
                    (from->kind == TF_SPV_STRUCT || from->kind == TF_SPV_ARRAY),
                "the types differ in more than their names");
    const uint64_t count = from->kind == TF_SPV_STRUCT ? from->member_count : from->count;
    tf_spv_need(r, count == (to->kind == TF_SPV_STRUCT ? to->member_count : to->count),
                "the types have different numbers of parts");
    copy = LLVMGetPoison(to->llvm);
    for (uint32_t i = 0; i < count; i++)
        copy = insert(r, to, copy,
                      copy_logical(r, part_type(r, from, i), part_type(r, to, i),
                                   extract(r, from, value, i)),
                      i);
    return copy;
}

void tf_spv_op_copy_object(struct tf_spv *r)
{
    const struct tf_spv_type *const result = tf_spv_result_type(r);

    if (r->op.opcode == TF_SPV_OP_CopyObject) {
        tf_spv_set_result(r, tf_spv_value_of(r, 3, result->llvm));
        return;
    }
    tf_spv_check_value(r, result);
    tf_spv_set_result(
        r, copy_logical(r, tf_spv_type_of_value_at(r, 3), result, tf_spv_value_at(r, 3)));
}
