// SPDX-License-Identifier: MIT
#include "compiler/lower/undefined/unspecified.h"

#include <string.h>

#include <llvm-c/Core.h>

#include "compiler/ir/ir_util.h"

// ---- Divisions ----

// An integer constant other than 0 and -1.
static bool is_safe_scalar(LLVMValueRef value)
{
    if (!value || !LLVMIsAConstantInt(value))
        return false;
    return !LLVMIsNull(value) &&
           value != LLVMConstAllOnes(LLVMTypeOf(value)); // constants are unique
}

static bool is_safe_divisor(LLVMValueRef divisor)
{
    const LLVMTypeRef type = LLVMTypeOf(divisor);

    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind)
        return is_safe_scalar(divisor);
    if (!LLVMIsAConstant(divisor))
        return false;
    for (unsigned i = 0; i < LLVMGetVectorSize(type); i++) {
        if (!is_safe_scalar(LLVMGetAggregateElement(divisor, i)))
            return false;
    }
    return true;
}

static unsigned mark_kind(LLVMValueRef instruction)
{
    static const char name[] = "tf.guarded";

    return LLVMGetMDKindIDInContext(
        LLVMGetModuleContext(LLVMGetGlobalParent(tf_ir_function_of(instruction))), name,
        sizeof name - 1);
}

// The mark alone does not do: a pass might have moved the division behind a branch in the
// place of the guard, and lanes do not branch.
static bool is_guarded(LLVMValueRef division)
{
    const LLVMValueRef divisor = LLVMGetOperand(division, 1);

    if (!LLVMGetMetadata(division, mark_kind(division)))
        return false;
    if (LLVMIsASelectInst(divisor))
        return is_safe_divisor(LLVMGetOperand(divisor, 1)) ||
               is_safe_divisor(LLVMGetOperand(divisor, 2));
    return LLVMIsACallInst(divisor) && tf_ir_callee(divisor) &&
           strncmp(tf_ir_name(tf_ir_callee(divisor)), "llvm.umax.", 10) == 0;
}

bool tf_division_may_trap(LLVMValueRef instruction)
{
    return tf_ir_is_division(LLVMGetInstructionOpcode(instruction)) &&
           !is_safe_divisor(LLVMGetOperand(instruction, 1)) && !is_guarded(instruction);
}

void tf_division_guard(LLVMBuilderRef b, LLVMValueRef division)
{
    const LLVMOpcode opcode = LLVMGetInstructionOpcode(division);
    const LLVMTypeRef type = LLVMTypeOf(division);
    const LLVMContextRef context = LLVMGetTypeContext(type);
    const LLVMValueRef zero = LLVMConstNull(type), ones = LLVMConstAllOnes(type);
    LLVMValueRef dividend, divisor, bad, overflow, one, most_negative;

    LLVMPositionBuilderBefore(b, division);
    // Constants of any width and vector length, folded by the builder.
    one = LLVMBuildSub(b, zero, ones, "");
    most_negative = LLVMBuildXor(b, LLVMBuildLShr(b, ones, one, ""), ones, "");
    // Frozen: the test and the division must see one value.
    divisor = LLVMBuildFreeze(b, LLVMGetOperand(division, 1), "");
    bad = LLVMBuildICmp(b, LLVMIntEQ, divisor, zero, "");
    if (opcode == LLVMSDiv || opcode == LLVMSRem) {
        dividend = LLVMBuildFreeze(b, LLVMGetOperand(division, 0), "");
        overflow =
            LLVMBuildAnd(b, LLVMBuildICmp(b, LLVMIntEQ, divisor, ones, ""),
                         LLVMBuildICmp(b, LLVMIntEQ, dividend, most_negative, ""), "");
        bad = LLVMBuildOr(b, bad, overflow, "");
        LLVMSetOperand(division, 0, dividend);
    }
    LLVMSetOperand(division, 1, LLVMBuildSelect(b, bad, one, divisor, ""));
    LLVMSetMetadata(division, mark_kind(division),
                    LLVMMetadataAsValue(context, LLVMMDNodeInContext2(context, NULL, 0)));
}

// ---- Conversions ----

static LLVMTypeRef with_elements(LLVMTypeRef type, LLVMTypeRef element)
{
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind
               ? LLVMVectorType(element, LLVMGetVectorSize(type))
               : element;
}

// To fewer than 32 bits by way of 32, signed: for narrow integers LLVM has a choice of
// ways, which differ in what they make of values that do not fit.
static void settle_conversion(LLVMBuilderRef b, LLVMValueRef conversion)
{
    const LLVMTypeRef type = LLVMTypeOf(conversion);
    const LLVMTypeRef element =
        LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type;
    const LLVMTypeRef word = LLVMInt32TypeInContext(LLVMGetTypeContext(type));
    const bool is_narrow = LLVMGetIntTypeWidth(element) < 32;
    LLVMValueRef value = conversion;

    LLVMPositionBuilderBefore(b, LLVMGetNextInstruction(conversion));
    if (is_narrow)
        value = LLVMBuildFPToSI(b, LLVMGetOperand(conversion, 0),
                                with_elements(type, word), "");
    const LLVMValueRef frozen = LLVMBuildFreeze(b, value, "");
    LLVMReplaceAllUsesWith(conversion,
                           is_narrow ? LLVMBuildTrunc(b, frozen, type, "") : frozen);
    if (is_narrow)
        LLVMInstructionEraseFromParent(conversion);
    else
        LLVMSetOperand(frozen, 0, conversion);
}

// ---- Constants ----

// The front end folds the like of 1 / 0 to poison: as a whole, or elements of a vector.
static LLVMValueRef without_poison(LLVMValueRef constant)
{
    const LLVMTypeRef type = LLVMTypeOf(constant);
    LLVMValueRef elements[64];
    bool found = false;

    if (LLVMIsPoison(constant))
        return LLVMConstNull(type);
    if (!LLVMIsAConstantVector(constant) ||
        LLVMGetVectorSize(type) > sizeof elements / sizeof *elements)
        return constant;
    const unsigned count = LLVMGetVectorSize(type);
    for (unsigned i = 0; i < count; i++) {
        elements[i] = LLVMGetAggregateElement(constant, i);
        if (LLVMIsPoison(elements[i])) {
            elements[i] = LLVMConstNull(LLVMTypeOf(elements[i]));
            found = true;
        }
    }
    return found ? LLVMConstVector(elements, count) : constant;
}

// Where a value is put together, poison stands for what comes later.
static bool is_place_holder(LLVMOpcode opcode, unsigned operand)
{
    return opcode == LLVMShuffleVector ||
           ((opcode == LLVMInsertElement || opcode == LLVMInsertValue) && operand == 0);
}

static void replace_poison(LLVMValueRef instruction)
{
    const LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);

    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(instruction); i++) {
        const LLVMValueRef operand = LLVMGetOperand(instruction, i);

        if (LLVMIsAConstant(operand) && !LLVMIsAGlobalValue(operand) &&
            !is_place_holder(opcode, i)) {
            const LLVMValueRef value = without_poison(operand);

            if (value != operand)
                LLVMSetOperand(instruction, i, value);
        }
    }
}

static void settle(LLVMBuilderRef b, LLVMValueRef instruction, void *data)
{
    const LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);

    (void)data;
    replace_poison(instruction);
    if (tf_division_may_trap(instruction))
        tf_division_guard(b, instruction);
    else if (opcode == LLVMFPToSI || opcode == LLVMFPToUI)
        settle_conversion(b, instruction);
}

void tf_unspecified_lower(LLVMModuleRef module)
{
    tf_ir_settle_each(module, settle, NULL);
}
