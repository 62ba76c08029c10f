// SPDX-License-Identifier: MIT
#include "compiler/workgroup/analysis/index.h"

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

static bool makes_address(LLVMValueRef value, unsigned depth)
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
            if (depth && makes_address(user, depth - 1))
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
    return lanes && is_long(s, i, lanes, count) && makes_address(i, MAX_DEPTH);
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

bool tf_shape_assume(const struct tf_shapes *s, const struct tf_value *v,
                     struct tf_shape *shape)
{
    int64_t stride = 0;

    if (!is_limit(s, v) && !tf_is_index(s, v, s->gang_lanes))
        return false;
    if (v->opcode != LLVMICmp && v->opcode != LLVMUDiv && v->opcode != LLVMSDiv) {
        for (unsigned at = 0; at < 2 && !stride; at++)
            stride = tf_shape_of(s, LLVMGetOperand(v->instruction, at)).stride;
    }
    *shape = (struct tf_shape){.kind = TF_SHAPE_AFFINE, .stride = stride};
    return true;
}
