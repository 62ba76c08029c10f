// SPDX-License-Identifier: MIT
// Calls: barriers and intrinsics.
#include <string.h>

#include "compiler/ir/elementwise.h"
#include "compiler/workgroup/gang/arithmetic/gang_arithmetic.h"

// All that crosses it is in slots: what is cached ends here.
void gang_barrier(struct gang *g, const struct tf_value *v)
{
    const struct gang_block *block = &g->blocks[g->block];
    const unsigned like = g->plan->blocks[g->block].like;

    gang_clone(g, v->instruction);
    g->epoch++;
    if (block->saved || like != TF_CFG_NONE)
        g->mask = LLVMBuildLoad2(
            g->b, g->mask_type,
            like != TF_CFG_NONE ? g->blocks[like].saved : block->saved, "");
    else
        g->mask = gang_entry_mask(g);
}

void gang_elementwise(struct gang *g, struct tf_value *v)
{
    const LLVMValueRef call = v->instruction;
    const struct tf_elementwise *e = v->elementwise;
    const unsigned count = LLVMGetNumArgOperands(call);
    LLVMValueRef *args = TF_ARENA_NEW(&g->arena, LLVMValueRef, count), made;
    LLVMTypeRef types[2];
    char name[64] = "llvm.";

    for (unsigned i = 0; i < count; i++) {
        const LLVMValueRef arg = LLVMGetOperand(call, i);

        args[i] = e->scalar_mask >> i & 1 ? gang_scalar(g, arg) : gang_vector(g, arg);
    }
    for (unsigned i = 0; i < e->type_count; i++)
        types[i] = e->types[i] == TF_ELEMENTWISE_RESULT ? gang_type(g, LLVMTypeOf(call))
                                                        : LLVMTypeOf(args[e->types[i]]);
    strncat(name, e->name, sizeof(name) - strlen(name) - 1);
    made = gang_intrinsic(g, name, types, e->type_count, args, count);
    if (LLVMCanValueUseFastMathFlags(made) && LLVMCanValueUseFastMathFlags(call))
        LLVMSetFastMathFlags(made, LLVMGetFastMathFlags(call));
    gang_define(g, v, NULL, made);
}
