// SPDX-License-Identifier: MIT
#include "compiler/workgroup/analysis/index.h"

#include <string.h>

#include "compiler/ir/elementwise.h"

enum {
    MAX_STRIDE = 1 << 20, // 64 lanes wrap once at most
    MAX_DEPTH = 6,        // of arithmetic between the index and the address
    MIN_GANGS = 4,        // in one round of a constant divisor or mask
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

// `limited`: also where a minimum or maximum is on the way.
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

// ---- coordinates in floating point: x + 0.5f, and what limits and rounds them

enum { MOST_VALUES = 60, MOST_STRIDE = 8 };

struct walk {
    const struct tf_shapes *shapes;
    unsigned left; // values that may still be looked at
};

// Of element `k` where the value is a vector.
static bool steps_of(struct walk *w, LLVMValueRef value, unsigned k, int64_t *stride);

static bool operand(struct walk *w, LLVMValueRef of, unsigned at, unsigned k,
                    int64_t *stride)
{
    return steps_of(w, LLVMGetOperand(of, at), k, stride);
}

static bool sum(struct walk *w, LLVMValueRef i, unsigned k, int64_t factor,
                int64_t *stride)
{
    int64_t a, b;

    if (!operand(w, i, 0, k, &a) || !operand(w, i, 1, k, &b))
        return false;
    *stride = a + factor * b;
    return true;
}

// A constant that is a small whole number, in all elements of a vector.
static bool whole_constant(LLVMValueRef value, int64_t *out)
{
    LLVMBool loses;
    double number;

    if (LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMVectorTypeKind ||
        !LLVMIsAConstantFP(value))
        return false;
    number = LLVMConstRealGetDouble(value, &loses);
    if (!(number >= -MOST_STRIDE && number <= MOST_STRIDE))
        return false;
    *out = (int64_t)number;
    return (double)*out == number;
}

// By what is the same for all lanes: then lanes that step do not step by whole numbers,
// as far as is known.
static bool product(struct walk *w, LLVMValueRef i, unsigned k, int64_t *stride)
{
    int64_t a, b, factor;

    if (!operand(w, i, 0, k, &a) || !operand(w, i, 1, k, &b))
        return false;
    *stride = 0;
    if (a == 0 && b == 0)
        return true;
    if (whole_constant(LLVMGetOperand(i, b == 0), &factor)) {
        *stride = factor * (b == 0 ? a : b);
        return a == 0 || b == 0;
    }
    return false;
}

// A limit, that the other operand is: the lanes are not cut off.
static bool either(struct walk *w, LLVMValueRef a, LLVMValueRef b, unsigned k,
                   int64_t *stride)
{
    int64_t of_a, of_b;

    if (!steps_of(w, a, k, &of_a) || !steps_of(w, b, k, &of_b))
        return false;
    *stride = of_a ? of_a : of_b;
    return of_a == 0 || of_b == 0 || of_a == of_b;
}

static bool call(struct walk *w, LLVMValueRef i, unsigned k, int64_t *stride)
{
    static const char *const rounding[] = {"floor",     "ceil",  "trunc",
                                           "rint",      "round", "nearbyint",
                                           "roundeven", "fabs",  "canonicalize"};
    static const char *const limits[] = {"minnum", "maxnum", "minimum", "maximum"};
    const struct tf_elementwise *const what = tf_elementwise_of(i);

    for (size_t n = 0; what && n < sizeof(rounding) / sizeof(*rounding); n++)
        if (!strcmp(what->name, rounding[n]))
            return operand(w, i, 0, k, stride);
    for (size_t n = 0; what && n < sizeof(limits) / sizeof(*limits); n++)
        if (!strcmp(what->name, limits[n]))
            return either(w, LLVMGetOperand(i, 0), LLVMGetOperand(i, 1), k, stride);
    return false;
}

static bool of_element(struct walk *w, LLVMValueRef i, int64_t *stride)
{
    const LLVMValueRef at = LLVMGetOperand(i, 1);

    return LLVMIsAConstantInt(at) &&
           operand(w, i, 0, (unsigned)LLVMConstIntGetZExtValue(at), stride);
}

static bool of_insertion(struct walk *w, LLVMValueRef i, unsigned k, int64_t *stride)
{
    const LLVMValueRef at = LLVMGetOperand(i, 2);

    return LLVMIsAConstantInt(at) &&
           operand(w, i, LLVMConstIntGetZExtValue(at) == k, k, stride);
}

static bool of_shuffle(struct walk *w, LLVMValueRef i, unsigned k, int64_t *stride)
{
    const unsigned size = LLVMGetVectorSize(LLVMTypeOf(LLVMGetOperand(i, 0)));
    const int from = LLVMGetMaskValue(i, k);

    if (from < 0)
        return false;
    return operand(w, i, (unsigned)from >= size, (unsigned)from % size, stride);
}

static bool of_instruction(struct walk *w, LLVMValueRef i, unsigned k, int64_t *stride)
{
    switch ((int)LLVMGetInstructionOpcode(i)) {
    case LLVMFAdd:
        return sum(w, i, k, 1, stride);
    case LLVMFSub:
        return sum(w, i, k, -1, stride);
    case LLVMFMul:
        return product(w, i, k, stride);
    case LLVMSelect:
        return either(w, LLVMGetOperand(i, 1), LLVMGetOperand(i, 2), k, stride);
    case LLVMSIToFP:
    case LLVMUIToFP:
    case LLVMFPExt:
    case LLVMFPTrunc:
    case LLVMFreeze:
        return operand(w, i, 0, k, stride);
    case LLVMExtractElement:
        return of_element(w, i, stride);
    case LLVMInsertElement:
        return of_insertion(w, i, k, stride);
    case LLVMShuffleVector:
        return of_shuffle(w, i, k, stride);
    case LLVMCall:
        return call(w, i, k, stride);
    default:
        return false;
    }
}

static bool steps_of(struct walk *w, LLVMValueRef value, unsigned k, int64_t *stride)
{
    const struct tf_shape shape = tf_shape_of(w->shapes, value);

    *stride = shape.stride;
    if (shape.kind != TF_SHAPE_VARYING)
        return shape.stride <= MOST_STRIDE && shape.stride >= -MOST_STRIDE;
    if (!LLVMIsAInstruction(value) || w->left == 0)
        return false;
    w->left--;
    return of_instruction(w, value, k, stride) && *stride <= MOST_STRIDE &&
           *stride >= -MOST_STRIDE;
}

// Whether lane i has lane 0's number and i * *stride, but for rounding and as long as no
// limit cuts it off: most gangs will find it so, and have to look. 0: they share it.
static bool float_steps(const struct tf_shapes *s, LLVMValueRef value, int64_t *stride)
{
    struct walk w = {s, MOST_VALUES};

    return steps_of(&w, value, 0, stride);
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
