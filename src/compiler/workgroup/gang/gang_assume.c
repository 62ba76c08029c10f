// SPDX-License-Identifier: MIT
// Looks whether a gang is as most gangs are (analysis/assume.c), in two scalar
// comparisons; one that is different starts again in the masked function, which takes
// nothing for granted, or as the rows of its pack.
#include <string.h>

#include "compiler/ir/elementwise.h"
#include "compiler/workgroup/gang/gang_index.h"
#include "compiler/workgroup/gang/gang_steps.h"

enum { MOST_TWICE = 800 }; // values of a kernel whose masked function is there twice

static bool has_lanes(const struct tf_shapes *s, LLVMValueRef value)
{
    const struct tf_shape shape = tf_shape_of(s, value);

    return shape.kind == TF_SHAPE_AFFINE && shape.stride != 0;
}

static LLVMValueRef last_lane(struct gang *g, LLVMValueRef value)
{
    const int64_t stride = tf_shape_of(g->shapes, value).stride;
    const uint64_t steps = (uint64_t)stride * (g->width - 1);
    const LLVMValueRef first = gang_scalar(g, value);

    if (stride == 0)
        return first;
    return LLVMBuildAdd(g->b, first, LLVMConstInt(LLVMTypeOf(first), steps, true), "");
}

// The lanes between the first and the last have values between theirs.
static LLVMValueRef in_order(struct gang *g, LLVMValueRef value, bool with_sign)
{
    const int64_t stride = tf_shape_of(g->shapes, value).stride;
    const LLVMValueRef first = gang_scalar(g, value), last = last_lane(g, value);

    return LLVMBuildICmp(g->b, with_sign ? LLVMIntSLE : LLVMIntULE,
                         stride > 0 ? first : last, stride > 0 ? last : first, "");
}

static bool is_signed(LLVMIntPredicate predicate)
{
    return predicate == LLVMIntSLT || predicate == LLVMIntSLE ||
           predicate == LLVMIntSGT || predicate == LLVMIntSGE;
}

// No lane has the other value.
static LLVMValueRef all_differ(struct gang *g, LLVMValueRef value, LLVMValueRef other)
{
    const bool up = tf_shape_of(g->shapes, value).stride > 0;
    const LLVMValueRef first = gang_scalar(g, value), last = last_lane(g, value);
    const LLVMValueRef low = up ? first : last, high = up ? last : first;

    return LLVMBuildICmp(g->b, LLVMIntUGT,
                         LLVMBuildSub(g->b, gang_scalar(g, other), low, ""),
                         LLVMBuildSub(g->b, high, low, ""), "");
}

static LLVMValueRef lanes_agree(struct gang *g, LLVMValueRef compare)
{
    const LLVMIntPredicate predicate = LLVMGetICmpPredicate(compare);
    const LLVMValueRef a = LLVMGetOperand(compare, 0), b = LLVMGetOperand(compare, 1);
    const LLVMValueRef lanes = has_lanes(g->shapes, a) ? a : b;
    LLVMValueRef first, last;

    if (predicate == LLVMIntEQ || predicate == LLVMIntNE)
        return all_differ(g, lanes, lanes == a ? b : a);
    first = LLVMBuildICmp(g->b, predicate, gang_scalar(g, a), gang_scalar(g, b), "");
    last = LLVMBuildICmp(g->b, predicate, last_lane(g, a), last_lane(g, b), "");
    return LLVMBuildAnd(g->b, LLVMBuildICmp(g->b, LLVMIntEQ, first, last, ""),
                        in_order(g, lanes, is_signed(predicate)), "");
}

static LLVMValueRef limits_none(struct gang *g, LLVMValueRef call)
{
    const bool with_sign = tf_elementwise_of(call)->name[0] == 's';
    const bool is_min = tf_elementwise_of(call)->name[2] == 'i';
    const LLVMValueRef a = LLVMGetOperand(call, 0), b = LLVMGetOperand(call, 1);
    const LLVMValueRef lanes = has_lanes(g->shapes, a) ? a : b;
    const LLVMValueRef limit = gang_scalar(g, lanes == a ? b : a);
    const LLVMIntPredicate inside = is_min ? (with_sign ? LLVMIntSLE : LLVMIntULE)
                                           : (with_sign ? LLVMIntSGE : LLVMIntUGE);
    const LLVMValueRef first =
        LLVMBuildICmp(g->b, inside, gang_scalar(g, lanes), limit, "");
    const LLVMValueRef last = LLVMBuildICmp(g->b, inside, last_lane(g, lanes), limit, "");

    return LLVMBuildAnd(g->b, LLVMBuildAnd(g->b, first, last, ""),
                        in_order(g, lanes, with_sign), "");
}

// All lanes, because rounding may put one of them elsewhere.
static LLVMValueRef keeps_steps(struct gang *g, const struct tf_value *v)
{
    const LLVMValueRef lanes = gang_converted(g, v->instruction);
    const LLVMTypeRef wide = LLVMTypeOf(lanes);
    const LLVMValueRef steps =
        LLVMBuildAdd(g->b, gang_splat(g, gang_scalar(g, v->instruction)),
                     gang_ramp(g, LLVMGetElementType(wide), v->shape.stride), "");
    const LLVMValueRef differ =
        gang_any(g, LLVMBuildICmp(g->b, LLVMIntNE, lanes, steps, ""));

    return LLVMBuildAnd(g->b, LLVMBuildNot(g->b, differ, ""),
                        in_order(g, v->instruction, true), "");
}

static void add_attr(struct gang *g, LLVMValueRef call, const char *name)
{
    const unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));

    LLVMAddCallSiteAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                             LLVMCreateEnumAttribute(g->wg->context, kind, 0));
}

static void start_again(struct gang *g)
{
    LLVMValueRef masked, args[TF_ITEM_PARAMS + 1], call;

    if (g->plan->of.rows) {
        gang_run_apart(g);
        LLVMBuildBr(g->b, g->end);
        return;
    }
    masked = gang_function(g, true);
    for (unsigned i = 0; i < TF_ITEM_PARAMS; i++)
        args[i] = LLVMGetParam(g->to, i);
    args[TF_ITEM_PARAMS] = LLVMConstInt(g->i64, g->width, false);
    call = LLVMBuildCall2(g->b, LLVMGlobalGetValueType(masked), masked, args,
                          TF_ITEM_PARAMS + 1, "");
    // Where all gangs of a launch may come by, it is code of its own: all lanes are
    // there.
    if (tf_plan_may_start_again(g->plan) && g->shapes->value_count <= MOST_TWICE) {
        add_attr(g, call, "alwaysinline");
    } else {
        add_attr(g, call, "noinline");
        add_attr(g, call, "cold");
    }
    LLVMBuildBr(g->b, g->end);
}

// One for all that is looked at: nothing but the function's arguments is needed there.
static LLVMBasicBlockRef different(struct gang *g)
{
    const LLVMBasicBlockRef at = LLVMGetInsertBlock(g->b);

    if (g->different)
        return g->different;
    g->different = LLVMAppendBasicBlockInContext(g->wg->context, g->to, "different");
    LLVMPositionBuilderAtEnd(g->b, g->different);
    start_again(g);
    LLVMPositionBuilderAtEnd(g->b, at);
    return g->different;
}

// Of the first and the last lane, in numbers that do not wrap: between them are the
// others.
static LLVMValueRef ends_inside(struct gang *g, LLVMValueRef position, LLVMValueRef least,
                                LLVMValueRef most)
{
    const struct tf_shape shape = tf_shape_of(g->shapes, position);
    const int64_t steps = (int64_t)(int32_t)shape.stride * (int64_t)(g->width - 1);
    const LLVMValueRef first = LLVMBuildSExt(g->b, gang_scalar(g, position), g->i64, "");
    const LLVMValueRef last =
        LLVMBuildAdd(g->b, first, LLVMConstInt(g->i64, (uint64_t)steps, true), "");

    return LLVMBuildAnd(
        g->b, LLVMBuildICmp(g->b, LLVMIntSGE, steps < 0 ? last : first, least, ""),
        LLVMBuildICmp(g->b, LLVMIntSLE, steps < 0 ? first : last, most, ""), "");
}

// Of all active lanes, wherever they are.
static LLVMValueRef lanes_inside(struct gang *g, LLVMValueRef position,
                                 LLVMValueRef least, LLVMValueRef most)
{
    const LLVMValueRef lanes =
        LLVMBuildSExt(g->b, LLVMBuildFreeze(g->b, gang_vector(g, position), ""),
                      gang_type(g, g->i64), "");
    LLVMValueRef outside = LLVMBuildOr(
        g->b, LLVMBuildICmp(g->b, LLVMIntSLT, lanes, gang_splat(g, least), ""),
        LLVMBuildICmp(g->b, LLVMIntSGT, lanes, gang_splat(g, most), ""), "");

    if (g->mask)
        outside = LLVMBuildAnd(g->b, outside, g->mask, "");
    return LLVMBuildNot(g->b, gang_any(g, outside), "");
}

// Gangs with masks ask nothing.
void gang_inside(struct gang *g, struct tf_value *v)
{
    const LLVMValueRef position = LLVMGetOperand(v->instruction, 0);
    const LLVMValueRef least = LLVMGetOperand(v->instruction, 1),
                       most = LLVMGetOperand(v->instruction, 2);
    LLVMValueRef inside;

    if (g->plan->of.masked || !tf_is_uniform(g->shapes, least) ||
        !tf_is_uniform(g->shapes, most)) {
        gang_define(g, v, LLVMConstNull(LLVMTypeOf(v->instruction)), NULL);
        return;
    }
    inside = tf_shape_of(g->shapes, position).kind == TF_SHAPE_AFFINE
                 ? ends_inside(g, position, gang_scalar(g, least), gang_scalar(g, most))
                 : lanes_inside(g, position, gang_scalar(g, least), gang_scalar(g, most));
    // Frozen: it may be asked where the program would not ask.
    gang_define(g, v, LLVMBuildFreeze(g->b, inside, ""), NULL);
}

void gang_check_assumed(struct gang *g, const struct tf_value *v)
{
    LLVMBasicBlockRef same;
    LLVMValueRef is_so;

    if (!v->assumed)
        return;
    same = LLVMAppendBasicBlockInContext(g->wg->context, g->to, "same");
    if (v->opcode == LLVMCall)
        is_so = limits_none(g, v->instruction);
    else if (v->opcode == LLVMICmp)
        is_so = lanes_agree(g, v->instruction);
    else if (v->opcode == LLVMFPToSI)
        is_so = keeps_steps(g, v);
    else
        is_so = gang_index_keeps(g, v);
    // Frozen: LLVM may have moved the value to where nobody needs it to be one.
    is_so = LLVMBuildFreeze(g->b, is_so, "");
    LLVMBuildCondBr(g->b, is_so, same, different(g));
    LLVMPositionBuilderAtEnd(g->b, same);
}
