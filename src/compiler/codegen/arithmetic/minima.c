// SPDX-License-Identifier: MIT
// `x < y or y is a NaN ? x : y` is `y is a NaN ? x : (x < y ? x : y)`, and the choice in
// brackets is what x86 has as minimum: the second operand unless the first is less.
#include "compiler/codegen/arithmetic/minima.h"

#include <stdbool.h>
#include <stddef.h>

#include <llvm-c/Core.h>

#include "compiler/ir/ir_util.h"

static bool is_float_or_double(LLVMTypeRef type)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);

    if (kind == LLVMVectorTypeKind)
        kind = LLVMGetTypeKind(LLVMGetElementType(type));
    return kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
}

// The two parts of a disjunction, of lanes or of bits.
static bool read_either(LLVMValueRef value, LLVMValueRef parts[2])
{
    if (LLVMIsABinaryOperator(value) && LLVMGetInstructionOpcode(value) == LLVMOr) {
        parts[0] = LLVMGetOperand(value, 0);
        parts[1] = LLVMGetOperand(value, 1);
        return true;
    }
    if (!LLVMIsASelectInst(value) || !LLVMIsAConstantInt(LLVMGetOperand(value, 1)) ||
        LLVMIsNull(LLVMGetOperand(value, 1)))
        return false;
    parts[0] = LLVMGetOperand(value, 0);
    parts[1] = LLVMGetOperand(value, 2);
    return true;
}

static bool asks_for_nan(LLVMValueRef value, LLVMValueRef of)
{
    return LLVMIsAFCmpInst(value) && LLVMGetFCmpPredicate(value) == LLVMRealUNO &&
           LLVMGetOperand(value, 0) == of &&
           (LLVMGetOperand(value, 1) == of || LLVMIsNull(LLVMGetOperand(value, 1)));
}

static bool asks_for_order(LLVMValueRef value, LLVMValueRef x, LLVMValueRef y)
{
    return LLVMIsAFCmpInst(value) &&
           (LLVMGetFCmpPredicate(value) == LLVMRealOLT ||
            LLVMGetFCmpPredicate(value) == LLVMRealOGT) &&
           LLVMGetOperand(value, 0) == x && LLVMGetOperand(value, 1) == y;
}

static void settle(LLVMBuilderRef b, LLVMValueRef instruction, void *data)
{
    LLVMValueRef parts[2], x, y, least;

    (void)data;
    if (!LLVMIsASelectInst(instruction) || !is_float_or_double(LLVMTypeOf(instruction)) ||
        !read_either(LLVMGetOperand(instruction, 0), parts))
        return;
    x = LLVMGetOperand(instruction, 1);
    y = LLVMGetOperand(instruction, 2);
    for (unsigned nan = 0; nan < 2; nan++) {
        if (!asks_for_nan(parts[nan], y) || !asks_for_order(parts[1 - nan], x, y))
            continue;
        LLVMPositionBuilderBefore(b, instruction);
        least = LLVMBuildSelect(b, parts[1 - nan], x, y, "");
        tf_ir_replace(instruction, LLVMBuildSelect(b, parts[nan], x, least, ""));
        return;
    }
}

void tf_minima_settle(LLVMModuleRef module)
{
    tf_ir_settle_each(module, settle, NULL);
}
