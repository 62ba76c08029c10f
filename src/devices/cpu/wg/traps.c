// SPDX-License-Identifier: MIT
// Pass "traps": a kernel may compute nonsense but must not end the host process. Integer
// division by zero and INT_MIN / -1, which OpenCL C leaves undefined, raise a signal on
// some processors: the divisor becomes 1 there. A work-item that runs into what the front
// end took for unreachable, or into a trap, ends.
#include <string.h>

#include <llvm-c/Core.h>

#include "devices/cpu/wg/wg.h"

static bool is_division(LLVMOpcode opcode)
{
    return opcode == LLVMUDiv || opcode == LLVMSDiv || opcode == LLVMURem ||
           opcode == LLVMSRem;
}

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

static void guard_division(struct tf_wg *wg, LLVMValueRef division)
{
    const LLVMOpcode opcode = LLVMGetInstructionOpcode(division);
    const LLVMTypeRef type = LLVMTypeOf(division);
    const LLVMValueRef zero = LLVMConstNull(type), ones = LLVMConstAllOnes(type);
    const LLVMBuilderRef b = wg->builder;
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
}

static bool is_trap(LLVMValueRef instruction)
{
    const char *name = tf_wg_called_name(instruction);

    return name &&
           (strcmp(name, "llvm.trap") == 0 || strcmp(name, "llvm.debugtrap") == 0 ||
            strcmp(name, "llvm.ubsantrap") == 0);
}

static void end_item(struct tf_wg *wg, LLVMValueRef unreachable)
{
    LLVMPositionBuilderBefore(wg->builder, unreachable);
    LLVMBuildRetVoid(wg->builder);
    LLVMInstructionEraseFromParent(unreachable);
}

static void fix_block(struct tf_wg *wg, LLVMBasicBlockRef block)
{
    LLVMValueRef next;

    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = next) {
        const LLVMOpcode opcode = LLVMGetInstructionOpcode(i);

        next = LLVMGetNextInstruction(i);
        if (is_division(opcode) && !is_safe_divisor(LLVMGetOperand(i, 1)))
            guard_division(wg, i);
        else if (opcode == LLVMUnreachable)
            end_item(wg, i);
        else if (is_trap(i))
            LLVMInstructionEraseFromParent(i); // `unreachable` follows, or it goes on
    }
}

bool tf_wg_traps(struct tf_wg *wg)
{
    const LLVMValueRef items[2] = {wg->item, wg->wide};

    for (size_t i = 0; i < 2 && items[i]; i++) {
        LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(items[i]);

        for (; block; block = LLVMGetNextBasicBlock(block))
            fix_block(wg, block);
    }
    return true;
}
