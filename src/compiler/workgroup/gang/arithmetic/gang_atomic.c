// SPDX-License-Identifier: MIT
// Atomic changes of one word by all lanes: a counter, a maximum. The lanes' operands are
// combined first, and one atomic operation of the program's order and scope changes the
// word. Each lane gets the old value that it would have found after the lanes below it,
// as if the lanes had come one after the other, and nobody else between them. Only
// integers, but for exchanges: sums of real numbers depend on the order, and on who comes
// between. Where lanes have addresses of their own these are compared first.
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

static LLVMValueRef change_word(struct gang *g, LLVMValueRef atomic, LLVMValueRef address,
                                LLVMValueRef by)
{
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

// What all lanes find of a word that they combine their operands with; NULL where nobody
// asks.
static LLVMValueRef combine(struct gang *g, const struct tf_value *v,
                            LLVMValueRef address)
{
    const LLVMValueRef atomic = v->instruction;
    const LLVMTypeRef type = LLVMTypeOf(atomic);
    const struct gang_combine c =
        gang_combine_make(g, type, (unsigned)tf_atomic_operation(atomic));
    LLVMValueRef all, upto, before;

    if (!LLVMGetFirstUse(atomic)) {
        change_word(g, atomic, address, combine_all(&c, v));
        return NULL;
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
    return found(&c, atomic, change_word(g, atomic, address, all), before);
}

// `values`, moved up by `by` lanes; the lanes below are `fill`'s.
static LLVMValueRef move_up(struct gang *g, LLVMValueRef values, LLVMValueRef fill,
                            unsigned by)
{
    int *from = TF_ARENA_NEW(&g->arena, int, g->width);

    for (unsigned i = 0; i < g->width; i++)
        from[i] = (int)(i < by ? g->width + i : i - by);
    return gang_permute(g, values, fill, from, g->width);
}

// The same of a word that each lane leaves its operand in: a lane finds what the next
// active one below left, the first one what was there.
static LLVMValueRef exchange(struct gang *g, const struct tf_value *v,
                             LLVMValueRef address)
{
    const LLVMValueRef atomic = v->instruction, none = LLVMConstNull(g->mask_type);
    LLVMValueRef values = gang_vector(g, LLVMGetOperand(atomic, 1)), left = g->mask, old;

    old = change_word(g, atomic, address,
                      LLVMBuildExtractElement(g->b, values, gang_last_lane(g), ""));
    if (!LLVMGetFirstUse(atomic))
        return NULL;
    old = gang_splat(g, old);
    if (!g->mask)
        return move_up(g, values, old, 1);
    // Of each lane, what the last active one up to it leaves, and whether there is one.
    for (unsigned by = 1; by < g->width; by *= 2) {
        values = LLVMBuildSelect(g->b, left, values, move_up(g, values, values, by), "");
        left = LLVMBuildOr(g->b, left, move_up(g, left, none, by), "");
    }
    return LLVMBuildSelect(g->b, move_up(g, left, none, 1), move_up(g, values, old, 1),
                           old, "");
}

static LLVMValueRef change_for_all(struct gang *g, const struct tf_value *v,
                                   LLVMValueRef address)
{
    return tf_atomic_is_exchange(v->instruction) ? exchange(g, v, address)
                                                 : combine(g, v, address);
}

void gang_one_atomic(struct gang *g, struct tf_value *v)
{
    const LLVMValueRef address = gang_scalar(g, LLVMGetOperand(v->instruction, 0));
    const LLVMValueRef all = change_for_all(g, v, address);

    if (all)
        gang_define(g, v, NULL, all);
}

// Whether all active lanes mean the word at `address`.
static LLVMValueRef is_one_word(struct gang *g, LLVMValueRef addresses,
                                LLVMValueRef address)
{
    LLVMValueRef others =
        LLVMBuildICmp(g->b, LLVMIntNE, addresses, gang_splat(g, address), "");

    if (g->mask)
        others = LLVMBuildSelect(g->b, g->mask, others, LLVMConstNull(g->mask_type), "");
    return LLVMBuildNot(g->b, gang_any(g, others), "");
}

static LLVMBasicBlockRef add_block(struct gang *g, const char *name)
{
    return LLVMAppendBasicBlockInContext(g->wg->context, g->to, name);
}

void gang_atomic_lanes(struct gang *g, struct tf_value *v)
{
    const LLVMValueRef atomic = v->instruction, operand = LLVMGetOperand(atomic, 1);
    const LLVMBasicBlockRef one = add_block(g, "one_word"), each = add_block(g, "words"),
                            done = add_block(g, "changed");
    const LLVMValueRef results =
        LLVMGetFirstUse(atomic) ? gang_slot(g, gang_type(g, LLVMTypeOf(atomic)), "found")
                                : NULL;
    const LLVMValueRef addresses = gang_vector(g, LLVMGetOperand(atomic, 0));
    const LLVMValueRef address =
        LLVMBuildExtractElement(g->b, addresses, gang_last_lane(g), "");
    LLVMValueRef all;

    // What both ways need is made before they part.
    if (tf_shape_of(g->shapes, operand).kind == TF_SHAPE_AFFINE)
        (void)gang_scalar(g, operand);
    (void)gang_vector(g, operand);
    LLVMBuildCondBr(g->b, is_one_word(g, addresses, address), one, each);
    LLVMPositionBuilderAtEnd(g->b, one);
    all = change_for_all(g, v, address);
    if (results)
        LLVMBuildStore(g->b, all, results);
    LLVMBuildBr(g->b, done);
    LLVMPositionBuilderAtEnd(g->b, each);
    gang_lane_loop(g, v);
    if (results)
        LLVMBuildStore(g->b, gang_vector(g, atomic), results);
    LLVMBuildBr(g->b, done);
    LLVMPositionBuilderAtEnd(g->b, done);
    if (results)
        gang_define(g, v, NULL,
                    LLVMBuildLoad2(g->b, gang_type(g, LLVMTypeOf(atomic)), results, ""));
}
