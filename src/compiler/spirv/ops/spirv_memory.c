// SPDX-License-Identifier: MIT
// Loads, stores, copies, and addresses.
#include <string.h>

#include <llvm-c/Core.h>

#include "abi/enqueue_record.h"
#include "compiler/spirv/ops/spirv_handlers.h"
#include "compiler/spirv/ops/spirv_operands.h"
#include "compiler/spirv/read/spirv_built_ins.h"
#include "compiler/spirv/read/spirv_calls.h"
#include "compiler/spirv/read/spirv_enums.h"

enum { MOST_ALIGN = 1 << 28 };

struct access {
    bool is_volatile, nontemporal;
    uint32_t align; // 0: as the type
};

// Memory operands from word `*at` on, if there are any.
static struct access take_access(struct tf_spv *r, uint32_t *at)
{
    struct access access = {0};

    if (!tf_spv_has_word(r, *at))
        return access;
    const uint32_t mask = tf_spv_word(r, (*at)++);
    tf_spv_need(
        r,
        !(mask &
          ~(uint32_t)(TF_SPV_ACCESS_MASK_VOLATILE | TF_SPV_ACCESS_MASK_ALIGNED |
                      TF_SPV_ACCESS_MASK_NONTEMPORAL | TF_SPV_ACCESS_MASK_ALIAS_SCOPE |
                      TF_SPV_ACCESS_MASK_NO_ALIAS)),
        "memory operands 0x%x are not supported", mask);
    access.is_volatile = mask & TF_SPV_ACCESS_MASK_VOLATILE;
    access.nontemporal = mask & TF_SPV_ACCESS_MASK_NONTEMPORAL;
    if (mask & TF_SPV_ACCESS_MASK_ALIGNED) {
        access.align = tf_spv_word(r, (*at)++);
        tf_spv_need(r,
                    access.align && !(access.align & (access.align - 1)) &&
                        access.align <= MOST_ALIGN,
                    "%u is no alignment", access.align);
    }
    *at += (mask & TF_SPV_ACCESS_MASK_ALIAS_SCOPE) != 0;
    *at += (mask & TF_SPV_ACCESS_MASK_NO_ALIAS) != 0;
    return access;
}

static void set_access(struct tf_spv *r, LLVMValueRef inst, const struct access *access)
{
    if (access->align)
        LLVMSetAlignment(inst, access->align);
    LLVMSetVolatile(inst, access->is_volatile);
    if (access->nontemporal) {
        LLVMMetadataRef one = LLVMValueAsMetadata(
            LLVMConstInt(LLVMInt32TypeInContext(r->context), 1, false));

        LLVMSetMetadata(
            inst, LLVMGetMDKindIDInContext(r->context, "nontemporal", 11),
            LLVMMetadataAsValue(r->context, LLVMMDNodeInContext2(r->context, &one, 1)));
    }
}

static bool is_untyped_at(struct tf_spv *r, uint32_t at)
{
    return tf_spv_type_of_value_at(r, at)->is_untyped;
}

// What the pointer in word `at` points to: a type with a size.
static const struct tf_spv_type *pointee_at(struct tf_spv *r, uint32_t at)
{
    const struct tf_spv_type *const type = tf_spv_type_of_value_at(r, at);

    tf_spv_need(r, type->kind == TF_SPV_POINTER && type->element && type->element->sized,
                "id %u is no pointer to something of a size", r->op.words[at]);
    return type->element;
}

// The same where an untyped pointer points to a `type`.
static const struct tf_spv_type *used_as(struct tf_spv *r, uint32_t at,
                                         const struct tf_spv_type *type)
{
    if (!is_untyped_at(r, at))
        return pointee_at(r, at);
    tf_spv_need(r, type->sized, "the type has no size");
    return type;
}

void tf_spv_op_load(struct tf_spv *r)
{
    const struct tf_spv_type *const type = used_as(r, 3, tf_spv_result_type(r));
    uint32_t at = 4;
    const struct access access = take_access(r, &at);

    tf_spv_need(r, type->llvm == tf_spv_result_type(r)->llvm,
                "the pointer is to another type");
    tf_spv_check_value(r, type);
    if (!r->ids[r->op.words[3]].is.value) {
        tf_spv_set_result(r, tf_spv_built_in_value(r, r->op.words[3]));
        return;
    }
    const LLVMValueRef load =
        LLVMBuildLoad2(r->builder, type->llvm, tf_spv_value_at(r, 3), "");
    set_access(r, load, &access);
    tf_spv_set_result(r, load);
}

void tf_spv_op_store(struct tf_spv *r)
{
    const struct tf_spv_type *const type = used_as(r, 1, tf_spv_type_of_value_at(r, 2));
    uint32_t at = 3;
    const struct access access = take_access(r, &at);

    tf_spv_check_value(r, type);
    set_access(r,
               LLVMBuildStore(r->builder, tf_spv_value_of(r, 2, type->llvm),
                              tf_spv_value_at(r, 1)),
               &access);
}

// What is copied: the bytes that one of both pointers points to, or that are said.
static LLVMValueRef copied_bytes(struct tf_spv *r, bool sized)
{
    const LLVMTypeRef i64 = LLVMInt64TypeInContext(r->context);

    if (sized) {
        tf_spv_need(r,
                    tf_spv_is_pointer(tf_spv_type_of_value_at(r, 1)) &&
                        tf_spv_is_pointer(tf_spv_type_of_value_at(r, 2)),
                    "the operands are no pointers");
        tf_spv_need(r, tf_spv_type_of_value_at(r, 3)->kind == TF_SPV_INT,
                    "the size is no integer");
        return LLVMBuildIntCast2(r->builder, tf_spv_value_at(r, 3), i64, false, "");
    }
    const struct tf_spv_type *const type = pointee_at(r, is_untyped_at(r, 1) ? 2 : 1);
    tf_spv_need(r, type->llvm == used_as(r, 2, type)->llvm,
                "the pointers are to different types");
    return LLVMConstInt(i64, type->bytes, false);
}

void tf_spv_op_copy_memory(struct tf_spv *r)
{
    const bool sized = r->op.opcode == TF_SPV_OP_CopyMemorySized;
    uint32_t at = sized ? 4 : 3;
    const struct access access = take_access(r, &at);
    const struct access source = tf_spv_has_word(r, at) ? take_access(r, &at) : access;
    const LLVMValueRef bytes = copied_bytes(r, sized);
    // Both may overlap: the specification does not say that they may not.
    const LLVMValueRef copy = LLVMBuildMemMove(
        r->builder, tf_spv_value_at(r, 1), access.align ? access.align : 1,
        tf_spv_value_at(r, 2), source.align ? source.align : 1, bytes);
    // Its last argument.
    LLVMSetOperand(copy, 3,
                   LLVMConstInt(LLVMInt1TypeInContext(r->context),
                                access.is_volatile || source.is_volatile, false));
}

// Steps from the address of a `type` to that of a member; the type of that.
struct chain {
    const struct tf_spv_type *type; // of what `address` points to
    LLVMValueRef address;
    bool inbounds;
};

static void add_offset(struct tf_spv *r, struct chain *chain, LLVMTypeRef type,
                       LLVMValueRef index)
{
    chain->address =
        chain->inbounds
            ? LLVMBuildInBoundsGEP2(r->builder, type, chain->address, &index, 1, "")
            : LLVMBuildGEP2(r->builder, type, chain->address, &index, 1, "");
}

static LLVMValueRef index_at(struct tf_spv *r, uint32_t at)
{
    tf_spv_need(r, tf_spv_type_of_value_at(r, at)->kind == TF_SPV_INT,
                "id %u is no integer", r->op.words[at]);
    return tf_spv_value_at(r, at);
}

static void step_into(struct tf_spv *r, struct chain *chain, uint32_t at)
{
    const struct tf_spv_type *const type = chain->type;
    const LLVMTypeRef i32 = LLVMInt32TypeInContext(r->context);

    if (type->kind == TF_SPV_STRUCT) {
        const uint64_t member = tf_spv_constant_at(r, at);
        LLVMValueRef indices[2] = {LLVMConstInt(i32, 0, false),
                                   LLVMConstInt(i32, member, false)};

        tf_spv_need(r, member < type->member_count, "the struct has no member %llu",
                    (unsigned long long)member);
        chain->address =
            chain->inbounds
                ? LLVMBuildInBoundsGEP2(r->builder, type->llvm, chain->address, indices,
                                        2, "")
                : LLVMBuildGEP2(r->builder, type->llvm, chain->address, indices, 2, "");
        chain->type = type->members[member];
        return;
    }
    tf_spv_need(r,
                type->kind == TF_SPV_ARRAY ||
                    (type->kind == TF_SPV_VECTOR && type->element->kind != TF_SPV_BOOL),
                "the type has no members that have addresses");
    add_offset(r, chain, type->element->llvm, index_at(r, at));
    chain->type = type->element;
}

// The place of the base, and what is stepped through from there. The address of a BuiltIn
// is made where it is asked for.
static struct chain start_chain(struct tf_spv *r, uint32_t at, bool untyped)
{
    struct chain chain = {.type = untyped ? tf_spv_type_at(r, 3) : pointee_at(r, at)};

    tf_spv_need(r, tf_spv_is_pointer(tf_spv_type_of_value_at(r, at)),
                "the base is no pointer");
    tf_spv_need(r, chain.type->sized, "the base type has no size");
    chain.address = tf_spv_value_at(r, at);
    return chain;
}

void tf_spv_op_access_chain(struct tf_spv *r)
{
    const struct tf_spv_type *const result = tf_spv_result_type(r);
    const uint32_t op = r->op.opcode;
    const bool untyped = op >= TF_SPV_OP_UntypedAccessChainKHR;
    const bool element = op == TF_SPV_OP_PtrAccessChain ||
                         op == TF_SPV_OP_InBoundsPtrAccessChain ||
                         op == TF_SPV_OP_UntypedPtrAccessChainKHR ||
                         op == TF_SPV_OP_UntypedInBoundsPtrAccessChainKHR;
    uint32_t at = untyped ? 4 : 3;
    struct chain chain = start_chain(r, at, untyped);

    chain.inbounds = op == TF_SPV_OP_InBoundsAccessChain ||
                     op == TF_SPV_OP_InBoundsPtrAccessChain ||
                     op == TF_SPV_OP_UntypedInBoundsAccessChainKHR ||
                     op == TF_SPV_OP_UntypedInBoundsPtrAccessChainKHR;
    at++;
    if (element)
        add_offset(r, &chain, chain.type->llvm, index_at(r, at++));
    for (; at < r->op.count; at++)
        step_into(r, &chain, at);
    if (untyped)
        tf_spv_need(r, result->is_untyped && result->llvm == LLVMTypeOf(chain.address),
                    "the result is no untyped pointer to the base's storage class");
    else
        tf_spv_need(r,
                    result->kind == TF_SPV_POINTER && result->element &&
                        result->element->llvm == chain.type->llvm,
                    "the result is no pointer to what is reached");
    tf_spv_set_result(r, chain.address);
}

void tf_spv_op_ptr_compare(struct tf_spv *r)
{
    const struct tf_spv_type *const result = tf_spv_result_type(r);
    const LLVMTypeRef i64 = LLVMInt64TypeInContext(r->context);
    // Differences of untyped pointers are in bytes.
    const uint64_t each = is_untyped_at(r, 3) ? 1 : pointee_at(r, 3)->bytes;
    const LLVMValueRef a = tf_spv_value_at(r, 3);
    const LLVMValueRef b = tf_spv_value_of(r, 4, LLVMTypeOf(a));

    if (r->op.opcode != TF_SPV_OP_PtrDiff) {
        tf_spv_set_result(
            r, LLVMBuildICmp(r->builder,
                             r->op.opcode == TF_SPV_OP_PtrEqual ? LLVMIntEQ : LLVMIntNE,
                             a, b, ""));
        return;
    }
    tf_spv_need(r, result->kind == TF_SPV_INT && each,
                "differences are integers, of pointers to something of a size");
    const LLVMValueRef bytes =
        LLVMBuildSub(r->builder, LLVMBuildPtrToInt(r->builder, a, i64, ""),
                     LLVMBuildPtrToInt(r->builder, b, i64, ""), "");
    const LLVMValueRef count =
        LLVMBuildExactSDiv(r->builder, bytes, LLVMConstInt(i64, each, false), "");
    tf_spv_set_result(r, LLVMBuildIntCast2(r->builder, count, result->llvm, true, ""));
}

// What they say is of no use: memory that is not used is found without them.
void tf_spv_op_lifetime(struct tf_spv *r)
{
    if (!is_untyped_at(r, 1))
        (void)pointee_at(r, 1);
}

void tf_spv_op_untyped_prefetch(struct tf_spv *r)
{
    tf_spv_need(r,
                tf_spv_is_pointer(tf_spv_type_of_value_at(r, 1)) &&
                    tf_spv_type_of_value_at(r, 2)->kind == TF_SPV_INT,
                "operands of other types");
}

static bool is_pointer_to(const struct tf_spv_type *type, uint32_t storage)
{
    return type->kind == TF_SPV_POINTER && type->storage == storage;
}

// CLK_NULL_EVENT, as llvm-spirv writes it.
static bool is_null_event(const struct tf_spv_type *type, LLVMValueRef value)
{
    return type->kind == TF_SPV_DEVICE_EVENT && LLVMTypeOf(value) == type->llvm &&
           LLVMIsAConstantInt(value) && LLVMConstIntGetZExtValue(value) == TF_NO_EVENT;
}

void tf_spv_op_pointer_cast(struct tf_spv *r)
{
    const struct tf_spv_type *const result = tf_spv_result_type(r);
    const struct tf_spv_type *const type = tf_spv_type_of_value_at(r, 3);
    const LLVMValueRef value = tf_spv_value_at(r, 3);

    switch (r->op.opcode) {
    case TF_SPV_OP_ConvertPtrToU:
        tf_spv_need(r, type->kind == TF_SPV_POINTER && result->kind == TF_SPV_INT,
                    "it makes an integer of a pointer");
        tf_spv_set_result(r, LLVMBuildPtrToInt(r->builder, value, result->llvm, ""));
        break;
    case TF_SPV_OP_ConvertUToPtr:
        if (is_null_event(result, value)) {
            tf_spv_set_result(r, value);
            break;
        }
        tf_spv_need(r, type->kind == TF_SPV_INT && result->kind == TF_SPV_POINTER,
                    "it makes a pointer of an integer");
        tf_spv_set_result(r, LLVMBuildIntToPtr(r->builder, value, result->llvm, ""));
        break;
    default: {
        const bool to_generic = r->op.opcode == TF_SPV_OP_PtrCastToGeneric;
        const struct tf_spv_type *const generic = to_generic ? result : type;
        const struct tf_spv_type *const other = to_generic ? type : result;

        tf_spv_need(r,
                    is_pointer_to(generic, TF_SPV_STORAGE_GENERIC) &&
                        (is_pointer_to(other, TF_SPV_STORAGE_FUNCTION) ||
                         is_pointer_to(other, TF_SPV_STORAGE_WORKGROUP) ||
                         is_pointer_to(other, TF_SPV_STORAGE_CROSS_WORKGROUP)),
                    "the types are no generic pointer and another one");
        tf_spv_set_result(r, LLVMBuildAddrSpaceCast(r->builder, value, result->llvm, ""));
        break;
    }
    }
}

// As to_global() and its like: NULL where the pointer does not point there.
void tf_spv_op_generic_cast_explicit(struct tf_spv *r)
{
    const struct tf_spv_type *const result = tf_spv_result_type(r);
    const uint32_t storage = tf_spv_word(r, 4);
    const char *const name = storage == TF_SPV_STORAGE_CROSS_WORKGROUP ? "__to_global"
                             : storage == TF_SPV_STORAGE_WORKGROUP     ? "__to_local"
                             : storage == TF_SPV_STORAGE_FUNCTION      ? "__to_private"
                                                                       : NULL;

    tf_spv_need(r, name && is_pointer_to(result, storage),
                "the result is no pointer to storage class %u", storage);
    tf_spv_need(r, is_pointer_to(tf_spv_type_of_value_at(r, 3), TF_SPV_STORAGE_GENERIC),
                "the operand is no generic pointer");
    const LLVMValueRef value = tf_spv_value_at(r, 3);
    tf_spv_set_result(r, tf_spv_call_symbol(r, name, result->llvm, &value, 1));
}

// The flags of get_fence() are those of memory semantics, eight bits lower.
void tf_spv_op_generic_mem_semantics(struct tf_spv *r)
{
    const struct tf_spv_type *const result = tf_spv_result_type(r);
    const LLVMTypeRef i32 = LLVMInt32TypeInContext(r->context);
    const struct tf_spv_arg arg = {.value = tf_spv_value_at(r, 3), .mangled = "PU3AS4v"};

    tf_spv_need(r, is_pointer_to(tf_spv_type_of_value_at(r, 3), TF_SPV_STORAGE_GENERIC),
                "the operand is no generic pointer");
    tf_spv_need(r, result->llvm == i32, "the result is no integer of 32 bits");
    tf_spv_set_result(r,
                      LLVMBuildShl(r->builder, tf_spv_call(r, "get_fence", i32, &arg, 1),
                                   LLVMConstInt(i32, 8, false), ""));
}
