// SPDX-License-Identifier: MIT
#include "compiler/codegen/contraction.h"

#include <string.h>

#include <llvm-c/Core.h>

#include "compiler/ir/ir_util.h"

static bool is_multiply_add(LLVMValueRef instruction)
{
    const char *name = tf_ir_called_name(instruction);

    return name && !strncmp(name, "llvm.fmuladd.", strlen("llvm.fmuladd."));
}

static bool is_float_or_double(LLVMTypeRef type)
{
    const LLVMTypeRef element =
        LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type;
    const LLVMTypeKind kind = LLVMGetTypeKind(element);

    return kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
}

static LLVMValueRef with_flags_of(LLVMValueRef call, LLVMValueRef made)
{
    if (LLVMIsAInstruction(made))
        LLVMSetFastMathFlags(made, LLVMGetFastMathFlags(call));
    return made;
}

static void split(LLVMBuilderRef builder, LLVMValueRef call)
{
    LLVMValueRef product, sum;

    LLVMPositionBuilderBefore(builder, call);
    product = with_flags_of(call, LLVMBuildFMul(builder, LLVMGetOperand(call, 0),
                                                LLVMGetOperand(call, 1), ""));
    sum =
        with_flags_of(call, LLVMBuildFAdd(builder, product, LLVMGetOperand(call, 2), ""));
    LLVMReplaceAllUsesWith(call, sum);
    LLVMInstructionEraseFromParent(call);
}

void tf_contraction_settle(LLVMModuleRef module, bool has_fma)
{
    const LLVMBuilderRef builder =
        LLVMCreateBuilderInContext(LLVMGetModuleContext(module));

    TF_FOR_EACH_FUNCTION(f, module)
    {
        LLVMValueRef next;

        for (LLVMValueRef i = tf_ir_first(f); i; i = next) {
            next = tf_ir_next(i);
            if (is_multiply_add(i) && !(has_fma && is_float_or_double(LLVMTypeOf(i))))
                split(builder, i);
        }
    }
    LLVMDisposeBuilder(builder);
}
