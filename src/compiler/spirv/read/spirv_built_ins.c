// SPDX-License-Identifier: MIT
#include "compiler/spirv/read/spirv_built_ins.h"

#include <string.h>

#include <llvm-c/Core.h>

#include "compiler/ir/ir_util.h"
#include "compiler/spirv/read/spirv_calls.h"
#include "compiler/spirv/read/spirv_enums.h"

// By dimension or not, and the bits of what the function returns.
static const struct built_in {
    uint32_t number;
    const char *function;
    uint32_t bits;
    uint32_t components; // 1, 3: called for each dimension; 4: a mask of 128 bits
} built_ins[] = {
    {TF_SPV_BUILTIN_NUM_WORKGROUPS, "get_num_groups", 64, 3},
    {TF_SPV_BUILTIN_WORKGROUP_SIZE, "get_local_size", 64, 3},
    {TF_SPV_BUILTIN_WORKGROUP_ID, "get_group_id", 64, 3},
    {TF_SPV_BUILTIN_LOCAL_INVOCATION_ID, "get_local_id", 64, 3},
    {TF_SPV_BUILTIN_GLOBAL_INVOCATION_ID, "get_global_id", 64, 3},
    {TF_SPV_BUILTIN_LOCAL_INVOCATION_INDEX, "get_local_linear_id", 64, 1},
    {TF_SPV_BUILTIN_WORK_DIM, "get_work_dim", 32, 1},
    {TF_SPV_BUILTIN_GLOBAL_SIZE, "get_global_size", 64, 3},
    {TF_SPV_BUILTIN_ENQUEUED_WORKGROUP_SIZE, "get_enqueued_local_size", 64, 3},
    {TF_SPV_BUILTIN_GLOBAL_OFFSET, "get_global_offset", 64, 3},
    {TF_SPV_BUILTIN_GLOBAL_LINEAR_ID, "get_global_linear_id", 64, 1},
    {TF_SPV_BUILTIN_SUBGROUP_SIZE, "get_sub_group_size", 32, 1},
    {TF_SPV_BUILTIN_SUBGROUP_MAX_SIZE, "get_max_sub_group_size", 32, 1},
    {TF_SPV_BUILTIN_NUM_SUBGROUPS, "get_num_sub_groups", 32, 1},
    {TF_SPV_BUILTIN_NUM_ENQUEUED_SUBGROUPS, "get_enqueued_num_sub_groups", 32, 1},
    {TF_SPV_BUILTIN_SUBGROUP_ID, "get_sub_group_id", 32, 1},
    {TF_SPV_BUILTIN_SUBGROUP_LOCAL_INVOCATION_ID, "get_sub_group_local_id", 32, 1},
    {TF_SPV_BUILTIN_SUBGROUP_EQ_MASK, "get_sub_group_eq_mask", 32, 4},
    {TF_SPV_BUILTIN_SUBGROUP_GE_MASK, "get_sub_group_ge_mask", 32, 4},
    {TF_SPV_BUILTIN_SUBGROUP_GT_MASK, "get_sub_group_gt_mask", 32, 4},
    {TF_SPV_BUILTIN_SUBGROUP_LE_MASK, "get_sub_group_le_mask", 32, 4},
    {TF_SPV_BUILTIN_SUBGROUP_LT_MASK, "get_sub_group_lt_mask", 32, 4},
    {TF_SPV_BUILTIN_DEVICE_BARRIER_VALID, "intel_is_device_barrier_valid", 1, 1},
};

static const struct built_in *find(uint32_t number)
{
    for (size_t i = 0; i < sizeof built_ins / sizeof *built_ins; i++)
        if (built_ins[i].number == number)
            return &built_ins[i];
    return NULL;
}

bool tf_spv_built_in_ok(uint32_t number, const struct tf_spv_type *type)
{
    const struct built_in *const built_in = find(number);
    const struct tf_spv_type *const scalar = tf_spv_scalar(type);

    if (built_in && built_in->bits == 1)
        return type->kind == TF_SPV_BOOL;
    return built_in && scalar->kind == TF_SPV_INT &&
           (scalar->bits == 64 || scalar->bits == 32) &&
           tf_spv_components(type) == built_in->components &&
           (built_in->components != 4 || scalar->bits == 32);
}

// They say nothing of memory, and may be left out where nobody asks for the result.
static LLVMValueRef call(struct tf_spv *r, const struct built_in *built_in,
                         LLVMTypeRef result, const struct tf_spv_arg *args,
                         unsigned count)
{
    const LLVMValueRef value = tf_spv_call(r, built_in->function, result, args, count);
    const LLVMValueRef function = LLVMGetCalledValue(value);

    tf_ir_add_attribute(function, "memory");
    tf_ir_add_attribute(function, "willreturn");
    return value;
}

LLVMValueRef tf_spv_built_in_value(struct tf_spv *r, uint32_t id)
{
    static const struct tf_spv_type uint_type = {.kind = TF_SPV_INT, .bits = 32};
    const struct tf_spv_type *const type = r->ids[id].type->element;
    const struct tf_spv_decoration *const decoration =
        tf_spv_decoration(r, id, TF_SPV_DECORATION_BUILT_IN);
    const struct built_in *const built_in = find(decoration->words[0]);
    const LLVMTypeRef i32 = LLVMInt32TypeInContext(r->context);
    const LLVMTypeRef returned = LLVMIntTypeInContext(r->context, built_in->bits);
    const LLVMTypeRef element = tf_spv_scalar(type)->llvm;
    LLVMValueRef value;

    if (built_in->components == 1)
        return LLVMBuildIntCast2(r->builder, call(r, built_in, returned, NULL, 0),
                                 element, false, "");
    if (built_in->components == 4)
        return call(r, built_in, type->llvm, NULL, 0);
    value = LLVMGetPoison(type->llvm);
    for (unsigned i = 0; i < 3; i++) {
        const LLVMValueRef dimension = LLVMConstInt(i32, i, false);
        const struct tf_spv_arg arg = {
            .value = dimension, .type = &uint_type, .is_unsigned = true};

        value = LLVMBuildInsertElement(
            r->builder, value,
            LLVMBuildIntCast2(r->builder, call(r, built_in, returned, &arg, 1), element,
                              false, ""),
            dimension, "");
    }
    return value;
}

LLVMValueRef tf_spv_built_in_memory(struct tf_spv *r, uint32_t id)
{
    const struct tf_spv_type *const pointer = r->ids[id].type;

    tf_spv_need(r, r->function && pointer->storage == TF_SPV_STORAGE_INPUT,
                "variable %u stands for a built-in and has no address here", id);
    const LLVMBasicBlockRef here = LLVMGetInsertBlock(r->builder);
    const LLVMValueRef first = LLVMGetFirstInstruction(r->function->entry);
    if (first)
        LLVMPositionBuilderBefore(r->builder, first);
    else
        LLVMPositionBuilderAtEnd(r->builder, r->function->entry);
    const LLVMValueRef memory = LLVMBuildAlloca(r->builder, pointer->element->llvm, "");
    LLVMBuildStore(r->builder, tf_spv_built_in_value(r, id), memory);
    LLVMPositionBuilderAtEnd(r->builder, here);
    return memory;
}
