// SPDX-License-Identifier: MIT
#include "compiler/ir/memory/effects.h"

#include "compiler/ir/elementwise.h"
#include "compiler/ir/ir_util.h"

static bool reads_alone(LLVMValueRef call)
{
    return tf_ir_calls(call, "llvm.masked.load.") ||
           tf_ir_calls(call, "llvm.masked.gather.") ||
           tf_ir_calls(call, "llvm.vector.reduce.");
}

bool tf_writes_nothing(LLVMValueRef i)
{
    if (LLVMIsALoadInst(i))
        return tf_ir_is_ordinary(i);
    if (LLVMIsAFenceInst(i) || LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i) ||
        LLVMIsAStoreInst(i))
        return false;
    return !tf_ir_is_call(i) || tf_is_elementwise(i) || tf_is_marker(i) || reads_alone(i);
}
