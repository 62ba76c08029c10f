// SPDX-License-Identifier: MIT
// Barriers and fences.
#include <llvm-c/Core.h>

#include "compiler/spirv/groups/spirv_group_handlers.h"
#include "compiler/spirv/groups/spirv_group_util.h"
#include "compiler/spirv/read/spirv_calls.h"
#include "compiler/spirv/read/spirv_enums.h"

// Of OpenCL C.
enum { FENCE_LOCAL = 1, FENCE_GLOBAL = 2, FENCE_IMAGE = 4 };
enum {
    ORDER_RELAXED = 0,
    ORDER_ACQUIRE = 2,
    ORDER_RELEASE,
    ORDER_ACQ_REL,
    ORDER_SEQ_CST
};
enum { SCOPE_ITEM, SCOPE_GROUP, SCOPE_DEVICE, SCOPE_ALL, SCOPE_SUB_GROUP };

// The strongest of a mask; of what is no constant all of it.
static uint64_t semantics_at(struct tf_spv *r, uint32_t at)
{
    const LLVMValueRef value = tf_spv_value_at(r, at);

    tf_spv_need(r, tf_spv_type_of_value_at(r, at)->kind == TF_SPV_INT,
                "memory semantics are no integer");
    return LLVMIsAConstantInt(value)
               ? LLVMConstIntGetZExtValue(value)
               : TF_SPV_SEMANTICS_SEQ_CST | TF_SPV_SEMANTICS_GROUP_MEMORY |
                     TF_SPV_SEMANTICS_GLOBAL_MEMORY | TF_SPV_SEMANTICS_IMAGE_MEMORY;
}

static unsigned flags_of(uint64_t semantics)
{
    return (semantics & TF_SPV_SEMANTICS_GROUP_MEMORY ? FENCE_LOCAL : 0u) |
           (semantics & TF_SPV_SEMANTICS_GLOBAL_MEMORY ? FENCE_GLOBAL : 0u) |
           (semantics & TF_SPV_SEMANTICS_IMAGE_MEMORY ? FENCE_IMAGE : 0u);
}

static unsigned order_of(uint64_t semantics)
{
    const bool acquire = semantics & TF_SPV_SEMANTICS_ACQUIRE;
    const bool release = semantics & TF_SPV_SEMANTICS_RELEASE;

    if (semantics & TF_SPV_SEMANTICS_SEQ_CST)
        return ORDER_SEQ_CST;
    if (semantics & TF_SPV_SEMANTICS_ACQ_REL || (acquire && release))
        return ORDER_ACQ_REL;
    return acquire ? ORDER_ACQUIRE : release ? ORDER_RELEASE : ORDER_RELAXED;
}

// The scope of OpenCL C; of what is no constant the widest.
static unsigned scope_at(struct tf_spv *r, uint32_t at)
{
    const LLVMValueRef value = tf_spv_value_at(r, at);

    tf_spv_need(r, tf_spv_type_of_value_at(r, at)->kind == TF_SPV_INT,
                "the scope is no integer");
    if (!LLVMIsAConstantInt(value))
        return SCOPE_ALL;
    switch (LLVMConstIntGetZExtValue(value)) {
    case TF_SPV_SCOPE_CROSS_DEVICE:
        return SCOPE_ALL;
    case TF_SPV_SCOPE_DEVICE:
        return SCOPE_DEVICE;
    case TF_SPV_SCOPE_WORKGROUP:
        return SCOPE_GROUP;
    case TF_SPV_SCOPE_SUBGROUP:
        return SCOPE_SUB_GROUP;
    case TF_SPV_SCOPE_INVOCATION:
        return SCOPE_ITEM;
    default:
        tf_spv_fail(r, "scope %llu is not one of OpenCL",
                    LLVMConstIntGetZExtValue(value));
    }
}

static struct tf_spv_arg number(struct tf_spv *r, unsigned value, const char *mangled)
{
    static const struct tf_spv_type type = {.kind = TF_SPV_INT, .bits = 32};

    return (struct tf_spv_arg){
        .value = LLVMConstInt(LLVMInt32TypeInContext(r->context), value, false),
        .type = &type,
        .is_unsigned = true,
        .mangled = mangled};
}

void tf_spv_op_control_barrier(struct tf_spv *r)
{
    const uint64_t execution = tf_spv_constant_at(r, 1);
    const unsigned flags = flags_of(semantics_at(r, 3));
    const struct tf_spv_arg args[] = {number(r, flags, NULL),
                                      number(r, scope_at(r, 2), "12memory_scope")};

    const bool is_device = execution == TF_SPV_SCOPE_DEVICE && r->device_barriers;

    tf_spv_need(r,
                is_device || execution == TF_SPV_SCOPE_WORKGROUP ||
                    execution == TF_SPV_SCOPE_SUBGROUP,
                "execution scope %llu is neither Workgroup nor Subgroup",
                (unsigned long long)execution);
    tf_spv_call(r,
                is_device                             ? "intel_device_barrier"
                : execution == TF_SPV_SCOPE_WORKGROUP ? "work_group_barrier"
                                                      : "sub_group_barrier",
                LLVMVoidTypeInContext(r->context), args, 2);
}

// SPV_INTEL_split_barrier: nobody is told of an arrival, and all wait at the second half.
// What was written before the first one is seen behind it all the more.
void tf_spv_op_barrier_arrive(struct tf_spv *r)
{
    const uint64_t execution = tf_spv_constant_at(r, 1);

    tf_spv_need(r,
                execution == TF_SPV_SCOPE_WORKGROUP || execution == TF_SPV_SCOPE_SUBGROUP,
                "execution scope %llu is neither Workgroup nor Subgroup",
                (unsigned long long)execution);
    (void)scope_at(r, 2);
    (void)semantics_at(r, 3);
}

void tf_spv_op_memory_barrier(struct tf_spv *r)
{
    const uint64_t semantics = semantics_at(r, 2);
    const struct tf_spv_arg args[] = {number(r, flags_of(semantics), NULL),
                                      number(r, order_of(semantics), "12memory_order"),
                                      number(r, scope_at(r, 1), "12memory_scope")};

    tf_spv_call(r, "atomic_work_item_fence", LLVMVoidTypeInContext(r->context), args, 3);
}

// ---- Named barriers: addresses in local memory ----

void tf_spv_op_named_barrier_make(struct tf_spv *r)
{
    const struct tf_spv_type *const type = tf_spv_result_type(r);
    const LLVMValueRef count = tf_spv_group_uint(r, 3).value;

    tf_spv_need(r, type->kind == TF_SPV_NAMED_BARRIER, "the result is no named barrier");
    tf_spv_set_result(
        r, tf_spv_call_symbol(r, "_Z18named_barrier_initj", type->llvm, &count, 1));
}

void tf_spv_op_named_barrier_wait(struct tf_spv *r)
{
    const LLVMTypeRef i32 = LLVMInt32TypeInContext(r->context);
    const LLVMValueRef args[] = {
        tf_spv_value_at(r, 1),
        LLVMConstInt(i32, flags_of(semantics_at(r, 3)), false),
        LLVMConstInt(i32, scope_at(r, 2), false),
    };

    tf_spv_need(r, tf_spv_type_of_value_at(r, 1)->kind == TF_SPV_NAMED_BARRIER,
                "operand is no named barrier");
    tf_spv_call_symbol(
        r, "_Z24work_group_named_barrierPU3AS318__tf_named_barrierj12memory_scope",
        LLVMVoidTypeInContext(r->context), args, 3);
}
