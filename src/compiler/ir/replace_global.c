// SPDX-License-Identifier: MIT
#include "compiler/ir/replace_global.h"

#include <llvm-c/Core.h>

#include "compiler/ir/ir_util.h"

struct swap {
    LLVMBuilderRef builder;
    LLVMValueRef global, value;
};

static bool mentions(LLVMValueRef constant, LLVMValueRef global)
{
    if (constant == global)
        return true;
    if (LLVMIsAGlobalValue(constant) || !LLVMIsAConstant(constant))
        return false;
    for (int i = 0; i < LLVMGetNumOperands(constant); i++) {
        if (mentions(LLVMGetOperand(constant, (unsigned)i), global))
            return true;
    }
    return false;
}

static LLVMValueRef expand(const struct swap *swap, LLVMValueRef constant);

static LLVMValueRef expand_gep(const struct swap *swap, LLVMValueRef gep)
{
    enum { MAX_INDICES = 64 };
    LLVMValueRef indices[MAX_INDICES], base, value;
    const int count = LLVMGetNumOperands(gep) - 1;

    if (count > MAX_INDICES)
        return NULL;
    base = expand(swap, LLVMGetOperand(gep, 0));
    for (int i = 0; i < count; i++) {
        indices[i] = expand(swap, LLVMGetOperand(gep, (unsigned)i + 1));
        if (!indices[i])
            return NULL;
    }
    if (!base)
        return NULL;
    value = LLVMBuildGEP2(swap->builder, LLVMGetGEPSourceElementType(gep), base, indices,
                          (unsigned)count, "");
    if (LLVMIsAGetElementPtrInst(value))
        LLVMSetIsInBounds(value, LLVMIsInBounds(gep));
    return value;
}

static LLVMValueRef expand_expression(const struct swap *swap, LLVMValueRef constant)
{
    const LLVMOpcode opcode = LLVMGetConstOpcode(constant);
    const LLVMTypeRef type = LLVMTypeOf(constant);
    const int count = LLVMGetNumOperands(constant);
    LLVMValueRef a, b;

    if (opcode == LLVMGetElementPtr)
        return expand_gep(swap, constant);
    a = expand(swap, LLVMGetOperand(constant, 0));
    b = count > 1 ? expand(swap, LLVMGetOperand(constant, 1)) : a;
    if (!a || !b)
        return NULL;
    if (count == 1)
        return LLVMBuildCast(swap->builder, opcode, a, type, "");
    if (count == 2 && (opcode == LLVMAdd || opcode == LLVMSub || opcode == LLVMXor ||
                       opcode == LLVMMul || opcode == LLVMShl))
        return LLVMBuildBinOp(swap->builder, opcode, a, b, "");
    return NULL;
}

// Vectors, arrays and structs of constants are put together part by part.
static LLVMValueRef expand_aggregate(const struct swap *swap, LLVMValueRef constant)
{
    const bool is_vector = LLVMIsAConstantVector(constant) != NULL;
    const LLVMTypeRef i32 =
        LLVMInt32TypeInContext(LLVMGetTypeContext(LLVMTypeOf(constant)));
    LLVMValueRef value = LLVMGetPoison(LLVMTypeOf(constant));

    for (int i = 0; i < LLVMGetNumOperands(constant); i++) {
        const unsigned at = (unsigned)i;
        const LLVMValueRef part = expand(swap, LLVMGetOperand(constant, at));

        if (!part)
            return NULL;
        value = is_vector ? LLVMBuildInsertElement(swap->builder, value, part,
                                                   LLVMConstInt(i32, at, false), "")
                          : LLVMBuildInsertValue(swap->builder, value, part, at, "");
    }
    return value;
}

// `constant` with the value in the global's place, built at the builder's place; NULL for
// a kind of constant that is not known here.
static LLVMValueRef expand(const struct swap *swap, LLVMValueRef constant)
{
    if (constant == swap->global)
        return swap->value;
    if (!mentions(constant, swap->global))
        return constant;
    if (LLVMIsAConstantExpr(constant))
        return expand_expression(swap, constant);
    if (LLVMIsAConstantVector(constant) || LLVMIsAConstantStruct(constant) ||
        LLVMIsAConstantArray(constant))
        return expand_aggregate(swap, constant);
    return NULL;
}

// Entries of a phi for one predecessor (a switch has several edges) must be one value.
static LLVMValueRef earlier_entry(LLVMValueRef phi, unsigned at)
{
    const LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, at);

    for (unsigned i = 0; i < at; i++) {
        if (LLVMGetIncomingBlock(phi, i) == from)
            return LLVMGetOperand(phi, i);
    }
    return NULL;
}

static bool expand_operand(const struct swap *swap, LLVMValueRef user, unsigned at)
{
    const LLVMValueRef operand = LLVMGetOperand(user, at);
    LLVMValueRef value = NULL;

    if (!operand || !LLVMIsAConstant(operand) || !mentions(operand, swap->global))
        return true;
    if (LLVMIsAPHINode(user)) {
        const LLVMBasicBlockRef from = LLVMGetIncomingBlock(user, at);

        value = earlier_entry(user, at);
        LLVMPositionBuilderBefore(swap->builder, LLVMGetBasicBlockTerminator(from));
    } else {
        LLVMPositionBuilderBefore(swap->builder, user);
    }
    if (!value)
        value = expand(swap, operand);
    if (!value)
        return false;
    LLVMSetOperand(user, at, value);
    return true;
}

bool tf_ir_replace_global(LLVMBuilderRef builder, LLVMValueRef global, LLVMValueRef value,
                          LLVMValueRef fn)
{
    const struct swap swap = {.builder = builder, .global = global, .value = value};

    TF_FOR_EACH_INSTRUCTION(i, fn)
    {
        for (int at = 0; at < LLVMGetNumOperands(i); at++) {
            if (!expand_operand(&swap, i, (unsigned)at))
                return false;
        }
    }
    return true;
}
