// SPDX-License-Identifier: MIT
// Calls: barriers, intrinsics, and what runs lane after lane.
#include <string.h>

#include "compiler/ir/elementwise.h"
#include "compiler/ir/ir_util.h"
#include "compiler/workgroup/gang/gang_emit.h"
#include "compiler/workgroup/plan/pack.h"

// All that crosses it is in slots: what is cached ends here.
static void barrier(struct gang *g, const struct tf_value *v)
{
    const struct gang_block *block = &g->blocks[g->block];

    gang_clone(g, v->instruction);
    g->epoch++;
    if (block->saved || block->like != TF_CFG_NONE)
        g->mask = LLVMBuildLoad2(
            g->b, g->mask_type,
            block->like != TF_CFG_NONE ? g->blocks[block->like].saved : block->saved, "");
    else
        g->mask = gang_entry_mask(g);
}

static bool has_uniform_scalars(struct gang *g, LLVMValueRef call,
                                const struct tf_elementwise *e)
{
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        if (e->scalar_mask >> i & 1 &&
            !tf_is_uniform(&g->shapes, LLVMGetOperand(call, i)))
            return false;
    }
    return true;
}

static void elementwise(struct gang *g, struct tf_value *v,
                        const struct tf_elementwise *e)
{
    const LLVMValueRef call = v->instruction;
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

static bool has_uniform_operands(struct gang *g, LLVMValueRef call)
{
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(call); i++) {
        if (!tf_is_uniform(&g->shapes, LLVMGetOperand(call, i)))
            return false;
    }
    return true;
}

static bool is_named(LLVMValueRef call, const char *prefix)
{
    const char *name = tf_ir_called_name(call);

    return name && !strncmp(name, prefix, strlen(prefix));
}

void gang_call(struct gang *g, struct tf_value *v)
{
    const struct tf_elementwise *e = tf_elementwise_of(v->instruction);

    if (tf_is_scope_marker(v->instruction))
        LLVMInsertIntoBuilder(g->b, LLVMInstructionClone(v->instruction));
    if (tf_is_marker(v->instruction) || tf_shape_root(v->instruction) >= 0)
        return;
    if (tf_pack_is_apart(v->instruction)) {
        gang_run_apart(g);
        return;
    }
    if (gang_sub_group(g, v))
        return;
    if (tf_shape_is_barrier(v->instruction))
        barrier(g, v);
    else if (v->shape.kind != TF_SHAPE_VARYING)
        gang_define(g, v, gang_clone(g, v->instruction), NULL);
    else if (e && has_uniform_scalars(g, v->instruction, e))
        elementwise(g, v, e);
    else if (e || is_named(v->instruction, "llvm.vector.reduce."))
        gang_unrolled(g, v);
    else if ((is_named(v->instruction, "llvm.memcpy.") ||
              is_named(v->instruction, "llvm.memmove.") ||
              is_named(v->instruction, "llvm.memset.")) &&
             has_uniform_operands(g, v->instruction))
        gang_clone(g, v->instruction);
    else
        gang_lane_loop(g, v);
}
