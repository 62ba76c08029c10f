// SPDX-License-Identifier: MIT
#include "compiler/spirv/read/spirv_reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <llvm-c/Core.h>

#include "compiler/spirv/read/spirv_built_ins.h"

void tf_spv_fail(struct tf_spv *r, const char *fmt, ...)
{
    char text[400];
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    tf_str_printf(r->log, "error: SPIR-V word %u: %s%s%s%s\n", r->op.offset,
                  r->op.name ? "Op" : "", r->op.name ? r->op.name : "",
                  r->op.name ? ": " : "", text);
    r->status = TF_COMPILER_BAD_SOURCE;
    longjmp(r->leave, 1);
}

void tf_spv_out_of_memory(struct tf_spv *r)
{
    r->status = TF_COMPILER_NO_MEMORY;
    longjmp(r->leave, 1);
}

bool tf_spv_has_word(const struct tf_spv *r, uint32_t at)
{
    return at < r->op.count;
}

uint32_t tf_spv_word(struct tf_spv *r, uint32_t at)
{
    tf_spv_need(r, at < r->op.count, "%u words are too few", r->op.count);
    return r->op.words[at];
}

const char *tf_spv_text(struct tf_spv *r, uint32_t at, uint32_t *next)
{
    const uint32_t *const words = r->op.words;
    uint32_t end = at;
    char *text;

    // The string's last word is the first one that has a byte of 0.
    for (;; end++) {
        tf_spv_need(r, end < r->op.count, "a string is not ended");
        if (((words[end] - 0x01010101u) & ~words[end] & 0x80808080u) != 0)
            break;
    }
    text = TF_SPV_NEW(r, char, (end - at + 1) * sizeof *words);
    for (uint32_t i = 0; i < (end - at + 1) * 4; i++)
        text[i] = (char)(words[at + i / 4] >> i % 4 * 8);
    if (next)
        *next = end + 1;
    return text;
}

const char *tf_spv_format(struct tf_spv *r, const char *fmt, ...)
{
    va_list args, again;

    va_start(args, fmt);
    va_copy(again, args);
    const int bytes = vsnprintf(NULL, 0, fmt, args);
    char *const text = TF_SPV_NEW(r, char, (size_t)(bytes > 0 ? bytes : 0) + 1);
    vsnprintf(text, (size_t)(bytes > 0 ? bytes : 0) + 1, fmt, again);
    va_end(again);
    va_end(args);
    return text;
}

struct tf_spv_id *tf_spv_id(struct tf_spv *r, uint32_t id)
{
    tf_spv_need(r, id && id < r->bound, "id %u is not between 0 and the bound %u", id,
                r->bound);
    return &r->ids[id];
}

struct tf_spv_id *tf_spv_id_at(struct tf_spv *r, uint32_t at)
{
    return tf_spv_id(r, tf_spv_word(r, at));
}

const struct tf_spv_type *tf_spv_type_at(struct tf_spv *r, uint32_t at)
{
    const struct tf_spv_id *const id = tf_spv_id_at(r, at);

    tf_spv_need(r, id->kind == TF_SPV_ID_TYPE, "id %u is no type", r->op.words[at]);
    return id->type;
}

static const struct tf_spv_id *defined_at(struct tf_spv *r, uint32_t at)
{
    const struct tf_spv_id *const id = tf_spv_id_at(r, at);

    tf_spv_need(r, id->kind == TF_SPV_ID_VALUE, "id %u is no value that is defined here",
                r->op.words[at]);
    tf_spv_need(r,
                !r->function || id->word <= r->last_global ||
                    (id->word > r->function->start && id->word < r->function->end),
                "id %u is a value of another function", r->op.words[at]);
    return id;
}

LLVMValueRef tf_spv_value_at(struct tf_spv *r, uint32_t at)
{
    const struct tf_spv_id *const id = defined_at(r, at);

    // A variable that stands for a built-in has no memory; a function gets some at need.
    return id->is.value ? id->is.value : tf_spv_built_in_memory(r, r->op.words[at]);
}

const struct tf_spv_type *tf_spv_type_of_value_at(struct tf_spv *r, uint32_t at)
{
    return defined_at(r, at)->type;
}

LLVMValueRef tf_spv_value_of(struct tf_spv *r, uint32_t at, LLVMTypeRef type)
{
    const LLVMValueRef value = tf_spv_value_at(r, at);

    tf_spv_need(r, LLVMTypeOf(value) == type, "id %u has another type than it must have",
                r->op.words[at]);
    return value;
}

uint64_t tf_spv_constant_at(struct tf_spv *r, uint32_t at)
{
    const LLVMValueRef value = tf_spv_value_at(r, at);

    tf_spv_need(r,
                LLVMIsAConstantInt(value) && LLVMGetIntTypeWidth(LLVMTypeOf(value)) <= 64,
                "id %u is no integer constant", r->op.words[at]);
    return LLVMConstIntGetZExtValue(value);
}

struct tf_spv_block *tf_spv_block_at(struct tf_spv *r, uint32_t at)
{
    const struct tf_spv_id *const id = tf_spv_id_at(r, at);

    tf_spv_need(r,
                id->kind == TF_SPV_ID_LABEL && id->is.block->function == r->function->id,
                "id %u is no block of this function", r->op.words[at]);
    return id->is.block;
}

const struct tf_spv_type *tf_spv_result_type(struct tf_spv *r)
{
    const struct tf_spv_id *const id = tf_spv_id(r, r->op.type);

    tf_spv_need(r, id->kind == TF_SPV_ID_TYPE, "id %u is no type", r->op.type);
    return id->type;
}

void tf_spv_set_result(struct tf_spv *r, LLVMValueRef value)
{
    struct tf_spv_id *const id = tf_spv_id(r, r->op.result);
    struct tf_spv_type *const type = tf_spv_id(r, r->op.type)->type;

    tf_spv_need(r, LLVMTypeOf(value) == type->llvm, "the result is not of its type");
    tf_spv_need(r, id->kind == TF_SPV_ID_NONE, "id %u is defined already", r->op.result);
    if (type->kind == TF_SPV_VOID)
        return;
    id->kind = TF_SPV_ID_VALUE;
    id->type = type;
    id->is.value = value;
}

const struct tf_spv_type *tf_spv_scalar(const struct tf_spv_type *type)
{
    return type->kind == TF_SPV_VECTOR ? type->element : type;
}

uint32_t tf_spv_components(const struct tf_spv_type *type)
{
    return type->kind == TF_SPV_VECTOR ? (uint32_t)type->count : 1;
}

bool tf_spv_is_int(const struct tf_spv_type *type)
{
    return tf_spv_scalar(type)->kind == TF_SPV_INT;
}

bool tf_spv_is_float(const struct tf_spv_type *type)
{
    return tf_spv_scalar(type)->kind == TF_SPV_FLOAT;
}

bool tf_spv_is_bool(const struct tf_spv_type *type)
{
    return tf_spv_scalar(type)->kind == TF_SPV_BOOL;
}

bool tf_spv_is_plain(const struct tf_spv_type *type)
{
    const uint32_t bits = tf_spv_scalar(type)->bits;

    return !tf_spv_is_int(type) || (bits >= 8 && !(bits & (bits - 1)));
}

bool tf_spv_is_pointer(const struct tf_spv_type *type)
{
    return type->kind == TF_SPV_POINTER;
}

const struct tf_spv_type *tf_spv_pointer_to(struct tf_spv *r,
                                            const struct tf_spv_type *pointer,
                                            const struct tf_spv_type *element)
{
    struct tf_spv_type *type;

    if (!tf_spv_is_pointer(pointer) || !pointer->is_untyped)
        return pointer;
    type = TF_SPV_NEW(r, struct tf_spv_type, 1);
    *type = *pointer;
    type->element = element;
    type->is_untyped = false;
    return type;
}

bool tf_spv_same_shape(const struct tf_spv_type *a, const struct tf_spv_type *b)
{
    return a->kind == TF_SPV_VECTOR ? b->kind == TF_SPV_VECTOR && a->count == b->count
                                    : b->kind != TF_SPV_VECTOR;
}

const struct tf_spv_decoration *tf_spv_decoration(const struct tf_spv *r, uint32_t id,
                                                  uint32_t kind)
{
    const struct tf_spv_decoration *at = r->ids[id].decorations;

    while (at && (at->kind != kind || at->member != TF_SPV_NO_MEMBER))
        at = at->next;
    return at;
}
