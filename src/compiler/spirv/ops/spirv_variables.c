// SPDX-License-Identifier: MIT
// Variables of functions and of the module.
#include <string.h>

#include <llvm-c/Core.h>

#include "compiler/spirv/ops/spirv_handlers.h"
#include "compiler/spirv/read/spirv_built_ins.h"
#include "compiler/spirv/read/spirv_enums.h"
#include "compiler/spirv/read/spirv_names.h"

#define MOST_PRIVATE_BYTES ((uint64_t)1 << 31)

static LLVMValueRef initializer(struct tf_spv *r, const struct tf_spv_type *type)
{
    const uint32_t at = r->op.opcode == TF_SPV_OP_UntypedVariableKHR ? 5 : 4;
    LLVMValueRef value;

    if (!tf_spv_has_word(r, at))
        return NULL;
    value = tf_spv_value_at(r, at);
    // LLVM's back end gives pointers the 0 of another type.
    if (LLVMIsConstant(value) && LLVMIsNull(value))
        return LLVMConstNull(type->llvm);
    tf_spv_need(r, LLVMIsConstant(value) && LLVMTypeOf(value) == type->llvm,
                "what it starts with is no constant of its type");
    return value;
}

static uint32_t alignment(const struct tf_spv *r)
{
    const struct tf_spv_decoration *const decoration =
        tf_spv_decoration(r, r->op.result, TF_SPV_DECORATION_ALIGNMENT);

    return decoration ? decoration->words[0] : 0;
}

// In the function's first block, where SPIR-V wants variables; llvm-spirv leaves some in
// others.
static LLVMValueRef add_alloca(struct tf_spv *r, LLVMTypeRef type)
{
    const LLVMBasicBlockRef here = LLVMGetInsertBlock(r->builder);
    const LLVMValueRef first = LLVMGetFirstInstruction(r->function->entry);

    if (here != r->function->entry && first)
        LLVMPositionBuilderBefore(r->builder, first);
    const LLVMValueRef memory = LLVMBuildAlloca(r->builder, type, "");
    LLVMPositionBuilderAtEnd(r->builder, here);
    return memory;
}

static void add_local(struct tf_spv *r, const struct tf_spv_type *type)
{
    tf_spv_need(r, type->bytes <= MOST_PRIVATE_BYTES, "%llu bytes are too large",
                (unsigned long long)type->bytes);
    const LLVMValueRef value = initializer(r, type);
    const LLVMValueRef memory = add_alloca(r, type->llvm);
    if (alignment(r))
        LLVMSetAlignment(memory, alignment(r));
    if (value)
        LLVMBuildStore(r->builder, value, memory);
    tf_spv_set_result(r, memory);
}

// As with Clang: local memory starts with anything, the rest with zeros.
static void add_global(struct tf_spv *r, const struct tf_spv_type *type, unsigned space,
                       bool constant)
{
    const struct tf_spv_symbol symbol = tf_spv_symbol(r, r->op.result);
    LLVMValueRef value = initializer(r, type);

    if (symbol.linkage != LLVMInternalLinkage)
        tf_spv_need(r,
                    !LLVMGetNamedGlobal(r->module, symbol.name) &&
                        !LLVMGetNamedFunction(r->module, symbol.name),
                    "'%s' is there twice", symbol.name);
    const LLVMValueRef global =
        LLVMAddGlobalInAddressSpace(r->module, type->llvm, symbol.name, space);
    LLVMSetLinkage(global, symbol.linkage);
    LLVMSetGlobalConstant(global, constant);
    LLVMSetAlignment(global, alignment(r)
                                 ? alignment(r)
                                 : LLVMABIAlignmentOfType(r->layout, type->llvm));
    if (!value)
        value = space == 3 ? LLVMGetUndef(type->llvm) : LLVMConstNull(type->llvm);
    if (!symbol.imported)
        LLVMSetInitializer(global, value);
    tf_spv_set_result(r, global);
}

// A built-in has no value of its own in the table of ids.
static void add_built_in(struct tf_spv *r, struct tf_spv_type *pointer, uint32_t built_in)
{
    struct tf_spv_id *const id = tf_spv_id(r, r->op.result);

    tf_spv_need(r, tf_spv_built_in_ok(built_in, pointer->element),
                "BuiltIn %u of this type is not supported", built_in);
    // Of UniformConstant in modules of Khronos' first translators, which load all of it.
    tf_spv_need(r,
                pointer->storage == TF_SPV_STORAGE_INPUT ||
                    pointer->storage == TF_SPV_STORAGE_UNIFORM_CONSTANT,
                "a BuiltIn is of storage class Input or UniformConstant");
    id->kind = TF_SPV_ID_VALUE;
    id->type = pointer;
}

// Of an untyped variable, the type of a pointer to what it holds.
static struct tf_spv_type *pointer_type(struct tf_spv *r)
{
    struct tf_spv_type *const type = r->ids[r->op.type].type;
    struct tf_spv_type *typed;

    if (r->op.opcode != TF_SPV_OP_UntypedVariableKHR)
        return type;
    tf_spv_need(r, type->is_untyped, "the type is no untyped pointer");
    tf_spv_need(r, tf_spv_has_word(r, 4), "variables without a data type are not known");
    typed = TF_SPV_NEW(r, struct tf_spv_type, 1);
    *typed = *type;
    typed->element = tf_spv_type_at(r, 4);
    typed->is_untyped = false;
    return typed;
}

void tf_spv_op_variable(struct tf_spv *r)
{
    struct tf_spv_type *const pointer = pointer_type(r);
    const struct tf_spv_type *const type = pointer->element;
    const uint32_t storage = tf_spv_word(r, 3);
    const struct tf_spv_decoration *const built_in =
        tf_spv_decoration(r, r->op.result, TF_SPV_DECORATION_BUILT_IN);

    tf_spv_need(r, pointer->kind == TF_SPV_POINTER && pointer->storage == storage,
                "the type is no pointer to storage class %u", storage);
    tf_spv_need(r, type && type->sized, "what it points to has no size");
    tf_spv_need(r, (storage == TF_SPV_STORAGE_FUNCTION) == (r->function != NULL),
                "storage class %u is not for variables here", storage);
    if (built_in)
        add_built_in(r, pointer, built_in->words[0]);
    else if (storage == TF_SPV_STORAGE_FUNCTION)
        add_local(r, type);
    else if (storage == TF_SPV_STORAGE_CROSS_WORKGROUP)
        add_global(r, type, 1,
                   tf_spv_decoration(r, r->op.result, TF_SPV_DECORATION_CONSTANT));
    else if (storage == TF_SPV_STORAGE_UNIFORM_CONSTANT)
        add_global(r, type, 2, true);
    else if (storage == TF_SPV_STORAGE_WORKGROUP)
        add_global(r, type, 3, false);
    else
        tf_spv_fail(r, "variables of storage class %u are not supported", storage);
}
