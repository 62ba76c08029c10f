// SPDX-License-Identifier: MIT
#include "compiler/lower/arithmetic/contracted.h"

#include <stdbool.h>
#include <string.h>

#include <llvm-c/Core.h>

#include "compiler/clang/clang_frontend.h"
#include "compiler/ir/ir_util.h"

// What changes no result that a program may ask for.
#define HARMLESS ((unsigned)(LLVMFastMathNoNaNs | LLVMFastMathNoInfs))

static unsigned flags_of(LLVMValueRef v)
{
    return LLVMIsAInstruction(v) && LLVMCanValueUseFastMathFlags(v)
               ? LLVMGetFastMathFlags(v)
               : LLVMFastMathNone;
}

static bool may_fuse(LLVMValueRef v)
{
    return (flags_of(v) & LLVMFastMathAllowContract) != 0;
}

static bool allows_only_this(LLVMValueRef function)
{
    unsigned all = 0;

    TF_FOR_EACH_INSTRUCTION(i, function)
    all |= flags_of(i);
    return (all & ~HARMLESS) == LLVMFastMathAllowContract;
}

// A product that the sum behind it, in the same block, is the only one to use.
static bool is_for(LLVMValueRef v, LLVMValueRef sum)
{
    const LLVMUseRef use = LLVMGetFirstUse(v);

    return LLVMIsAInstruction(v) && LLVMGetInstructionOpcode(v) == LLVMFMul &&
           may_fuse(v) && use && !LLVMGetNextUse(use) &&
           LLVMGetInstructionParent(v) == LLVMGetInstructionParent(sum);
}

static LLVMValueRef multiply_add(LLVMBuilderRef b, LLVMValueRef args[3])
{
    static const char name[] = "llvm.fmuladd";
    LLVMTypeRef type = LLVMTypeOf(args[0]);
    const unsigned id = LLVMLookupIntrinsicID(name, sizeof name - 1);
    const LLVMModuleRef module =
        LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInsertBlock(b)));
    const LLVMValueRef fn = LLVMGetIntrinsicDeclaration(module, id, &type, 1);

    return LLVMBuildCall2(b, LLVMGlobalGetValueType(fn), fn, args, 3, "");
}

// `x * y + z`, `x * y - z` and `z - x * y`, whichever of the operands is the product.
static void fuse(LLVMBuilderRef b, LLVMValueRef sum)
{
    const bool is_difference = LLVMGetInstructionOpcode(sum) == LLVMFSub;
    const unsigned at = is_for(LLVMGetOperand(sum, 0), sum) ? 0 : 1;
    const LLVMValueRef product = LLVMGetOperand(sum, at);
    LLVMValueRef args[3], made;

    if (!is_for(product, sum))
        return;
    LLVMPositionBuilderBefore(b, sum);
    args[0] = LLVMGetOperand(product, 0);
    args[1] = LLVMGetOperand(product, 1);
    args[2] = LLVMGetOperand(sum, 1 - at);
    if (is_difference && at == 0)
        args[2] = LLVMBuildFNeg(b, args[2], "");
    else if (is_difference)
        args[0] = LLVMBuildFNeg(b, args[0], "");
    made = multiply_add(b, args);
    LLVMSetFastMathFlags(made, flags_of(sum) & flags_of(product) & HARMLESS);
    tf_ir_replace(sum, made);
    LLVMInstructionEraseFromParent(product);
}

static void lower(LLVMBuilderRef b, LLVMValueRef function)
{
    LLVMValueRef i = tf_ir_first(function), next;

    for (; i; i = next) {
        const LLVMOpcode op = LLVMGetInstructionOpcode(i);

        next = tf_ir_next(i);
        if ((op == LLVMFAdd || op == LLVMFSub) && may_fuse(i))
            fuse(b, i);
    }
    TF_FOR_EACH_INSTRUCTION(left, function)
    {
        if (may_fuse(left))
            tf_clang_forbid_contraction(left);
    }
}

void tf_contracted_lower(LLVMModuleRef module)
{
    const LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));

    TF_FOR_EACH_FUNCTION(f, module)
    {
        if (!LLVMIsDeclaration(f) && allows_only_this(f))
            lower(b, f);
    }
    LLVMDisposeBuilder(b);
}
