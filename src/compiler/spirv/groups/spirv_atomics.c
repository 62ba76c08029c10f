// SPDX-License-Identifier: MIT
// Atomic operations become those of LLVM, as the built-ins library has them. All threads
// and the host see one memory, so the scope says nothing.
#include <llvm-c/Core.h>

#include "compiler/spirv/groups/spirv_group_handlers.h"
#include "compiler/spirv/read/spirv_enums.h"

enum { BITS_MIN = 8, BITS_MAX = 64 };

// The strongest of the orders that a mask of semantics names. What is no constant may be
// any: the strongest there is.
static LLVMAtomicOrdering order_at(struct tf_spv *r, uint32_t at)
{
    const LLVMValueRef value = tf_spv_value_at(r, at);
    uint64_t semantics;

    tf_spv_need(r, tf_spv_type_of_value_at(r, at)->kind == TF_SPV_INT,
                "memory semantics are no integer");
    if (!LLVMIsAConstantInt(value))
        return LLVMAtomicOrderingSequentiallyConsistent;
    semantics = LLVMConstIntGetZExtValue(value);
    if (semantics & TF_SPV_SEMANTICS_SEQ_CST)
        return LLVMAtomicOrderingSequentiallyConsistent;
    if (semantics & TF_SPV_SEMANTICS_ACQ_REL ||
        (semantics & TF_SPV_SEMANTICS_ACQUIRE && semantics & TF_SPV_SEMANTICS_RELEASE))
        return LLVMAtomicOrderingAcquireRelease;
    if (semantics & TF_SPV_SEMANTICS_ACQUIRE)
        return LLVMAtomicOrderingAcquire;
    if (semantics & TF_SPV_SEMANTICS_RELEASE)
        return LLVMAtomicOrderingRelease;
    return LLVMAtomicOrderingMonotonic;
}

// What a load or a store may have of it.
static LLVMAtomicOrdering half_of(LLVMAtomicOrdering order, LLVMAtomicOrdering half)
{
    if (order == LLVMAtomicOrderingSequentiallyConsistent ||
        order == LLVMAtomicOrderingMonotonic)
        return order;
    return order == LLVMAtomicOrderingAcquireRelease || order == half
               ? half
               : LLVMAtomicOrderingMonotonic;
}

static void check_scope(struct tf_spv *r, uint32_t at)
{
    tf_spv_need(r, tf_spv_type_of_value_at(r, at)->kind == TF_SPV_INT,
                "the scope is no integer");
}

// The pointer at `at`, to numbers of the type `type`.
static LLVMValueRef pointer_at(struct tf_spv *r, uint32_t at,
                               const struct tf_spv_type *type)
{
    const struct tf_spv_type *const pointer =
        tf_spv_pointer_to(r, tf_spv_type_of_value_at(r, at), type);

    tf_spv_need(r, pointer->kind == TF_SPV_POINTER && pointer->element,
                "operand is no pointer");
    tf_spv_need(r,
                (type->kind == TF_SPV_INT && tf_spv_is_plain(type)) ||
                    type->kind == TF_SPV_FLOAT,
                "atomic operations are on integers and floating-point numbers");
    tf_spv_need(r,
                pointer->element->llvm == type->llvm && type->bits >= BITS_MIN &&
                    type->bits <= BITS_MAX,
                "the pointer is one to another type");
    tf_spv_need(r, pointer->storage != TF_SPV_STORAGE_UNIFORM_CONSTANT,
                "constant memory has no atomic operations");
    check_scope(r, at + 1);
    return tf_spv_value_at(r, at);
}

static void finish_access(LLVMValueRef access, LLVMAtomicOrdering order,
                          const struct tf_spv_type *type)
{
    LLVMSetOrdering(access, order);
    LLVMSetAlignment(access, type->bits / 8);
    LLVMSetVolatile(access, true);
}

void tf_spv_op_atomic_load(struct tf_spv *r)
{
    const struct tf_spv_type *const type = tf_spv_result_type(r);
    const LLVMValueRef load =
        LLVMBuildLoad2(r->builder, type->llvm, pointer_at(r, 3, type), "");

    finish_access(load, half_of(order_at(r, 5), LLVMAtomicOrderingAcquire), type);
    tf_spv_set_result(r, load);
}

void tf_spv_op_atomic_store(struct tf_spv *r)
{
    const struct tf_spv_type *const type = tf_spv_type_of_value_at(r, 4);
    const LLVMValueRef store =
        LLVMBuildStore(r->builder, tf_spv_value_at(r, 4), pointer_at(r, 1, type));

    finish_access(store, half_of(order_at(r, 3), LLVMAtomicOrderingRelease), type);
}

static LLVMValueRef modify(struct tf_spv *r, LLVMAtomicRMWBinOp op, LLVMValueRef pointer,
                           LLVMValueRef value, LLVMAtomicOrdering order)
{
    const LLVMValueRef old =
        LLVMBuildAtomicRMW(r->builder, op, pointer, value, order, false);

    LLVMSetVolatile(old, true);
    return old;
}

static LLVMAtomicRMWBinOp operation(uint32_t opcode)
{
    switch (opcode) {
    case TF_SPV_OP_AtomicIIncrement:
    case TF_SPV_OP_AtomicIAdd:
        return LLVMAtomicRMWBinOpAdd;
    case TF_SPV_OP_AtomicIDecrement:
    case TF_SPV_OP_AtomicISub:
        return LLVMAtomicRMWBinOpSub;
    case TF_SPV_OP_AtomicSMin:
        return LLVMAtomicRMWBinOpMin;
    case TF_SPV_OP_AtomicUMin:
        return LLVMAtomicRMWBinOpUMin;
    case TF_SPV_OP_AtomicSMax:
        return LLVMAtomicRMWBinOpMax;
    case TF_SPV_OP_AtomicUMax:
        return LLVMAtomicRMWBinOpUMax;
    case TF_SPV_OP_AtomicAnd:
        return LLVMAtomicRMWBinOpAnd;
    case TF_SPV_OP_AtomicOr:
        return LLVMAtomicRMWBinOpOr;
    case TF_SPV_OP_AtomicXor:
        return LLVMAtomicRMWBinOpXor;
    case TF_SPV_OP_AtomicFAddEXT:
        return LLVMAtomicRMWBinOpFAdd;
    case TF_SPV_OP_AtomicFMinEXT:
        return LLVMAtomicRMWBinOpFMin;
    case TF_SPV_OP_AtomicFMaxEXT:
        return LLVMAtomicRMWBinOpFMax;
    default:
        return LLVMAtomicRMWBinOpXchg;
    }
}

void tf_spv_op_atomic_modify(struct tf_spv *r)
{
    const struct tf_spv_type *const type = tf_spv_result_type(r);
    const LLVMAtomicRMWBinOp op = operation(r->op.opcode);
    const bool is_real = op == LLVMAtomicRMWBinOpFAdd || op == LLVMAtomicRMWBinOpFMin ||
                         op == LLVMAtomicRMWBinOpFMax;

    tf_spv_need(r, op == LLVMAtomicRMWBinOpXchg || tf_spv_is_float(type) == is_real,
                "the result has another type");
    const LLVMValueRef pointer = pointer_at(r, 3, type);
    const LLVMValueRef value = tf_spv_value_of(r, 6, type->llvm);
    tf_spv_set_result(r, modify(r, op, pointer, value, order_at(r, 5)));
}

void tf_spv_op_atomic_step(struct tf_spv *r)
{
    const struct tf_spv_type *const type = tf_spv_result_type(r);

    tf_spv_need(r, type->kind == TF_SPV_INT, "the result has another type");
    const LLVMValueRef pointer = pointer_at(r, 3, type);
    const LLVMValueRef one = LLVMConstInt(type->llvm, 1, false);
    tf_spv_set_result(r,
                      modify(r, operation(r->op.opcode), pointer, one, order_at(r, 5)));
}

// Where the values differ nothing is stored: that order is one of a load.
void tf_spv_op_atomic_compare_exchange(struct tf_spv *r)
{
    const struct tf_spv_type *const type = tf_spv_result_type(r);
    const LLVMValueRef pointer = pointer_at(r, 3, type);
    const LLVMAtomicOrdering equal = order_at(r, 5), unequal = order_at(r, 6);

    tf_spv_need(r, type->kind == TF_SPV_INT, "the result has another type");
    const LLVMValueRef value = tf_spv_value_of(r, 7, type->llvm);
    const LLVMValueRef comparator = tf_spv_value_of(r, 8, type->llvm);
    const LLVMValueRef pair =
        LLVMBuildAtomicCmpXchg(r->builder, pointer, comparator, value, equal,
                               half_of(unequal, LLVMAtomicOrderingAcquire), false);
    LLVMSetVolatile(pair, true);
    tf_spv_set_result(r, LLVMBuildExtractValue(r->builder, pair, 0, ""));
}

static const struct tf_spv_type flag_type = {.kind = TF_SPV_INT, .bits = 32};

// The flag at `at`: an integer of 32 bits, set where it is not 0.
static LLVMValueRef flag_at(struct tf_spv *r, uint32_t at)
{
    struct tf_spv_type type = flag_type;

    type.llvm = LLVMInt32TypeInContext(r->context);
    return pointer_at(r, at, &type);
}

void tf_spv_op_atomic_flag_test_and_set(struct tf_spv *r)
{
    const LLVMTypeRef i32 = LLVMInt32TypeInContext(r->context);
    const LLVMValueRef pointer = flag_at(r, 3);
    const LLVMValueRef old = modify(r, LLVMAtomicRMWBinOpXchg, pointer,
                                    LLVMConstInt(i32, 1, false), order_at(r, 5));

    tf_spv_set_result(r,
                      LLVMBuildICmp(r->builder, LLVMIntNE, old, LLVMConstNull(i32), ""));
}

void tf_spv_op_atomic_flag_clear(struct tf_spv *r)
{
    const LLVMTypeRef i32 = LLVMInt32TypeInContext(r->context);
    const LLVMValueRef pointer = flag_at(r, 1);
    const LLVMValueRef store = LLVMBuildStore(r->builder, LLVMConstNull(i32), pointer);

    finish_access(store, half_of(order_at(r, 3), LLVMAtomicOrderingRelease), &flag_type);
}
