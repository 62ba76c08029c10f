// SPDX-License-Identifier: MIT
// Constants, with the values that the host gives to those that can be specialized.
#include <string.h>

#include <llvm-c/Core.h>

#include "compiler/spirv/ops/spirv_handlers.h"
#include "compiler/spirv/read/spirv_enums.h"

// An aggregate is handled as one value only up to so many scalars: LLVM takes it apart.
enum { MOST_CONSTANT_LEAVES = 1 << 20 };

// What the host says of the constant's SpecId; NULL: nothing.
static const struct tf_compiler_constant *given(const struct tf_spv *r)
{
    const struct tf_spv_decoration *const id =
        tf_spv_decoration(r, r->op.result, TF_SPV_DECORATION_SPEC_ID);

    for (size_t i = 0; id && i < r->in->constant_count; i++)
        if (r->in->constants[i].id == id->words[0])
            return &r->in->constants[i];
    return NULL;
}

void tf_spv_op_constant_bool(struct tf_spv *r)
{
    const struct tf_spv_type *const type = tf_spv_result_type(r);
    const bool spec = r->op.opcode == TF_SPV_OP_SpecConstantTrue ||
                      r->op.opcode == TF_SPV_OP_SpecConstantFalse;
    const struct tf_compiler_constant *const host = spec ? given(r) : NULL;
    bool value = r->op.opcode == TF_SPV_OP_ConstantTrue ||
                 r->op.opcode == TF_SPV_OP_SpecConstantTrue;

    tf_spv_need(r, type->kind == TF_SPV_BOOL, "the type is no boolean");
    if (host && host->bytes >= 1)
        value = *(const uint8_t *)host->value != 0;
    tf_spv_set_result(r, LLVMConstInt(type->llvm, value, false));
}

void tf_spv_op_constant(struct tf_spv *r)
{
    const struct tf_spv_type *const type = tf_spv_result_type(r);
    const struct tf_compiler_constant *const host =
        r->op.opcode == TF_SPV_OP_SpecConstant ? given(r) : NULL;
    uint64_t value = tf_spv_word(r, 3);

    tf_spv_need(r, type->kind == TF_SPV_INT || type->kind == TF_SPV_FLOAT,
                "the type is no number");
    if (type->bits > 32)
        value |= (uint64_t)tf_spv_word(r, 4) << 32;
    if (host) {
        value = 0;
        tf_spv_need(r, host->bytes == type->bits / 8 && tf_spv_is_plain(type),
                    "specialization constant %u has %u bytes, the host gave %u", host->id,
                    type->bits / 8, host->bytes);
        memcpy(&value, host->value, host->bytes);
    }
    const LLVMTypeRef integer = LLVMIntTypeInContext(r->context, type->bits);
    if (type->bits < 64)
        value &= ((uint64_t)1 << type->bits) - 1;
    const LLVMValueRef number = LLVMConstInt(integer, value, false);
    tf_spv_set_result(r, type->kind == TF_SPV_INT ? number
                                                  : LLVMConstBitCast(number, type->llvm));
}

static LLVMTypeRef member_llvm(const struct tf_spv_type *type, uint32_t i)
{
    return type->kind == TF_SPV_STRUCT ? type->members[i]->llvm : type->element->llvm;
}

void tf_spv_op_constant_composite(struct tf_spv *r)
{
    const struct tf_spv_type *const type = tf_spv_result_type(r);
    const uint32_t count = r->op.count - 3;
    LLVMValueRef *const parts = TF_SPV_NEW(r, LLVMValueRef, count);
    LLVMValueRef value;

    tf_spv_need(r,
                type->kind == TF_SPV_VECTOR || type->kind == TF_SPV_ARRAY ||
                    type->kind == TF_SPV_STRUCT,
                "the type has no members");
    tf_spv_need(r,
                count == (type->kind == TF_SPV_STRUCT ? type->member_count : type->count),
                "%u constituents are not as many as the type has", count);
    tf_spv_need(r, type->leaves <= MOST_CONSTANT_LEAVES, "the constant is too large");
    for (uint32_t i = 0; i < count; i++) {
        parts[i] = tf_spv_value_of(r, i + 3, member_llvm(type, i));
        tf_spv_need(r, LLVMIsConstant(parts[i]), "id %u is no constant",
                    r->op.words[i + 3]);
    }
    if (type->kind == TF_SPV_VECTOR)
        value = LLVMConstVector(parts, count);
    else if (type->kind == TF_SPV_ARRAY)
        value = LLVMConstArray2(type->element->llvm, parts, count);
    else
        value = LLVMConstNamedStruct(type->llvm, parts, count);
    tf_spv_set_result(r, value);
}

void tf_spv_op_constant_null(struct tf_spv *r)
{
    const struct tf_spv_type *const type = tf_spv_result_type(r);

    tf_spv_need(r, type->sized, "the type has no value");
    tf_spv_set_result(r, LLVMConstNull(type->llvm));
}

void tf_spv_op_undef(struct tf_spv *r)
{
    const struct tf_spv_type *const type = tf_spv_result_type(r);

    tf_spv_need(r, type->sized, "the type has no value");
    tf_spv_set_result(r, LLVMGetUndef(type->llvm));
}

// Encoded as Clang encodes the samplers of OpenCL C.
void tf_spv_op_constant_sampler(struct tf_spv *r)
{
    enum { NORMALIZED = 1, LINEAR = 0x20, NEAREST = 0x10, LAST_ADDRESSING = 4 };
    const uint32_t addressing = tf_spv_word(r, 3), normalized = tf_spv_word(r, 4);
    const uint32_t filter = tf_spv_word(r, 5);

    tf_spv_need(r, tf_spv_result_type(r)->kind == TF_SPV_SAMPLER,
                "the type is no sampler");
    tf_spv_need(r, addressing <= LAST_ADDRESSING && normalized <= 1 && filter <= 1,
                "no sampler is like this");
    tf_spv_set_result(r, LLVMConstInt(LLVMInt64TypeInContext(r->context),
                                      addressing * 2 | (normalized ? NORMALIZED : 0) |
                                          (filter ? LINEAR : NEAREST),
                                      false));
}

// The bytes that what a pointer points to takes in memory.
void tf_spv_op_size_of(struct tf_spv *r)
{
    const struct tf_spv_type *const result = tf_spv_result_type(r);
    const struct tf_spv_type *const type = tf_spv_type_of_value_at(r, 3);

    tf_spv_need(r, type->kind == TF_SPV_POINTER && type->element && type->element->sized,
                "id %u is no pointer to something of a size", r->op.words[3]);
    tf_spv_need(r, result->kind == TF_SPV_INT, "the result is no integer");
    tf_spv_set_result(r, LLVMConstInt(result->llvm, type->element->bytes, false));
}
