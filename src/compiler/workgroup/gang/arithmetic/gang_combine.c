// SPDX-License-Identifier: MIT
#include "compiler/workgroup/gang/arithmetic/gang_combine.h"

#include <stdio.h>

#include "abi/cpu_abi.h"
#include "compiler/workgroup/gang/arithmetic/gang_arithmetic.h"

static bool is_real(LLVMTypeRef type)
{
    const LLVMTypeKind kind = LLVMGetTypeKind(type);

    return kind == LLVMHalfTypeKind || kind == LLVMFloatTypeKind ||
           kind == LLVMDoubleTypeKind;
}

static LLVMValueRef real_identity(const struct gang_combine *c)
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

LLVMValueRef gang_combine_identity(const struct gang_combine *c)
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
static const char *order_name(const struct gang_combine *c)
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
static LLVMValueRef order_halves(const struct gang_combine *c, LLVMValueRef a,
                                 LLVMValueRef b)
{
    const LLVMBuilderRef build = c->g->b;
    const LLVMRealPredicate before =
        c->op == TF_SUB_GROUP_MIN ? LLVMRealOLT : LLVMRealOGT;
    const LLVMValueRef first =
        LLVMBuildSelect(build, LLVMBuildFCmp(build, before, b, a, ""), b, a, "");

    return LLVMBuildSelect(build, LLVMBuildFCmp(build, LLVMRealUNO, a, a, ""), b, first,
                           "");
}

// Of what has no order_name().
static LLVMOpcode opcode_of(const struct gang_combine *c)
{
    switch (c->op) {
    case TF_SUB_GROUP_MUL:
        return c->real ? LLVMFMul : LLVMMul;
    case TF_SUB_GROUP_AND:
        return LLVMAnd;
    case TF_SUB_GROUP_OR:
        return LLVMOr;
    case TF_SUB_GROUP_XOR:
        return LLVMXor;
    default:
        return c->real ? LLVMFAdd : LLVMAdd;
    }
}

LLVMValueRef gang_combine_two(const struct gang_combine *c, LLVMValueRef a,
                              LLVMValueRef b)
{
    const char *order = order_name(c);
    LLVMTypeRef type = LLVMTypeOf(a);
    LLVMValueRef args[2] = {a, b};
    char name[32];

    if (!order)
        return LLVMBuildBinOp(c->g->b, opcode_of(c), a, b, "");
    if (LLVMGetTypeKind(c->type) == LLVMHalfTypeKind)
        return order_halves(c, a, b);
    snprintf(name, sizeof(name), "llvm.%s", order);
    return gang_intrinsic(c->g, name, &type, 1, args, 2);
}

static LLVMValueRef reduce_integers(const struct gang_combine *c, LLVMValueRef values)
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
static LLVMValueRef reduce_reals(const struct gang_combine *c, LLVMValueRef values)
{
    struct gang *g = c->g;
    int *low = TF_ARENA_NEW(&g->arena, int, g->width);
    int *high = TF_ARENA_NEW(&g->arena, int, g->width);

    for (unsigned half = g->width / 2; half; half /= 2) {
        for (unsigned i = 0; i < half; i++) {
            low[i] = (int)i;
            high[i] = (int)(i + half);
        }
        values = gang_combine_two(c, gang_permute(g, values, NULL, low, half),
                                  gang_permute(g, values, NULL, high, half));
    }
    return LLVMBuildExtractElement(g->b, values, gang_int(g, 0), "");
}

struct gang_combine gang_combine_make(struct gang *g, LLVMTypeRef type, unsigned op)
{
    return (struct gang_combine){
        .g = g,
        .op = op & ~(unsigned)TF_SUB_GROUP_UNSIGNED,
        .with_sign = !(op & TF_SUB_GROUP_UNSIGNED),
        .real = is_real(type),
        .type = type,
    };
}

LLVMValueRef gang_combine_active(const struct gang_combine *c, LLVMValueRef values)
{
    struct gang *g = c->g;

    if (!g->mask)
        return values;
    return LLVMBuildSelect(g->b, g->mask, values, gang_splat(g, gang_combine_identity(c)),
                           "");
}

LLVMValueRef gang_combine_all(const struct gang_combine *c, LLVMValueRef values)
{
    return c->real ? reduce_reals(c, values) : reduce_integers(c, values);
}

// values, moved up by `by` lanes; identity comes in.
static LLVMValueRef move_up(const struct gang_combine *c, LLVMValueRef values,
                            unsigned by)
{
    struct gang *g = c->g;
    int *from = TF_ARENA_NEW(&g->arena, int, g->width);

    for (unsigned i = 0; i < g->width; i++)
        from[i] = (int)(i < by ? g->width + i : i - by);
    return gang_permute(g, values, gang_splat(g, gang_combine_identity(c)), from,
                        g->width);
}

LLVMValueRef gang_combine_scan(const struct gang_combine *c, LLVMValueRef values)
{
    for (unsigned by = 1; by < c->g->width; by *= 2)
        values = gang_combine_two(c, move_up(c, values, by), values);
    return values;
}

LLVMValueRef gang_combine_before(const struct gang_combine *c, LLVMValueRef scanned)
{
    return move_up(c, scanned, 1);
}
