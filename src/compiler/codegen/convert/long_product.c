// SPDX-License-Identifier: MIT
#include "compiler/codegen/convert/long_product.h"

#include <stddef.h>

#include <llvm-c/Core.h>

#include "compiler/ir/ir_util.h"
#include "compiler/ir/vector/high_product.h"

// The steps of 128 bits that nobody else wants.
static void erase_unused(LLVMValueRef value, LLVMBasicBlockRef block)
{
    LLVMValueRef operands[2] = {NULL};

    if (!LLVMIsAInstruction(value) || LLVMGetFirstUse(value) ||
        LLVMGetInstructionParent(value) != block ||
        (!LLVMIsACastInst(value) && !LLVMIsABinaryOperator(value)))
        return;
    for (int i = 0; i < LLVMGetNumOperands(value); i++)
        operands[i] = LLVMGetOperand(value, (unsigned)i);
    if (operands[0] == operands[1])
        operands[1] = NULL;
    LLVMInstructionEraseFromParent(value);
    for (unsigned i = 0; i < 2 && operands[i]; i++)
        erase_unused(operands[i], block);
}

static void settle(LLVMBuilderRef b, LLVMValueRef instruction, void *data)
{
    struct tf_high_product product;
    LLVMValueRef factors[2];
    LLVMBasicBlockRef block;
    LLVMTypeRef longs;
    LLVMValueRef down;

    (void)data;
    if (!tf_high_products_of(instruction, &product))
        return;
    LLVMPositionBuilderBefore(b, instruction);
    longs = LLVMVectorType(
        LLVMInt64TypeInContext(LLVMGetTypeContext(LLVMTypeOf(instruction))),
        LLVMGetVectorSize(LLVMTypeOf(instruction)));
    for (unsigned i = 0; i < 2; i++) {
        const LLVMValueRef wide = product.factors[i].wide;
        const LLVMValueRef narrow = LLVMIsConstant(wide) ? NULL : LLVMGetOperand(wide, 0);

        factors[i] = narrow && LLVMTypeOf(narrow) == longs
                         ? narrow
                         : LLVMBuildTrunc(b, wide, longs, "");
    }
    down = LLVMGetOperand(instruction, 0);
    block = LLVMGetInstructionParent(instruction);
    tf_ir_replace(instruction,
                  tf_high_product_build(b, factors, &product, LLVMTypeOf(instruction)));
    erase_unused(down, block);
}

void tf_long_product_settle(LLVMModuleRef module)
{
    tf_ir_settle_each(module, settle, NULL);
}
