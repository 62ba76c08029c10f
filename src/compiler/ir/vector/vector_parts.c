// SPDX-License-Identifier: MIT
#include "compiler/ir/vector/vector_parts.h"

#include <stddef.h>

#include <llvm-c/Core.h>

unsigned tf_vector_count(LLVMValueRef vector)
{
    return LLVMGetVectorSize(LLVMTypeOf(vector));
}

LLVMValueRef tf_vector_of(LLVMTypeRef type, uint64_t n)
{
    LLVMValueRef all[TF_VECTOR_MOST];
    const unsigned count = LLVMGetVectorSize(type);

    for (unsigned i = 0; i < count; i++)
        all[i] = LLVMConstInt(LLVMGetElementType(type), n, 0);
    return LLVMConstVector(all, count);
}

LLVMValueRef tf_vector_take(LLVMBuilderRef builder, LLVMValueRef a, LLVMValueRef b,
                            unsigned first, unsigned count)
{
    const LLVMTypeRef type = LLVMTypeOf(a);
    const LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetTypeContext(type));
    const unsigned have = tf_vector_count(a) * (b ? 2 : 1);
    LLVMValueRef from[TF_VECTOR_MOST];

    for (unsigned i = 0; i < count; i++)
        from[i] = first + i < have ? LLVMConstInt(i32, first + i, 0) : LLVMGetPoison(i32);
    return LLVMBuildShuffleVector(builder, a, b ? b : LLVMGetPoison(type),
                                  LLVMConstVector(from, count), "");
}
