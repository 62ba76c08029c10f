// SPDX-License-Identifier: MIT
#include "compiler/codegen/half_rounding.h"

#include <stdbool.h>
#include <string.h>

#include <llvm-c/Core.h>

#include "compiler/ir/ir_util.h"

static bool is_rounding(LLVMValueRef instruction, unsigned *id)
{
    static const char *const names[] = {"llvm.ceil", "llvm.floor",     "llvm.nearbyint",
                                        "llvm.rint", "llvm.roundeven", "llvm.round",
                                        "llvm.trunc"};
    const LLVMTypeRef type = LLVMTypeOf(instruction);
    LLVMValueRef callee;

    if (LLVMGetInstructionOpcode(instruction) != LLVMCall ||
        LLVMGetTypeKind(type) != LLVMVectorTypeKind ||
        LLVMGetTypeKind(LLVMGetElementType(type)) != LLVMHalfTypeKind)
        return false;
    callee = LLVMGetCalledValue(instruction);
    if (!LLVMIsAFunction(callee) || !tf_ir_is_intrinsic(callee))
        return false;
    *id = LLVMGetIntrinsicID(callee);
    for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (*id == LLVMLookupIntrinsicID(names[i], strlen(names[i])))
            return true;
    }
    return false;
}

static LLVMValueRef build(LLVMModuleRef module, LLVMBuilderRef b, LLVMValueRef call,
                          unsigned id)
{
    const LLVMContextRef context = LLVMGetModuleContext(module);
    const LLVMTypeRef halves = LLVMTypeOf(call);
    LLVMTypeRef floats =
        LLVMVectorType(LLVMFloatTypeInContext(context), LLVMGetVectorSize(halves));
    const LLVMTypeRef type = LLVMIntrinsicGetType(context, id, &floats, 1);
    const LLVMValueRef function = LLVMGetIntrinsicDeclaration(module, id, &floats, 1);
    LLVMValueRef wide = LLVMBuildFPExt(b, LLVMGetOperand(call, 0), floats, "");

    wide = LLVMBuildCall2(b, type, function, &wide, 1, "");
    return LLVMBuildFPTrunc(b, wide, halves, "");
}

void tf_half_rounding_settle(LLVMModuleRef module)
{
    const LLVMBuilderRef builder =
        LLVMCreateBuilderInContext(LLVMGetModuleContext(module));

    TF_FOR_EACH_FUNCTION(f, module)
    {
        LLVMValueRef next;

        for (LLVMValueRef i = tf_ir_first(f); i; i = next) {
            unsigned id;

            next = tf_ir_next(i);
            if (!is_rounding(i, &id))
                continue;
            LLVMPositionBuilderBefore(builder, i);
            LLVMReplaceAllUsesWith(i, build(module, builder, i, id));
            LLVMInstructionEraseFromParent(i);
        }
    }
    LLVMDisposeBuilder(builder);
}
