// SPDX-License-Identifier: MIT
#include "compiler/codegen/memory/short_indices.h"

#include <stdbool.h>

#include <llvm-c/Core.h>

#include "compiler/ir/ir_util.h"

enum { ADDRESS_BITS = 64, WORD_BITS = 32 };

static unsigned bits_of(LLVMValueRef value)
{
    const LLVMTypeRef type = LLVMTypeOf(value);

    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : 0;
}

// Sums of 32 bits are left: where these wrap two bytes are 4 GiB apart.
static bool may_wrap(LLVMValueRef sum)
{
    return bits_of(sum) < WORD_BITS && LLVMIsABinaryOperator(sum) &&
           LLVMGetInstructionOpcode(sum) == LLVMAdd && !LLVMGetNSW(sum) &&
           LLVMIsAConstantInt(LLVMGetOperand(sum, 1));
}

static void settle(LLVMBuilderRef b, LLVMValueRef i, void *data)
{
    const LLVMTypeRef word = LLVMInt32TypeInContext(LLVMGetTypeContext(LLVMTypeOf(i)));
    LLVMValueRef sum, made, above;

    (void)data;
    if (!LLVMIsASExtInst(i) || bits_of(i) != ADDRESS_BITS ||
        !may_wrap(LLVMGetOperand(i, 0)))
        return;
    sum = LLVMGetOperand(i, 0);
    above = LLVMConstInt(word, WORD_BITS - bits_of(sum), false);
    LLVMPositionBuilderBefore(b, i);
    made = LLVMBuildAdd(
        b, LLVMBuildZExt(b, LLVMGetOperand(sum, 0), word, ""),
        LLVMConstInt(word, LLVMConstIntGetZExtValue(LLVMGetOperand(sum, 1)), false), "");
    made = LLVMBuildAShr(b, LLVMBuildShl(b, made, above, ""), above, "");
    LLVMSetOperand(i, 0, made);
}

void tf_short_indices_settle(LLVMModuleRef module)
{
    tf_ir_settle_each(module, settle, NULL);
}
