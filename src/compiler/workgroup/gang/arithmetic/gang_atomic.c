// SPDX-License-Identifier: MIT
// Atomic changes of one word by all lanes: a counter, a maximum. The lanes' operands are
// combined first, and one atomic operation of the program's order and scope changes the
// word. Each lane gets the old value that it would have found after the lanes below it,
// as if the lanes had come one after the other, and nobody else between them. Only
// integers: sums of real numbers depend on the order, and on who comes between.
#include "abi/cpu_abi.h"
#include "compiler/workgroup/gang/arithmetic/gang_arithmetic.h"
#include "compiler/workgroup/gang/arithmetic/gang_combine.h"
#include "compiler/workgroup/plan/atomic.h"

// Of the same operand n times: n * operand.
static bool is_repeated_sum(const struct gang *g, const struct tf_value *v)
{
    return tf_atomic_operation(v->instruction) == TF_SUB_GROUP_ADD &&
           tf_is_uniform(g->shapes, LLVMGetOperand(v->instruction, 1));
}

static LLVMValueRef fit(struct gang *g, LLVMValueRef count, LLVMTypeRef type)
{
    return LLVMBuildIntCast2(g->b, count, type, false, "");
}

// The number of active lanes.
static LLVMValueRef count_lanes(struct gang *g, LLVMTypeRef type)
{
    LLVMTypeRef bits = LLVMIntTypeInContext(g->wg->context, g->width);
    LLVMValueRef mask;

    if (!g->mask)
        return LLVMConstInt(type, g->width, false);
    mask = LLVMBuildBitCast(g->b, g->mask, bits, "");
    if (g->width < 32) {
        mask = LLVMBuildZExt(g->b, mask, g->i32, "");
        bits = g->i32;
    }
    return fit(g, gang_intrinsic(g, "llvm.ctpop", &bits, 1, &mask, 1), type);
}

static LLVMValueRef change_word(struct gang *g, LLVMValueRef atomic, LLVMValueRef by)
{
    const LLVMValueRef address = gang_scalar(g, LLVMGetOperand(atomic, 0));
    const LLVMValueRef clone = LLVMInstructionClone(atomic);

    LLVMInsertIntoBuilder(g->b, clone);
    LLVMSetOperand(clone, 0, address);
    LLVMSetOperand(clone, 1, by);
    return clone;
}

// What lane finds where the first one finds `old` and those below changed it by `before`.
static LLVMValueRef found(const struct gang_combine *c, LLVMValueRef atomic,
                          LLVMValueRef old, LLVMValueRef before)
{
    struct gang *g = c->g;

    if (LLVMGetAtomicRMWBinOp(atomic) == LLVMAtomicRMWBinOpSub)
        return LLVMBuildSub(g->b, gang_splat(g, old), before, "");
    return gang_combine_two(c, gang_splat(g, old), before);
}

static LLVMValueRef combine_all(const struct gang_combine *c, const struct tf_value *v)
{
    struct gang *g = c->g;
    const LLVMValueRef operand = LLVMGetOperand(v->instruction, 1);

    if (is_repeated_sum(g, v))
        return LLVMBuildMul(g->b, gang_scalar(g, operand), count_lanes(g, c->type), "");
    if (tf_is_uniform(g->shapes, operand) && c->op != TF_SUB_GROUP_XOR)
        return gang_scalar(g, operand); // once or many times is the same
    return gang_combine_all(c, gang_combine_active(c, gang_vector(g, operand)));
}

void gang_one_atomic(struct gang *g, struct tf_value *v)
{
    const LLVMValueRef atomic = v->instruction;
    const LLVMTypeRef type = LLVMTypeOf(atomic);
    const struct gang_combine c =
        gang_combine_make(g, type, (unsigned)tf_atomic_operation(atomic));
    LLVMValueRef all, upto, before;

    if (!LLVMGetFirstUse(atomic)) {
        change_word(g, atomic, combine_all(&c, v));
        return;
    }
    if (is_repeated_sum(g, v) && !g->mask) {
        all = combine_all(&c, v);
        before = LLVMBuildMul(g->b, gang_ramp(g, type, 1),
                              gang_vector(g, LLVMGetOperand(atomic, 1)), "");
    } else {
        upto = gang_combine_scan(
            &c, gang_combine_active(&c, gang_vector(g, LLVMGetOperand(atomic, 1))));
        all = LLVMBuildExtractElement(g->b, upto, gang_int(g, g->width - 1), "");
        before = gang_combine_before(&c, upto);
    }
    gang_define(g, v, NULL, found(&c, atomic, change_word(g, atomic, all), before));
}
