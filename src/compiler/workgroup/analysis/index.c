// SPDX-License-Identifier: MIT
#include "compiler/workgroup/analysis/index.h"

#include <math.h>
#include <string.h>

#include "compiler/ir/elementwise.h"
#include "compiler/ir/ir_util.h"
#include "compiler/workgroup/kernel/wg.h"

enum {
    MAX_STRIDE = 1 << 20, // 64 lanes wrap once at most
    MAX_DEPTH = 6,        // of arithmetic between the index and the address
    MIN_GANGS = 4,        // in one round of a constant divisor or mask
    MOST_PRODUCTS = 32,   // of an argument: each looks at all of them
    WORD_BITS = 32,
};

static bool is_constant(LLVMValueRef value, uint64_t *out)
{
    if (!LLVMIsAConstantInt(value))
        return false;
    *out = LLVMConstIntGetZExtValue(value);
    return true;
}

LLVMValueRef tf_index_lanes(const struct tf_shapes *s, LLVMValueRef i)
{
    const bool either = LLVMGetInstructionOpcode(i) == LLVMAnd;

    for (unsigned at = 0; at <= (unsigned)either; at++) {
        const struct tf_shape shape = tf_shape_of(s, LLVMGetOperand(i, at));

        if (shape.kind == TF_SHAPE_AFFINE && shape.stride > 0 &&
            shape.stride < MAX_STRIDE && tf_is_uniform(s, LLVMGetOperand(i, 1 - at)))
            return LLVMGetOperand(i, at);
    }
    return NULL;
}

LLVMValueRef tf_index_other(LLVMValueRef i, LLVMValueRef lanes)
{
    return LLVMGetOperand(i, LLVMGetOperand(i, 0) == lanes);
}

// Ones at the low end of `mask`, all of them.
static uint64_t low_ones(uint64_t mask)
{
    return (~mask & (mask + 1)) - 1;
}

// False for what many gangs would find to be otherwise.
static bool is_long(const struct tf_shapes *s, LLVMValueRef i, LLVMValueRef lanes,
                    unsigned count)
{
    const uint64_t stride = (uint64_t)tf_shape_of(s, lanes).stride;
    const uint64_t least = MIN_GANGS * count * stride;
    uint64_t n;

    if (!is_constant(tf_index_other(i, lanes), &n))
        return true; // most are sizes of arrays
    return (LLVMGetInstructionOpcode(i) == LLVMAnd ? low_ones(n) : n) >= least;
}

// Or what a place in a picture is, which is asked for (prepare/interior). `limited`: also
// where a minimum or maximum is on the way.
static bool makes_address(LLVMValueRef value, unsigned depth, bool limited)
{
    for (LLVMUseRef u = LLVMGetFirstUse(value); u; u = LLVMGetNextUse(u)) {
        const LLVMValueRef user = LLVMGetUser(u);

        if (!LLVMIsAInstruction(user))
            continue;
        switch ((int)LLVMGetInstructionOpcode(user)) {
        case LLVMLoad:
            return true;
        case LLVMStore:
            if (LLVMGetOperand(user, 1) == value)
                return true;
            break;
        case LLVMAdd:
        case LLVMSub:
        case LLVMAnd:
        case LLVMOr:
        case LLVMUDiv:
        case LLVMSDiv:
        case LLVMURem:
        case LLVMSRem:
        case LLVMMul:
        case LLVMShl:
        case LLVMTrunc:
        case LLVMZExt:
        case LLVMSExt:
        case LLVMGetElementPtr:
            if (depth && makes_address(user, depth - 1, limited))
                return true;
            break;
        case LLVMFreeze:
        case LLVMCall:
            if (tf_root_of(user) == TF_ROOT_INSIDE)
                return true;
            if (limited && depth &&
                LLVMGetTypeKind(LLVMTypeOf(user)) == LLVMIntegerTypeKind &&
                (LLVMIsAFreezeInst(user) || tf_shape_is_limit(user)) &&
                makes_address(user, depth - 1, limited))
                return true;
            break;
        default:
            break;
        }
    }
    return false;
}

bool tf_is_index(const struct tf_shapes *s, const struct tf_value *v, unsigned count)
{
    const LLVMValueRef i = v->instruction;
    const LLVMTypeRef type = LLVMTypeOf(i);
    LLVMValueRef lanes;

    switch ((int)v->opcode) {
    case LLVMAnd:
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
        break;
    default:
        return false;
    }
    // What is affine but for a wrap is tested where it is used.
    if (v->shape.unless || LLVMGetTypeKind(type) != LLVMIntegerTypeKind ||
        LLVMGetIntTypeWidth(type) < 32 || LLVMGetIntTypeWidth(type) > 64)
        return false;
    lanes = tf_index_lanes(s, i);
    return lanes && is_long(s, i, lanes, count) && makes_address(i, MAX_DEPTH, false);
}

// ---- coordinates in floating point: x + 0.5f, and what limits, scales and rounds them

enum { MOST_VALUES = 60, MOST_STRIDE = 8 };

struct walk {
    const struct tf_shapes *shapes;
    unsigned left; // values that may still be looked at
};

// What is added from lane to lane, but for rounding and limits: 0 where they share the
// value, NaN where a number that only the run knows is a factor. Of element `k` where the
// value is a vector.
static bool steps_of(struct walk *w, LLVMValueRef value, unsigned k, double *step);

static bool operand(struct walk *w, LLVMValueRef of, unsigned at, unsigned k,
                    double *step)
{
    return steps_of(w, LLVMGetOperand(of, at), k, step);
}

static bool sum(struct walk *w, LLVMValueRef i, unsigned k, double factor, double *step)
{
    double a, b;

    if (!operand(w, i, 0, k, &a) || !operand(w, i, 1, k, &b))
        return false;
    *step = a + factor * b;
    return true;
}

// NaN for what is no constant.
static double number_of(LLVMValueRef value)
{
    LLVMBool loses;

    if (LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMVectorTypeKind ||
        !LLVMIsAConstantFP(value))
        return (double)NAN;
    return LLVMConstRealGetDouble(value, &loses);
}

// By what is the same for all lanes.
static bool product(struct walk *w, LLVMValueRef i, unsigned k, double *step)
{
    double a, b;

    if (!operand(w, i, 0, k, &a) || !operand(w, i, 1, k, &b))
        return false;
    *step = 0;
    if (a == 0 && b == 0)
        return true;
    *step = b == 0 ? a * number_of(LLVMGetOperand(i, 1))
                   : b * number_of(LLVMGetOperand(i, 0));
    return a == 0 || b == 0;
}

// Product and sum, rounded once or twice.
static bool fused(struct walk *w, LLVMValueRef i, unsigned k, double *step)
{
    double of_product, of_sum;

    if (!product(w, i, k, &of_product) || !operand(w, i, 2, k, &of_sum))
        return false;
    *step = of_product + of_sum;
    return true;
}

static bool quotient(struct walk *w, LLVMValueRef i, unsigned k, double *step)
{
    double a, b;

    if (!operand(w, i, 0, k, &a) || !operand(w, i, 1, k, &b) || b != 0)
        return false;
    *step = a == 0 ? 0 : a / number_of(LLVMGetOperand(i, 1));
    return true;
}

// A limit, that the other operand is: the lanes are not cut off.
static bool either(struct walk *w, LLVMValueRef a, LLVMValueRef b, unsigned k,
                   double *step)
{
    double of_a, of_b;

    if (!steps_of(w, a, k, &of_a) || !steps_of(w, b, k, &of_b))
        return false;
    *step = of_a == 0 ? of_b : of_a;
    return of_a == 0 || of_b == 0 || of_a == of_b;
}

static bool call(struct walk *w, LLVMValueRef i, unsigned k, double *step)
{
    static const char *const rounding[] = {"floor",     "ceil",  "trunc",
                                           "rint",      "round", "nearbyint",
                                           "roundeven", "fabs",  "canonicalize"};
    static const char *const limits[] = {"minnum", "maxnum", "minimum", "maximum"};
    const struct tf_elementwise *const what = tf_elementwise_of(i);

    if (what && (!strcmp(what->name, "fma") || !strcmp(what->name, "fmuladd")))
        return fused(w, i, k, step);
    for (size_t n = 0; what && n < sizeof(rounding) / sizeof(*rounding); n++)
        if (!strcmp(what->name, rounding[n]))
            return operand(w, i, 0, k, step);
    for (size_t n = 0; what && n < sizeof(limits) / sizeof(*limits); n++)
        if (!strcmp(what->name, limits[n]))
            return either(w, LLVMGetOperand(i, 0), LLVMGetOperand(i, 1), k, step);
    return false;
}

static bool of_element(struct walk *w, LLVMValueRef i, double *step)
{
    const LLVMValueRef at = LLVMGetOperand(i, 1);

    return LLVMIsAConstantInt(at) &&
           operand(w, i, 0, (unsigned)LLVMConstIntGetZExtValue(at), step);
}

static bool of_insertion(struct walk *w, LLVMValueRef i, unsigned k, double *step)
{
    const LLVMValueRef at = LLVMGetOperand(i, 2);

    return LLVMIsAConstantInt(at) &&
           operand(w, i, LLVMConstIntGetZExtValue(at) == k, k, step);
}

static bool of_shuffle(struct walk *w, LLVMValueRef i, unsigned k, double *step)
{
    const unsigned size = LLVMGetVectorSize(LLVMTypeOf(LLVMGetOperand(i, 0)));
    const int from = LLVMGetMaskValue(i, k);

    if (from < 0)
        return false;
    return operand(w, i, (unsigned)from >= size, (unsigned)from % size, step);
}

static bool of_instruction(struct walk *w, LLVMValueRef i, unsigned k, double *step)
{
    switch ((int)LLVMGetInstructionOpcode(i)) {
    case LLVMFAdd:
        return sum(w, i, k, 1, step);
    case LLVMFSub:
        return sum(w, i, k, -1, step);
    case LLVMFMul:
        return product(w, i, k, step);
    case LLVMFDiv:
        return quotient(w, i, k, step);
    case LLVMSelect:
        return either(w, LLVMGetOperand(i, 1), LLVMGetOperand(i, 2), k, step);
    case LLVMSIToFP:
    case LLVMUIToFP:
    case LLVMFPExt:
    case LLVMFPTrunc:
    case LLVMFreeze:
        return operand(w, i, 0, k, step);
    case LLVMExtractElement:
        return of_element(w, i, step);
    case LLVMInsertElement:
        return of_insertion(w, i, k, step);
    case LLVMShuffleVector:
        return of_shuffle(w, i, k, step);
    case LLVMCall:
        return call(w, i, k, step);
    default:
        return false;
    }
}

static bool steps_of(struct walk *w, LLVMValueRef value, unsigned k, double *step)
{
    const struct tf_shape shape = tf_shape_of(w->shapes, value);

    *step = (double)shape.stride;
    if (shape.kind != TF_SHAPE_VARYING)
        return *step <= MOST_STRIDE && *step >= -MOST_STRIDE;
    if (!LLVMIsAInstruction(value) || w->left == 0)
        return false;
    w->left--;
    return of_instruction(w, value, k, step) &&
           !(*step > MOST_STRIDE || *step < -MOST_STRIDE);
}

double tf_index_step(const struct tf_shapes *s, LLVMValueRef coordinate)
{
    struct walk w = {s, MOST_VALUES};
    double step;

    return steps_of(&w, coordinate, 0, &step) ? step : 0;
}

// Whether lane i has lane 0's number and i * *stride, but for rounding and as long as no
// limit cuts it off: most gangs will find it so, and have to look. 0: they share it.
static bool float_steps(const struct tf_shapes *s, LLVMValueRef value, int64_t *stride)
{
    struct walk w = {s, MOST_VALUES};
    double step;

    if (!steps_of(&w, value, 0, &step) || isnan(step))
        return false;
    *stride = (int64_t)step;
    return (double)*stride == step;
}

// ---- what is taken for granted

static bool has_lanes(const struct tf_shapes *s, LLVMValueRef value)
{
    const struct tf_shape shape = tf_shape_of(s, value);

    return shape.kind == TF_SHAPE_AFFINE && shape.stride != 0 &&
           shape.stride < MAX_STRIDE && shape.stride > -MAX_STRIDE;
}

// A comparison, or a limit, of what lanes count with what they share.
static bool is_limit(const struct tf_shapes *s, const struct tf_value *v)
{
    const LLVMValueRef i = v->instruction;
    LLVMValueRef a, b;

    if (v->opcode != LLVMICmp && !(v->opcode == LLVMCall && tf_shape_is_limit(i)))
        return false;
    a = LLVMGetOperand(i, 0);
    b = LLVMGetOperand(i, 1);
    if (LLVMGetTypeKind(LLVMTypeOf(a)) != LLVMIntegerTypeKind ||
        LLVMGetIntTypeWidth(LLVMTypeOf(a)) < 32)
        return false;
    return (has_lanes(s, a) && tf_is_uniform(s, b)) ||
           (has_lanes(s, b) && tf_is_uniform(s, a));
}

// ---- distances that are an argument

// The same for all work-items of a launch.
static bool is_of_launch(LLVMValueRef value, unsigned depth)
{
    if (LLVMIsAConstant(value) || LLVMIsAArgument(value) || tf_wg_is_of_launch(value))
        return true;
    if (depth == MAX_DEPTH || !(LLVMIsABinaryOperator(value) || LLVMIsACastInst(value) ||
                                LLVMIsAGetElementPtrInst(value)))
        return false;
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value); i++) {
        if (!is_of_launch(LLVMGetOperand(value, i), depth + 1))
            return false;
    }
    return true;
}

// Rows of a matrix, too, are an argument's length apart: that is used for more than the
// places of lanes, and what is added to them is more than an argument.
static bool only_addresses(LLVMValueRef value, unsigned depth)
{
    LLVMUseRef use = depth < MAX_DEPTH ? LLVMGetFirstUse(value) : NULL;
    bool suits = use != NULL;

    for (; use && suits; use = LLVMGetNextUse(use)) {
        const LLVMValueRef user = LLVMGetUser(use);

        switch ((int)LLVMGetInstructionOpcode(user)) {
        case LLVMAdd:
        case LLVMSub:
        case LLVMOr:
            suits =
                is_of_launch(LLVMGetOperand(user, LLVMGetOperand(user, 0) == value), 0) &&
                only_addresses(user, depth + 1);
            break;
        case LLVMSExt:
        case LLVMZExt:
            suits = only_addresses(user, depth + 1);
            break;
        case LLVMGetElementPtr:
            suits = (LLVMGetOperand(user, 0) == value ||
                     is_of_launch(LLVMGetOperand(user, 0), 0)) &&
                    only_addresses(user, depth + 1);
            break;
        case LLVMLoad:
            break;
        case LLVMStore:
            suits = LLVMGetOperand(user, 1) == value;
            break;
        default:
            suits = false;
        }
    }
    return suits;
}

static bool is_product_of_lanes(const struct tf_shapes *s, LLVMValueRef product,
                                LLVMValueRef by)
{
    struct tf_shape lanes;

    if (LLVMGetInstructionOpcode(product) != LLVMMul)
        return false;
    lanes = tf_shape_of(s, LLVMGetOperand(product, LLVMGetOperand(product, 0) == by));
    return lanes.kind == TF_SHAPE_TOP || (lanes.kind == TF_SHAPE_AFFINE && lanes.stride);
}

static bool only_spaces_lanes(const struct tf_shapes *s, LLVMValueRef argument)
{
    unsigned left = MOST_PRODUCTS;

    for (LLVMUseRef u = LLVMGetFirstUse(argument); u; u = LLVMGetNextUse(u)) {
        const LLVMValueRef user = LLVMGetUser(u);

        if (!left-- || !is_product_of_lanes(s, user, argument) ||
            !only_addresses(user, 0))
            return false;
    }
    return true;
}

// The factor that lanes share.
static LLVMValueRef spacing_of(const struct tf_shapes *s, LLVMValueRef product)
{
    return LLVMGetOperand(product, tf_is_uniform(s, LLVMGetOperand(product, 1)));
}

// The argument that it is, or is made of by a cast.
static LLVMValueRef argument_of(LLVMValueRef by)
{
    return LLVMIsACastInst(by) ? LLVMGetOperand(by, 0) : by;
}

// At least a word: that is what is looked at before a launch (abi/launch_fit.h).
static bool is_argument(LLVMValueRef value)
{
    return LLVMIsALoadInst(value) &&
           LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMIntegerTypeKind &&
           LLVMGetIntTypeWidth(LLVMTypeOf(value)) >= WORD_BITS &&
           tf_wg_block_offset(tf_ir_function_of(value), value) >= 0;
}

bool tf_is_spacing(const struct tf_shapes *s, const struct tf_value *v)
{
    const LLVMValueRef by = spacing_of(s, v->instruction), in = argument_of(by);

    return is_argument(in) && (in == by || !LLVMGetNextUse(LLVMGetFirstUse(in))) &&
           is_product_of_lanes(s, v->instruction, by) && only_spaces_lanes(s, by);
}

LLVMValueRef tf_spacing_asked_for(const struct tf_shapes *s, LLVMValueRef unless)
{
    while (unless && LLVMGetInstructionOpcode(unless) != LLVMMul)
        unless = tf_shape_of(s, LLVMGetOperand(unless, 0)).unless;
    return unless ? spacing_of(s, unless) : NULL;
}

uint64_t tf_spacing_offset(LLVMValueRef spacing)
{
    const LLVMValueRef in = argument_of(spacing);

    return (uint64_t)tf_wg_block_offset(tf_ir_function_of(in), in);
}

// A coordinate in floating point that lanes count, and an address is made of.
static bool is_coordinate(const struct tf_shapes *s, const struct tf_value *v,
                          int64_t *stride)
{
    const LLVMTypeRef type = LLVMTypeOf(v->instruction);

    return v->opcode == LLVMFPToSI && LLVMGetTypeKind(type) == LLVMIntegerTypeKind &&
           LLVMGetIntTypeWidth(type) == 32 &&
           makes_address(v->instruction, 2 * MAX_DEPTH, true) &&
           float_steps(s, LLVMGetOperand(v->instruction, 0), stride);
}

bool tf_shape_assume(const struct tf_shapes *s, const struct tf_value *v,
                     struct tf_shape *shape)
{
    int64_t stride = 0;

    if (is_coordinate(s, v, &stride)) {
        *shape = (struct tf_shape){.kind = TF_SHAPE_AFFINE, .stride = stride};
        return true;
    }
    if (!is_limit(s, v) && !tf_is_index(s, v, s->gang_lanes))
        return false;
    if (v->opcode != LLVMICmp && v->opcode != LLVMUDiv && v->opcode != LLVMSDiv) {
        for (unsigned at = 0; at < 2 && !stride; at++)
            stride = tf_shape_of(s, LLVMGetOperand(v->instruction, at)).stride;
    }
    *shape = (struct tf_shape){.kind = TF_SHAPE_AFFINE, .stride = stride};
    return true;
}
