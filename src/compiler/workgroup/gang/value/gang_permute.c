// SPDX-License-Identifier: MIT
// Constants, and what is made with many of them.
#include "compiler/workgroup/gang/value/gang_emit.h"

LLVMValueRef gang_int(struct gang *g, uint64_t n)
{
    if (n >= GANG_KEPT_INTS)
        return LLVMConstInt(g->i32, n, false);
    if (!g->kept->ints[n])
        g->kept->ints[n] = LLVMConstInt(g->i32, n, false);
    return g->kept->ints[n];
}

// shufflevector; from[i] < 0: any value. `b` may be NULL.
LLVMValueRef gang_permute(struct gang *g, LLVMValueRef a, LLVMValueRef b, const int *from,
                          unsigned count)
{
    LLVMValueRef *mask = TF_ARENA_NEW(&g->arena, LLVMValueRef, count);

    for (unsigned i = 0; i < count; i++)
        mask[i] = from[i] < 0 ? LLVMGetPoison(g->i32) : gang_int(g, (uint64_t)from[i]);
    return LLVMBuildShuffleVector(g->b, a, b ? b : LLVMGetPoison(LLVMTypeOf(a)),
                                  LLVMConstVector(mask, count), "");
}
