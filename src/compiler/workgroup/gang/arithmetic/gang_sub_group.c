// SPDX-License-Identifier: MIT
// What the lanes of a gang do together: the roots of sub-groups (compiler/ir/roots.h). A
// lane that is not active is never asked: it stands for the operation's identity, or is
// not chosen.
#include "compiler/ir/roots.h"

#include <stddef.h>

#include "abi/cpu_abi.h"
#include "compiler/workgroup/gang/arithmetic/gang_arithmetic.h"
#include "compiler/workgroup/gang/arithmetic/gang_combine.h"

static LLVMValueRef argument(const struct tf_value *v, unsigned at)
{
    return LLVMGetOperand(v->instruction, at);
}

static LLVMTypeRef bits_type(struct gang *g)
{
    return LLVMIntTypeInContext(g->wg->context, g->width);
}

// ---- places

// Groups are small: nothing wraps. Said where all lanes are active, as of all that is
// computed of lane 0 (rule M4 of the checks); the splitter asks there (split_trim.c).
static LLVMValueRef add_product(struct gang *g, LLVMValueRef a, LLVMValueRef b,
                                LLVMValueRef c)
{
    if (g->mask)
        return LLVMBuildAdd(g->b, LLVMBuildMul(g->b, a, b, ""), c, "");
    return LLVMBuildNUWAdd(g->b, LLVMBuildNUWMul(g->b, a, b, ""), c, "");
}

// The linear local id of lane 0, divided by S.
static LLVMValueRef group_id(struct gang *g)
{
    const LLVMValueRef group = LLVMGetParam(g->to, TF_ITEM_GROUP);
    LLVMValueRef id = LLVMGetParam(g->to, TF_ITEM_LID), row, size;

    if (!g->plan->of.linear) {
        row = LLVMGetParam(g->to, TF_ITEM_LID + 2);
        for (unsigned d = 2; d-- > 0;) {
            size = LLVMBuildLoad2(
                g->b, g->i64,
                tf_wg_address(g->wg, group, TF_WG_GROUP_FIELD(local_size, d)), "");
            row = add_product(g, row, size, LLVMGetParam(g->to, TF_ITEM_LID + d));
        }
        id = row;
    }
    id = LLVMBuildLShr(
        g->b, id, LLVMConstInt(g->i64, (unsigned)__builtin_ctz(g->width), false), "");
    id = LLVMBuildTrunc(g->b, id, g->i32, "");
    if (!g->mask && LLVMIsATruncInst(id))
        LLVMSetNUW(id, true);
    return id;
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
    // The last one, where none is active (gang_last_lane).
    args[0] = LLVMBuildOr(g->b, LLVMBuildBitCast(g->b, g->mask, type, ""),
                          LLVMConstInt(type, 1ull << (g->width - 1), false), "");
    args[1] = LLVMConstInt(g->i1, 0, false);
    zeros = gang_intrinsic(g, "llvm.cttz", &type, 1, args, 2);
    return g->width < 32   ? LLVMBuildZExt(g->b, zeros, g->i32, "")
           : g->width > 32 ? LLVMBuildTrunc(g->b, zeros, g->i32, "")
                           : zeros;
}

// All lanes that execute this name the same lane, in a way that may not show.
static LLVMValueRef broadcast(struct gang *g, const struct tf_value *v)
{
    const LLVMValueRef value = argument(v, 0), index = argument(v, 1);
    LLVMValueRef lane;

    if (tf_is_uniform(g->shapes, value))
        return gang_scalar(g, value);
    if (tf_is_uniform(g->shapes, index))
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

    if (tf_is_uniform(g->shapes, value))
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

// Operands: the value, and which operation, a constant.
static struct gang_combine make_combine(struct gang *g, const struct tf_value *v)
{
    return gang_combine_make(g, LLVMTypeOf(argument(v, 0)),
                             (unsigned)LLVMConstIntGetZExtValue(argument(v, 1)));
}

static LLVMValueRef active_values(const struct gang_combine *c, const struct tf_value *v)
{
    return gang_combine_active(c, gang_vector(c->g, argument(v, 0)));
}

static LLVMValueRef reduce(struct gang *g, const struct tf_value *v)
{
    const struct gang_combine c = make_combine(g, v);

    return gang_combine_all(&c, active_values(&c, v));
}

// Each lane gets the result of its cluster of 2^n lanes, whose size is the third operand.
static LLVMValueRef reduce_clusters(struct gang *g, const struct tf_value *v)
{
    const struct gang_combine c = make_combine(g, v);
    const LLVMValueRef size = argument(v, 2);
    LLVMValueRef values = active_values(&c, v), more, wider;
    int *from = TF_ARENA_NEW(&g->arena, int, g->width);

    for (unsigned step = 1; step < g->width; step *= 2) {
        for (unsigned i = 0; i < g->width; i++)
            from[i] = (int)(i ^ step);
        wider =
            gang_combine_two(&c, values, gang_permute(g, values, NULL, from, g->width));
        more = LLVMBuildICmp(g->b, LLVMIntULT, gang_splat(g, gang_int(g, step)),
                             gang_vector(g, size), "");
        values = LLVMBuildSelect(g->b, more, wider, values, "");
    }
    return values;
}

// The third operand is not 0 for an exclusive scan.
static LLVMValueRef scan(struct gang *g, const struct tf_value *v)
{
    const struct gang_combine c = make_combine(g, v);
    const LLVMValueRef exclusive = argument(v, 2);
    LLVMValueRef values = active_values(&c, v);

    values = gang_combine_scan(&c, values);
    if (LLVMConstIntGetZExtValue(exclusive) == 0)
        return values;
    values = gang_combine_before(&c, values);
    if (c.real && c.op == TF_SUB_GROUP_ADD) // no negative zero where nothing was added
        values = LLVMBuildFAdd(g->b, values, LLVMConstNull(LLVMTypeOf(values)), "");
    return values;
}

// ----

void gang_sub_group(struct gang *g, struct tf_value *v)
{
    switch ((int)v->root) {
    case TF_ROOT_SUB_GROUP_ID:
        gang_define(g, v, group_id(g), NULL);
        return;
    case TF_ROOT_SUB_GROUP_LANE: // of lane 0; the others count up
        gang_define(g, v, gang_int(g, 0), NULL);
        return;
    case TF_ROOT_SUB_GROUP_BALLOT:
        gang_define(g, v, ballot(g, v), NULL);
        return;
    case TF_ROOT_SUB_GROUP_BROADCAST:
        gang_define(g, v, broadcast(g, v), NULL);
        return;
    case TF_ROOT_SUB_GROUP_REDUCE:
        gang_define(g, v, reduce(g, v), NULL);
        return;
    case TF_ROOT_SUB_GROUP_SHUFFLE:
        gang_define(g, v, NULL, shuffle(g, v));
        return;
    case TF_ROOT_SUB_GROUP_CLUSTER:
        gang_define(g, v, NULL, reduce_clusters(g, v));
        return;
    case TF_ROOT_SUB_GROUP_SCAN:
        gang_define(g, v, NULL, scan(g, v));
        return;
    default: // no other root comes here
        return;
    }
}
