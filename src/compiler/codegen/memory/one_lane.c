// SPDX-License-Identifier: MIT
#include "compiler/codegen/memory/one_lane.h"

#include <llvm-c/Core.h>

#include "compiler/ir/ir_util.h"

enum { NO_LANE = -1 };

// The only lane of the mask that is set. What is undefined counts as not set.
static int only_lane(LLVMValueRef mask)
{
    int only = NO_LANE;

    if (!LLVMIsConstant(mask))
        return NO_LANE;
    for (unsigned i = 0; i < LLVMGetVectorSize(LLVMTypeOf(mask)); i++) {
        const LLVMValueRef bit = LLVMGetAggregateElement(mask, i);

        if (bit && LLVMIsUndef(bit))
            continue;
        if (!bit || !LLVMIsAConstantInt(bit))
            return NO_LANE;
        if (!LLVMConstIntGetZExtValue(bit))
            continue;
        if (only != NO_LANE)
            return NO_LANE;
        only = (int)i;
    }
    return only;
}

static void settle(LLVMBuilderRef b, LLVMValueRef i, void *data)
{
    const LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetTypeContext(LLVMTypeOf(i)));
    LLVMValueRef vector, index, address;
    int lane;

    (void)data;
    if (!tf_ir_calls(i, "llvm.masked.store."))
        return;
    lane = only_lane(tf_ir_argument_from_end(i, 1));
    if (lane == NO_LANE)
        return;
    vector = LLVMGetOperand(i, 0);
    index = LLVMConstInt(i32, (unsigned)lane, false);
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
