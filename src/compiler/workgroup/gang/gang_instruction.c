// SPDX-License-Identifier: MIT
// One instruction, in the form that the plan has for it.
#include <llvm-c/DebugInfo.h>

#include "compiler/workgroup/gang/gang_index.h"
#include "compiler/workgroup/gang/gang_steps.h"
#include "compiler/workgroup/plan/atomic.h"

static void take_phi(struct gang *g, struct tf_value *v)
{
    const LLVMTypeRef type = LLVMTypeOf(v->instruction);
    const LLVMValueRef input = gang_input(g, v);

    if (v->shape.kind == TF_SHAPE_VARYING)
        gang_define(g, v, NULL, LLVMBuildLoad2(g->b, gang_type(g, type), input, ""));
    else
        gang_define(g, v, LLVMBuildLoad2(g->b, type, input, ""), NULL);
}

// One scalar instruction: what the lanes share, or lane 0's value. Of coordinates that
// are taken to be at equal distances there are vectors only.
static void make_one(struct gang *g, struct tf_value *v)
{
    const LLVMValueRef made =
        v->opcode == LLVMFPToSI && v->assumed
            ? LLVMBuildExtractElement(g->b, gang_converted(g, v->instruction),
                                      gang_int(g, 0), "")
            : gang_clone(g, v->instruction);

    if (LLVMGetTypeKind(LLVMTypeOf(v->instruction)) != LLVMVoidTypeKind)
        gang_define(g, v, made, NULL);
}

static void make_shuffle(struct gang *g, struct tf_value *v)
{
    if (v->opcode == LLVMShuffleVector)
        gang_shuffle(g, v);
    else
        gang_element(g, v);
}

static void emit(struct gang *g, struct tf_value *v)
{
    switch ((int)gang_form(g, v)) {
    case TF_FORM_NONE:
    case TF_FORM_FREE:
        return;
    case TF_FORM_SCOPE:
        LLVMInsertIntoBuilder(g->b, LLVMInstructionClone(v->instruction));
        return;
    case TF_FORM_ONE:
        make_one(g, v);
        return;
    case TF_FORM_PHI:
        take_phi(g, v);
        return;
    case TF_FORM_VECTOR:
    case TF_FORM_REAL_DIVISION:
    case TF_FORM_LONG_DIVISION:
        gang_vector_op(g, v);
        return;
    case TF_FORM_HIGH_PRODUCT:
        gang_high_product(g, v);
        return;
    case TF_FORM_PERMUTATION:
        gang_permutation(g, v);
        return;
    case TF_FORM_INTRINSIC:
        gang_elementwise(g, v);
        return;
    case TF_FORM_SHUFFLE:
        make_shuffle(g, v);
        return;
    case TF_FORM_UNROLLED:
        gang_unrolled(g, v);
        return;
    case TF_FORM_LANE_LOOP:
        if (tf_may_be_one_atomic(g->shapes, v))
            gang_atomic_lanes(g, v);
        else
            gang_lane_loop(g, v);
        return;
    case TF_FORM_ONE_ATOMIC:
        gang_one_atomic(g, v);
        return;
    case TF_FORM_SUB_GROUP:
        gang_sub_group(g, v);
        return;
    case TF_FORM_BARRIER:
        gang_barrier(g, v);
        return;
    case TF_FORM_APART:
        gang_run_apart(g);
        return;
    case TF_FORM_INSIDE:
        gang_inside(g, v);
        return;
    case TF_FORM_FETCH:
        gang_fetch(g, v);
        return;
    default:
        if (v->opcode == LLVMStore)
            gang_store(g, v);
        else
            gang_load(g, v);
        return;
    }
}

void gang_at_line(struct gang *g, const struct tf_value *v)
{
    LLVMSetCurrentDebugLocation2(g->b, LLVMInstructionGetDebugLoc(v->instruction));
}

void gang_instruction(struct gang *g, struct tf_value *v)
{
    gang_at_line(g, v);
    emit(g, v);
    gang_define_exact(g, v);
    gang_check_assumed(g, v);
}
