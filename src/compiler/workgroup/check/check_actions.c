// SPDX-License-Identifier: MIT
// M3, M4 and M5: what is done where lanes may not be active.
#include <string.h>

#include "compiler/ir/elementwise.h"
#include "compiler/ir/ir_util.h"
#include "compiler/ir/llvm_version.h"
#include "compiler/ir/roots.h"
#include "compiler/workgroup/check/check_parts.h"
#include "compiler/workgroup/kernel/wg.h"

static bool is_vector(LLVMValueRef value)
{
    return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMVectorTypeKind;
}

// The pointer that a load, store or atomic operation goes through, or NULL.
static LLVMValueRef accessed(LLVMValueRef i)
{
    switch ((int)LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        return LLVMGetOperand(i, 0);
    case LLVMStore:
        return LLVMGetOperand(i, 1);
    default:
        return NULL;
    }
}

static bool is_variable(LLVMValueRef base)
{
    return LLVMIsAAllocaInst(base) || LLVMIsAGlobalVariable(base) ||
           LLVMIsAArgument(base);
}

// A pointer to such a variable that a slot has kept from another block.
static bool is_kept(LLVMValueRef pointer)
{
    const LLVMValueRef slot =
        LLVMIsALoadInst(pointer) ? LLVMGetOperand(pointer, 0) : NULL;

    if (!slot || !LLVMIsAAllocaInst(slot))
        return false;
    for (LLVMUseRef use = LLVMGetFirstUse(slot); use; use = LLVMGetNextUse(use)) {
        const LLVMValueRef user = LLVMGetUser(use);

        if (!LLVMIsALoadInst(user) &&
            (!LLVMIsAStoreInst(user) || LLVMGetOperand(user, 1) != slot ||
             !is_variable(tf_check_base(LLVMGetOperand(user, 0)))))
            return false;
    }
    return true;
}

// One lane's of addresses of which those of lanes that are not active are a variable's.
static bool is_chosen_by_lanes(LLVMValueRef pointer)
{
    const LLVMValueRef chosen =
        LLVMIsAExtractElementInst(pointer) ? LLVMGetOperand(pointer, 0) : NULL;
    LLVMValueRef other;

    if (!chosen || !LLVMIsASelectInst(chosen) || !is_vector(LLVMGetOperand(chosen, 0)))
        return false;
    other = LLVMGetOperand(chosen, 2);
    if (LLVMIsAConstant(other))
        other = LLVMGetAggregateElement(other, 0);
    else if (LLVMIsAShuffleVectorInst(other) &&
             LLVMIsAInsertElementInst(LLVMGetOperand(other, 0)))
        other = LLVMGetOperand(LLVMGetOperand(other, 0), 1);
    else
        return false;
    return other && is_variable(tf_check_base(other));
}

// Memory that is always there: the function's own variables, constants, and what its
// parameters point to; or one of them where any lane is active, another one where none is
// and the slot was perhaps never written.
static bool is_own(LLVMValueRef pointer)
{
    const LLVMValueRef base = tf_check_base(pointer);

    if (is_chosen_by_lanes(base))
        return true;
    if (!LLVMIsASelectInst(base))
        return is_variable(base);
    const LLVMValueRef chosen = LLVMGetOperand(base, 1);
    const char *const test = tf_ir_called_name(LLVMGetOperand(base, 0));
    return (is_own(chosen) ||
            (test &&
             !strncmp(test, "llvm.vector.reduce.or.", strlen("llvm.vector.reduce.or.")) &&
             is_kept(tf_check_base(chosen)))) &&
           is_own(LLVMGetOperand(base, 2));
}

// A call that is more than arithmetic.
static bool acts(LLVMValueRef i)
{
    const char *name = tf_ir_called_name(i);
    const unsigned id =
        LLVMIsACallInst(i) && tf_ir_callee(i) ? LLVMGetIntrinsicID(tf_ir_callee(i)) : 0;

    if (!LLVMIsACallInst(i) || tf_is_marker(i) || tf_is_elementwise(i) ||
        tf_root_of(i) == TF_ROOT_BARRIER || tf_root_of(i) == TF_ROOT_YIELD)
        return false;
    if (!id)
        return true;
    return !strncmp(name, "llvm.mem", strlen("llvm.mem"));
}

// Of a constant, or of each element of a constant vector: it is not 0, or (`least`) not
// the least number of its type.
static bool differs(LLVMValueRef constant, bool least)
{
    const LLVMTypeRef type = LLVMTypeOf(constant);

    if (LLVMIsAConstantInt(constant)) {
        const unsigned bits = LLVMGetIntTypeWidth(type);

        return bits <= 64 && LLVMConstIntGetZExtValue(constant) !=
                                 (least ? (uint64_t)1 << (bits - 1) : 0);
    }
    if (!LLVMIsAConstant(constant) || !is_vector(constant))
        return false;
    for (unsigned i = 0; i < LLVMGetVectorSize(type); i++) {
        const LLVMValueRef element = LLVMGetAggregateElement(constant, i);

        if (!element || !differs(element, least))
            return false;
    }
    return true;
}

// Whether an element can have the least number of its type: halves and less, x >> 1,
// cannot.
static bool is_never_least(LLVMValueRef value)
{
    const LLVMOpcode opcode =
        LLVMIsABinaryOperator(value) ? LLVMGetInstructionOpcode(value) : LLVMAdd;

    return differs(value, true) || ((opcode == LLVMLShr || opcode == LLVMAShr) &&
                                    differs(LLVMGetOperand(value, 1), false));
}

// Bits that are always set: x | 1. A signed division may still overflow.
static bool is_never_zero(LLVMValueRef division, LLVMValueRef divisor)
{
    const LLVMOpcode opcode = LLVMGetInstructionOpcode(division);

    return LLVMIsABinaryOperator(divisor) &&
           LLVMGetInstructionOpcode(divisor) == LLVMOr &&
           differs(LLVMGetOperand(divisor, 1), false) &&
           (opcode == LLVMUDiv || opcode == LLVMURem ||
            is_never_least(LLVMGetOperand(division, 0)));
}

// A division that traps in no lane: by a constant, by what a mask chooses, or by a number
// and 1, whichever is more: LLVM makes that of a guard (lower/undefined/unspecified.h).
static bool is_safe(LLVMValueRef division)
{
    LLVMValueRef divisor = LLVMGetOperand(division, 1);
    const char *name;

    if (is_never_zero(division, divisor))
        return true;
    while (LLVMIsACastInst(divisor))
        divisor = LLVMGetOperand(divisor, 0);
    name = tf_ir_called_name(divisor);
    return LLVMIsAConstant(divisor) || LLVMIsASelectInst(divisor) ||
           LLVMIsAFreezeInst(divisor) ||
           (name && !strncmp(name, "llvm.umax.", strlen("llvm.umax.")) &&
            differs(LLVMGetOperand(divisor, 1), false));
}

// ---- M3 and M5

// Vectors of the program that all lanes load or store as one carry a mark: they may be as
// long as those of all lanes.
static bool is_for_all_lanes(const struct tf_check *c, LLVMValueRef i)
{
    const LLVMTypeRef type = LLVMTypeOf(LLVMIsAStoreInst(i) ? LLVMGetOperand(i, 0) : i);
    const unsigned mark =
        LLVMGetMDKindIDInContext(LLVMGetTypeContext(type), TF_WG_ONE_METADATA,
                                 (unsigned)strlen(TF_WG_ONE_METADATA));

    return LLVMGetTypeKind(type) == LLVMVectorTypeKind &&
           LLVMGetVectorSize(type) % c->width == 0 && !LLVMGetMetadata(i, mark);
}

static void check_alone(struct tf_check *c, LLVMValueRef i)
{
    const LLVMValueRef pointer = accessed(i);

    if (pointer && !is_own(pointer))
        tf_check_fault(c, "M3", i, "memory is reached though no lane may be active");
    else if (acts(i))
        tf_check_fault(c, "M3", i, "a function is called though no lane may be active");
    else if (tf_ir_is_division(LLVMGetInstructionOpcode(i)) && !is_vector(i) &&
             !is_safe(i))
        tf_check_fault(c, "M5", i, "a division may trap though no lane is active");
}

// Near what an active lane has there; where none is, M3 is broken.
static bool is_local(LLVMValueRef pointer)
{
    return LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) == TF_AS_LOCAL;
}

// Behind a guard, slots were written by the lanes that have come there.
static void check_lanes(struct tf_check *c, LLVMValueRef i, bool active)
{
    const LLVMValueRef pointer = accessed(i);
    const bool is_there = pointer && (is_own(pointer) || is_local(pointer) ||
                                      (active && is_kept(tf_check_base(pointer))));

    if (pointer && !is_there && is_for_all_lanes(c, i))
        tf_check_fault(c, "M5", i, "lanes that are not active reach memory");
    else if (tf_ir_is_division(LLVMGetInstructionOpcode(i)) && is_vector(i) &&
             !is_safe(i))
        tf_check_fault(c, "M5", i, "lanes that are not active may trap");
}

// ---- M4

static bool has_flags(LLVMValueRef i)
{
    switch ((int)LLVMGetInstructionOpcode(i)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
        return LLVMGetNSW(i) || LLVMGetNUW(i);
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMLShr:
    case LLVMAShr:
        return LLVMGetExact(i);
    case LLVMOr:
        return LLVMGetIsDisjoint(i);
    case LLVMZExt:
    case LLVMUIToFP:
        return LLVMGetNNeg(i);
    case LLVMGetElementPtr:
        return LLVMGEPGetNoWrapFlags(i) != 0;
    default:
        return false;
    }
}

// Counted from what is there whatever lanes do.
static bool is_constant_place(LLVMValueRef i)
{
    if (!LLVMIsAGetElementPtrInst(i) || !is_own(LLVMGetOperand(i, 0)))
        return false;
    for (int k = 1; k < LLVMGetNumOperands(i); k++) {
        if (!LLVMIsAConstant(LLVMGetOperand(i, (unsigned)k)))
            return false;
    }
    return true;
}

static void check_flags(struct tf_check *c, LLVMValueRef i)
{
    if (!is_vector(i) && has_flags(i) && !is_constant_place(i))
        tf_check_fault(c, "M4", i, "lane 0 may not be active");
}

void tf_check_actions(struct tf_check *c)
{
    for (unsigned b = 0; b < c->block_count; b++) {
        const bool masked = tf_check_in_masked(c, b);

        TF_FOR_EACH_INSTRUCTION_OF_BLOCK(i, c->blocks[b].block)
        {
            if ((masked || c->few) && !c->blocks[b].lane)
                check_lanes(c, i, c->blocks[b].active);
            if (masked && !c->blocks[b].active)
                check_alone(c, i);
            if (masked && !c->blocks[b].lane)
                check_flags(c, i);
        }
    }
}
