// SPDX-License-Identifier: MIT
// What the lanes of a gang do together: the roots of wg/sub_group.h. A lane that is not
// active is never asked: it stands for the operation's identity, or is not chosen.
#include "devices/cpu/wg/sub_group.h"

#include <stddef.h>
#include <stdio.h>

#include "devices/cpu/cpu_abi.h"
#include "devices/cpu/wg/gang_emit.h"

static LLVMValueRef argument(const struct tf_value *v, unsigned at)
{
    return LLVMGetOperand(v->instruction, at);
}

static LLVMTypeRef bits_type(struct gang *g)
{
    return LLVMIntTypeInContext(g->wg->context, g->width);
}

// ---- places

// The linear local id of lane 0, divided by S.
static LLVMValueRef group_id(struct gang *g)
{
    const LLVMValueRef group = LLVMGetParam(g->to, TF_ITEM_GROUP);
    LLVMValueRef id = LLVMGetParam(g->to, TF_ITEM_LID), row, size;

    if (!g->linear) {
        row = LLVMGetParam(g->to, TF_ITEM_LID + 2);
        for (unsigned d = 2; d-- > 0;) {
            size = LLVMBuildLoad2(
                g->b, g->i64,
                tf_wg_address(g->wg, group,
                              offsetof(struct tf_group, local_size) + d * sizeof(tf_u64)),
                "");
            row = LLVMBuildMul(g->b, row, size, "");
            row = LLVMBuildAdd(g->b, row, LLVMGetParam(g->to, TF_ITEM_LID + d), "");
        }
        id = row;
    }
    id = LLVMBuildUDiv(g->b, id, LLVMConstInt(g->i64, g->width, false), "");
    return LLVMBuildTrunc(g->b, id, g->i32, "");
}

static LLVMValueRef ballot(struct gang *g, const struct tf_value *v)
{
    const LLVMValueRef predicate = gang_vector(g, argument(v, 0));
    LLVMValueRef lanes = LLVMBuildICmp(g->b, LLVMIntNE, predicate,
                                       LLVMConstNull(LLVMTypeOf(predicate)), "");

    if (g->mask)
        lanes = LLVMBuildSelect(g->b, g->mask, lanes, LLVMConstNull(g->mask_type), "");
    lanes = LLVMBuildBitCast(g->b, lanes, bits_type(g), "");
    return g->width < 64 ? LLVMBuildZExt(g->b, lanes, g->i64, "") : lanes;
}

// ---- one lane's value for the others

static LLVMValueRef first_active_lane(struct gang *g)
{
    LLVMTypeRef type = bits_type(g);
    LLVMValueRef args[2], zeros;

    if (!g->mask)
        return gang_int(g, 0);
    args[0] = LLVMBuildBitCast(g->b, g->mask, type, "");
    args[1] = LLVMConstInt(g->i1, 0, false);
    zeros = gang_intrinsic(g, "llvm.cttz", &type, 1, args, 2);
    zeros = g->width < 32   ? LLVMBuildZExt(g->b, zeros, g->i32, "")
            : g->width > 32 ? LLVMBuildTrunc(g->b, zeros, g->i32, "")
                            : zeros;
    // Not past the end, even where no lane is active.
    return LLVMBuildAnd(g->b, zeros, gang_int(g, g->width - 1), "");
}

// All lanes that execute this name the same lane, in a way that may not show.
static LLVMValueRef broadcast(struct gang *g, const struct tf_value *v)
{
    const LLVMValueRef value = argument(v, 0), index = argument(v, 1);
    LLVMValueRef lane;

    if (tf_is_uniform(&g->shapes, value))
        return gang_scalar(g, value);
    if (tf_is_uniform(&g->shapes, index))
        lane = gang_scalar(g, index);
    else
        lane = LLVMBuildExtractElement(g->b, gang_vector(g, index), first_active_lane(g),
                                       "");
    lane = LLVMBuildAnd(g->b, lane, gang_int(g, g->width - 1), "");
    return LLVMBuildExtractElement(g->b, gang_vector(g, value), lane, "");
}

// In this form the code generator sees one permutation, or makes one of constants.
static LLVMValueRef shuffle(struct gang *g, const struct tf_value *v)
{
    const LLVMValueRef value = argument(v, 0), index = argument(v, 1);
    LLVMValueRef from, lanes, result;

    if (tf_is_uniform(&g->shapes, value))
        return gang_vector(g, value);
    from = LLVMBuildFreeze(g->b, gang_vector(g, value), "");
    lanes = LLVMBuildAnd(g->b, gang_vector(g, index),
                         gang_splat(g, gang_int(g, g->width - 1)), "");
    result = LLVMGetPoison(LLVMTypeOf(from));
    for (unsigned i = 0; i < g->width; i++) {
        const LLVMValueRef lane =
            LLVMBuildExtractElement(g->b, lanes, gang_int(g, i), "");

        result = LLVMBuildInsertElement(g->b, result,
                                        LLVMBuildExtractElement(g->b, from, lane, ""),
                                        gang_int(g, i), "");
    }
    return result;
}

// ---- operations

struct combine {
    struct gang *g;
    unsigned op; // enum tf_sub_group_combine
    bool with_sign, real;
    LLVMTypeRef type;
};

static bool is_real(LLVMTypeRef type)
{
    const LLVMTypeKind kind = LLVMGetTypeKind(type);

    return kind == LLVMHalfTypeKind || kind == LLVMFloatTypeKind ||
           kind == LLVMDoubleTypeKind;
}

// Operands: the value, and which operation, a constant.
static struct combine make_combine(struct gang *g, const struct tf_value *v)
{
    struct combine c = {.g = g, .type = LLVMTypeOf(argument(v, 0))};
    const LLVMValueRef op = argument(v, 1);

    c.real = is_real(c.type);
    if (!LLVMIsAConstantInt(op)) {
        gang_refuse(g, "an unknown operation of a sub-group");
        return c;
    }
    c.op = (unsigned)LLVMConstIntGetZExtValue(op);
    c.with_sign = !(c.op & TF_SUB_GROUP_UNSIGNED);
    c.op &= ~(unsigned)TF_SUB_GROUP_UNSIGNED;
    return c;
}

static LLVMValueRef real_identity(const struct combine *c)
{
    switch (c->op) {
    case TF_SUB_GROUP_MUL:
        return LLVMConstReal(c->type, 1.0);
    case TF_SUB_GROUP_MIN:
        return LLVMConstReal(c->type, __builtin_inf());
    case TF_SUB_GROUP_MAX:
        return LLVMConstReal(c->type, -__builtin_inf());
    default:
        return LLVMConstReal(c->type, -0.0);
    }
}

static LLVMValueRef identity(const struct combine *c)
{
    unsigned bits;
    uint64_t highest;

    if (c->real)
        return real_identity(c);
    bits = LLVMGetIntTypeWidth(c->type);
    highest = (uint64_t)1 << (bits - 1);
    switch (c->op) {
    case TF_SUB_GROUP_MUL:
        return LLVMConstInt(c->type, 1, false);
    case TF_SUB_GROUP_MIN:
        return c->with_sign ? LLVMConstInt(c->type, highest - 1, false)
                            : LLVMConstAllOnes(c->type);
    case TF_SUB_GROUP_MAX:
        return LLVMConstInt(c->type, c->with_sign ? highest : 0, false);
    case TF_SUB_GROUP_AND:
        return LLVMConstAllOnes(c->type);
    default:
        return LLVMConstNull(c->type);
    }
}

// "umin", as in llvm.umin and llvm.vector.reduce.umin; NULL for plain arithmetic.
static const char *order_name(const struct combine *c)
{
    if (c->op != TF_SUB_GROUP_MIN && c->op != TF_SUB_GROUP_MAX)
        return NULL;
    if (c->real)
        return c->op == TF_SUB_GROUP_MIN ? "minnum" : "maxnum";
    if (c->with_sign)
        return c->op == TF_SUB_GROUP_MIN ? "smin" : "smax";
    return c->op == TF_SUB_GROUP_MIN ? "umin" : "umax";
}

// By comparisons: of minnum and maxnum of halves LLVM 22 makes wrong code, or calls of
// libm. A number wins over a NaN.
static LLVMValueRef order_halves(const struct combine *c, LLVMValueRef a, LLVMValueRef b)
{
    const LLVMBuilderRef build = c->g->b;
    const LLVMRealPredicate before =
        c->op == TF_SUB_GROUP_MIN ? LLVMRealOLT : LLVMRealOGT;
    const LLVMValueRef first =
        LLVMBuildSelect(build, LLVMBuildFCmp(build, before, b, a, ""), b, a, "");

    return LLVMBuildSelect(build, LLVMBuildFCmp(build, LLVMRealUNO, a, a, ""), b, first,
                           "");
}

static LLVMValueRef apply(const struct combine *c, LLVMValueRef a, LLVMValueRef b)
{
    static const LLVMOpcode opcodes[][2] = {
        [TF_SUB_GROUP_ADD] = {LLVMAdd, LLVMFAdd},
        [TF_SUB_GROUP_MUL] = {LLVMMul, LLVMFMul},
        [TF_SUB_GROUP_AND] = {LLVMAnd, LLVMAnd},
        [TF_SUB_GROUP_OR] = {LLVMOr, LLVMOr},
        [TF_SUB_GROUP_XOR] = {LLVMXor, LLVMXor},
    };
    const char *order = order_name(c);
    LLVMTypeRef type = LLVMTypeOf(a);
    LLVMValueRef args[2] = {a, b};
    char name[32];

    if (!order)
        return LLVMBuildBinOp(c->g->b, opcodes[c->op][c->real], a, b, "");
    if (LLVMGetTypeKind(c->type) == LLVMHalfTypeKind)
        return order_halves(c, a, b);
    snprintf(name, sizeof(name), "llvm.%s", order);
    return gang_intrinsic(c->g, name, &type, 1, args, 2);
}

// The operand, with the identity in the lanes that are not active.
static LLVMValueRef active_values(const struct combine *c, const struct tf_value *v)
{
    struct gang *g = c->g;
    const LLVMValueRef values = gang_vector(g, argument(v, 0));

    if (!g->mask)
        return values;
    return LLVMBuildSelect(g->b, g->mask, values, gang_splat(g, identity(c)), "");
}

static LLVMValueRef reduce_integers(const struct combine *c, LLVMValueRef values)
{
    static const char *const names[] = {
        [TF_SUB_GROUP_ADD] = "add", [TF_SUB_GROUP_MUL] = "mul",
        [TF_SUB_GROUP_AND] = "and", [TF_SUB_GROUP_OR] = "or",
        [TF_SUB_GROUP_XOR] = "xor",
    };
    const char *order = order_name(c);
    LLVMTypeRef type = LLVMTypeOf(values);
    char name[40];

    snprintf(name, sizeof(name), "llvm.vector.reduce.%s", order ? order : names[c->op]);
    return gang_intrinsic(c->g, name, &type, 1, &values, 1);
}

// Half on half: the same order of operations on every machine.
static LLVMValueRef reduce_reals(const struct combine *c, LLVMValueRef values)
{
    struct gang *g = c->g;
    int *low = TF_ARENA_NEW(&g->arena, int, g->width);
    int *high = TF_ARENA_NEW(&g->arena, int, g->width);

    for (unsigned half = g->width / 2; half; half /= 2) {
        for (unsigned i = 0; i < half; i++) {
            low[i] = (int)i;
            high[i] = (int)(i + half);
        }
        values = apply(c, gang_permute(g, values, NULL, low, half),
                       gang_permute(g, values, NULL, high, half));
    }
    return LLVMBuildExtractElement(g->b, values, gang_int(g, 0), "");
}

static LLVMValueRef reduce(struct gang *g, const struct tf_value *v)
{
    const struct combine c = make_combine(g, v);
    const LLVMValueRef values = active_values(&c, v);

    return c.real ? reduce_reals(&c, values) : reduce_integers(&c, values);
}

// Each lane gets the result of its cluster of 2^n lanes, whose size is the third operand.
static LLVMValueRef reduce_clusters(struct gang *g, const struct tf_value *v)
{
    const struct combine c = make_combine(g, v);
    const LLVMValueRef size = argument(v, 2);
    LLVMValueRef values = active_values(&c, v), more, wider;
    int *from = TF_ARENA_NEW(&g->arena, int, g->width);

    for (unsigned step = 1; step < g->width; step *= 2) {
        for (unsigned i = 0; i < g->width; i++)
            from[i] = (int)(i ^ step);
        wider = apply(&c, values, gang_permute(g, values, NULL, from, g->width));
        more = LLVMBuildICmp(g->b, LLVMIntULT, gang_splat(g, gang_int(g, step)),
                             gang_vector(g, size), "");
        values = LLVMBuildSelect(g->b, more, wider, values, "");
    }
    return values;
}

// values, moved up by `by` lanes; identity comes in.
static LLVMValueRef move_up(const struct combine *c, LLVMValueRef values, unsigned by)
{
    struct gang *g = c->g;
    int *from = TF_ARENA_NEW(&g->arena, int, g->width);

    for (unsigned i = 0; i < g->width; i++)
        from[i] = (int)(i < by ? g->width + i : i - by);
    return gang_permute(g, values, gang_splat(g, identity(c)), from, g->width);
}

// The third operand is not 0 for an exclusive scan.
static LLVMValueRef scan(struct gang *g, const struct tf_value *v)
{
    const struct combine c = make_combine(g, v);
    const LLVMValueRef exclusive = argument(v, 2);
    LLVMValueRef values = active_values(&c, v);

    if (!LLVMIsAConstantInt(exclusive)) {
        gang_refuse(g, "an unknown scan of a sub-group");
        return values;
    }
    for (unsigned by = 1; by < g->width; by *= 2)
        values = apply(&c, move_up(&c, values, by), values);
    if (LLVMConstIntGetZExtValue(exclusive) == 0)
        return values;
    values = move_up(&c, values, 1);
    if (c.real && c.op == TF_SUB_GROUP_ADD) // no negative zero where nothing was added
        values = LLVMBuildFAdd(g->b, values, LLVMConstNull(LLVMTypeOf(values)), "");
    return values;
}

// ----

bool gang_sub_group(struct gang *g, struct tf_value *v)
{
    switch (tf_sub_group_root(v->instruction)) {
    case TF_SUB_GROUP_NONE:
    case TF_SUB_GROUP_WIDTH: // the ids pass has put a number in its place
        return false;
    case TF_SUB_GROUP_BARRIER: // lanes are in step; the fences stand beside it
        return true;
    case TF_SUB_GROUP_ID:
        gang_define(g, v, group_id(g), NULL);
        return true;
    case TF_SUB_GROUP_LANE: // of lane 0; the others count up
        gang_define(g, v, gang_int(g, 0), NULL);
        return true;
    case TF_SUB_GROUP_BALLOT:
        gang_define(g, v, ballot(g, v), NULL);
        return true;
    case TF_SUB_GROUP_BROADCAST:
        gang_define(g, v, broadcast(g, v), NULL);
        return true;
    case TF_SUB_GROUP_REDUCE:
        gang_define(g, v, reduce(g, v), NULL);
        return true;
    case TF_SUB_GROUP_SHUFFLE:
        gang_define(g, v, NULL, shuffle(g, v));
        return true;
    case TF_SUB_GROUP_CLUSTER:
        gang_define(g, v, NULL, reduce_clusters(g, v));
        return true;
    case TF_SUB_GROUP_SCAN:
        gang_define(g, v, NULL, scan(g, v));
        return true;
    }
    return false;
}
