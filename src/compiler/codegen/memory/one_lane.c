// SPDX-License-Identifier: MIT
#include "compiler/codegen/memory/one_lane.h"

#include <stdint.h>

#include <llvm-c/Core.h>

#include "compiler/ir/ir_util.h"

static void settle(LLVMBuilderRef b, LLVMValueRef i, void *data)
{
    const LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetTypeContext(LLVMTypeOf(i)));
    LLVMValueRef vector, index, address;
    uint64_t lanes;

    (void)data;
    if (!tf_ir_calls(i, "llvm.masked.store.") ||
        !tf_ir_known_mask(tf_ir_argument_from_end(i, 1), &lanes) || lanes == 0 ||
        (lanes & (lanes - 1)))
        return;
    vector = LLVMGetOperand(i, 0);
    index = LLVMConstInt(i32, (unsigned)__builtin_ctzll(lanes), false);
    LLVMPositionBuilderBefore(b, i);
    address = LLVMBuildGEP2(b, LLVMGetElementType(LLVMTypeOf(vector)),
                            LLVMGetOperand(i, 1), &index, 1, "");
    LLVMSetAlignment(
        LLVMBuildStore(b, LLVMBuildExtractElement(b, vector, index, ""), address), 1);
    LLVMInstructionEraseFromParent(i);
}

void tf_one_lane_settle(LLVMModuleRef module)
{
    tf_ir_settle_each(module, settle, NULL);
}
