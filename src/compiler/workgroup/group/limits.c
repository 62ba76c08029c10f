// SPDX-License-Identifier: MIT
// What a kernel compares its global ids with is computed once for a range of groups, from
// arguments: copies of the instructions, without what they promise of their operands,
// which the items whose way does not lead there do not keep.
#include "compiler/workgroup/group/limits.h"

#include <string.h>

#include <llvm-c/Core.h>

#include "abi/cpu_abi.h"
#include "compiler/ir/elementwise.h"
#include "compiler/ir/ir_util.h"
#include "compiler/workgroup/group/limit_find.h"
#include "compiler/workgroup/kernel/wg.h"

enum {
    MOST_COPIES = 48,
    HIGHEST_ID = INT32_MAX,
    ID_BITS_AND_ONE = 33, // beyond all ids, with either sign
};

struct copier {
    struct tf_wg *wg;
    LLVMBuilderRef b;
    LLVMValueRef to; // the function of the limit
    LLVMValueRef from[MOST_COPIES], made[MOST_COPIES];
    unsigned count;
};

static LLVMValueRef copy(struct copier *c, LLVMValueRef value);

// ---- copies

static bool is_fixed(const struct copier *c, LLVMValueRef load)
{
    const unsigned kind = LLVMGetMDKindIDInContext(c->wg->context, "invariant.load", 14);

    return LLVMGetMetadata(load, kind) && !LLVMGetVolatile(load);
}

static LLVMValueRef copy_load(struct copier *c, LLVMValueRef load)
{
    const LLVMValueRef address =
        is_fixed(c, load) ? copy(c, LLVMGetOperand(load, 0)) : NULL;
    LLVMValueRef made;

    if (!address)
        return NULL;
    made = LLVMBuildLoad2(c->b, LLVMTypeOf(load), address, "");
    LLVMSetAlignment(made, LLVMGetAlignment(load));
    tf_wg_mark_fixed(c->wg, made);
    return made;
}

static LLVMValueRef copy_address(struct copier *c, LLVMValueRef gep)
{
    LLVMValueRef base, index;

    if (LLVMGetNumOperands(gep) != 2 || !LLVMIsAConstantInt(LLVMGetOperand(gep, 1)))
        return NULL;
    base = copy(c, LLVMGetOperand(gep, 0));
    index = LLVMGetOperand(gep, 1);
    return base ? LLVMBuildGEP2(c->b, LLVMGetGEPSourceElementType(gep), base, &index, 1,
                                "")
                : NULL;
}

// Whether the operation has a result, whatever its operands are.
static bool is_total(LLVMValueRef i)
{
    const LLVMValueRef second = LLVMGetOperand(i, 1);
    const LLVMTypeRef type = LLVMTypeOf(i);

    switch ((int)LLVMGetInstructionOpcode(i)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
        return true;
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
        return LLVMIsAConstantInt(second) &&
               LLVMConstIntGetZExtValue(second) < LLVMGetIntTypeWidth(type);
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
        return LLVMIsAConstantInt(second) && LLVMConstIntGetSExtValue(second) > 0;
    default:
        return false;
    }
}

static LLVMValueRef copy_both(struct copier *c, LLVMValueRef i, LLVMOpcode opcode)
{
    const LLVMValueRef a = copy(c, LLVMGetOperand(i, 0));
    const LLVMValueRef b = a ? copy(c, LLVMGetOperand(i, 1)) : NULL;

    if (!b)
        return NULL;
    return opcode == LLVMICmp ? LLVMBuildICmp(c->b, LLVMGetICmpPredicate(i), a, b, "")
                              : LLVMBuildBinOp(c->b, opcode, a, b, "");
}

static LLVMValueRef copy_select(struct copier *c, LLVMValueRef select)
{
    const LLVMValueRef which = copy(c, LLVMGetOperand(select, 0));
    const LLVMValueRef a = which ? copy(c, LLVMGetOperand(select, 1)) : NULL;
    const LLVMValueRef b = a ? copy(c, LLVMGetOperand(select, 2)) : NULL;

    return b ? LLVMBuildSelect(c->b, which, a, b, "") : NULL;
}

// Minimum or maximum of two integers.
static LLVMValueRef copy_call(struct copier *c, LLVMValueRef call)
{
    static const struct {
        const char *name;
        LLVMIntPredicate first;
    } known[] = {{"smax", LLVMIntSGT},
                 {"smin", LLVMIntSLT},
                 {"umax", LLVMIntUGT},
                 {"umin", LLVMIntULT}};
    const struct tf_elementwise *e = tf_elementwise_of(call);
    LLVMValueRef a, b;

    for (size_t k = 0; e && k < sizeof(known) / sizeof(known[0]); k++) {
        if (strcmp(e->name, known[k].name) != 0)
            continue;
        a = copy(c, LLVMGetOperand(call, 0));
        b = a ? copy(c, LLVMGetOperand(call, 1)) : NULL;
        return b ? LLVMBuildSelect(c->b, LLVMBuildICmp(c->b, known[k].first, a, b, ""), a,
                                   b, "")
                 : NULL;
    }
    return NULL;
}

static LLVMValueRef make_copy(struct copier *c, LLVMValueRef i)
{
    const LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
    LLVMValueRef operand;

    switch ((int)opcode) {
    case LLVMLoad:
        return copy_load(c, i);
    case LLVMGetElementPtr:
        return copy_address(c, i);
    case LLVMZExt:
    case LLVMSExt:
    case LLVMTrunc:
        operand = copy(c, LLVMGetOperand(i, 0));
        return operand ? LLVMBuildCast(c->b, opcode, operand, LLVMTypeOf(i), "") : NULL;
    case LLVMICmp:
        return copy_both(c, i, opcode);
    case LLVMSelect:
        return copy_select(c, i);
    case LLVMCall:
        return copy_call(c, i);
    default:
        return LLVMIsABinaryOperator(i) && is_total(i) ? copy_both(c, i, opcode) : NULL;
    }
}

// NULL: it depends on more than the launch, or is long.
static LLVMValueRef copy(struct copier *c, LLVMValueRef value)
{
    LLVMValueRef made;

    if (LLVMIsAConstantInt(value))
        return value;
    if (LLVMIsAArgument(value))
        return value == LLVMGetParam(c->wg->item->wide, TF_ITEM_LAUNCH)
                   ? LLVMGetParam(c->to, 0)
                   : NULL;
    if (!LLVMIsAInstruction(value))
        return NULL;
    for (unsigned k = 0; k < c->count; k++) {
        if (c->from[k] == value)
            return c->made[k];
    }
    made = make_copy(c, value);
    if (!made || c->count == MOST_COPIES)
        return NULL;
    c->from[c->count] = value;
    c->made[c->count++] = made;
    return made;
}

// ---- limits

static LLVMValueRef number(struct copier *c, int64_t n)
{
    return LLVMConstInt(c->wg->i64, (uint64_t)n, true);
}

static LLVMValueRef choose(struct copier *c, LLVMIntPredicate p, LLVMValueRef a,
                           LLVMValueRef b)
{
    return LLVMBuildSelect(c->b, LLVMBuildICmp(c->b, p, a, b, ""), a, b, "");
}

// Near enough to 0 for what follows not to wrap.
static LLVMValueRef near_ids(struct copier *c, LLVMValueRef bound, bool with_sign)
{
    const int64_t far = (int64_t)1 << ID_BITS_AND_ONE;
    const bool is_short = LLVMGetIntTypeWidth(LLVMTypeOf(bound)) < 64;

    if (is_short)
        return LLVMBuildCast(c->b, with_sign ? LLVMSExt : LLVMZExt, bound, c->wg->i64,
                             "");
    if (!with_sign)
        return choose(c, LLVMIntULT, bound, number(c, far));
    bound = choose(c, LLVMIntSLT, bound, number(c, far));
    return choose(c, LLVMIntSGT, bound, number(c, -far));
}

// Whether id + add keeps its sign for all ids of the launch.
static LLVMValueRef stays(struct copier *c, const struct tf_limit *l)
{
    const size_t at = l->dimension * sizeof(tf_u64);
    const LLVMValueRef launch = LLVMGetParam(c->to, 0);
    const LLVMValueRef first = tf_wg_load_fixed(
        c->wg, c->wg->i64, launch, offsetof(struct tf_launch, global_offset) + at, 8, "");
    const LLVMValueRef count = tf_wg_load_fixed(
        c->wg, c->wg->i64, launch, offsetof(struct tf_launch, global_size) + at, 8, "");

    return LLVMBuildICmp(c->b, LLVMIntULE, LLVMBuildAdd(c->b, first, count, ""),
                         number(c, HIGHEST_ID - l->add), "");
}

// The first id without work, at least 0; or NULL.
static LLVMValueRef first_idle(struct copier *c, const struct tf_limit *l)
{
    LLVMValueRef bound = copy(c, l->bound), first;

    if (!bound || LLVMGetTypeKind(LLVMTypeOf(bound)) != LLVMIntegerTypeKind ||
        LLVMGetIntTypeWidth(LLVMTypeOf(bound)) > 64)
        return NULL;
    bound = near_ids(c, bound, l->with_sign);
    first = LLVMBuildAdd(c->b, bound, number(c, l->inclusive - l->add), "");
    first = choose(c, LLVMIntSGT, first, number(c, 0));
    return l->add > 0 ? LLVMBuildSelect(c->b, stays(c, l), first, number(c, -1), "")
                      : first;
}

static LLVMValueRef add_function(struct tf_wg *wg)
{
    LLVMTypeRef type = LLVMFunctionType(wg->i64, &wg->ptr, 1, false);
    const LLVMValueRef fn = LLVMAddFunction(wg->module, "tf_limit", type);

    LLVMSetLinkage(fn, LLVMInternalLinkage);
    tf_ir_add_attribute(fn, "alwaysinline");
    tf_ir_add_attribute(fn, "nounwind");
    return fn;
}

static LLVMValueRef make_limit(struct tf_wg *wg, const struct tf_limit *limits,
                               unsigned count, unsigned dimension)
{
    struct copier c = {.wg = wg, .b = wg->builder, .to = add_function(wg)};
    LLVMValueRef least = NULL;

    LLVMPositionBuilderAtEnd(c.b,
                             LLVMAppendBasicBlockInContext(wg->context, c.to, "limit"));
    for (unsigned i = 0; i < count; i++) {
        const LLVMValueRef first =
            limits[i].dimension == dimension ? first_idle(&c, &limits[i]) : NULL;

        if (first)
            least = least ? choose(&c, LLVMIntULT, least, first) : first;
    }
    if (least) {
        LLVMBuildRet(c.b, least);
        return c.to;
    }
    LLVMDeleteFunction(c.to);
    return NULL;
}

void tf_wg_make_limits(struct tf_wg *wg, const struct tf_facts *facts,
                       LLVMValueRef out[3])
{
    struct tf_limit limits[TF_MOST_LIMITS];
    const unsigned count = tf_limits_find(facts, limits);

    for (unsigned d = 0; d < 3; d++)
        out[d] = count ? make_limit(wg, limits, count, d) : NULL;
}
