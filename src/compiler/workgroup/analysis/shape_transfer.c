// SPDX-License-Identifier: MIT
// One instruction's shape from those of its operands.
#include <string.h>

#include "compiler/ir/ir_util.h"
#include "compiler/workgroup/analysis/access.h"
#include "compiler/workgroup/analysis/aligned.h"
#include "compiler/workgroup/analysis/index.h"
#include "compiler/workgroup/analysis/shape.h"

static const struct tf_shape top = {.kind = TF_SHAPE_TOP};
static const struct tf_shape varying = {.kind = TF_SHAPE_VARYING};

static struct tf_shape affine(int64_t stride)
{
    return (struct tf_shape){.kind = TF_SHAPE_AFFINE, .stride = stride};
}

static struct tf_shape operand(const struct tf_shapes *s, const struct tf_value *v,
                               unsigned at)
{
    return tf_operand_shape(s, v, at);
}

static bool has_stride(struct tf_shape shape)
{
    return shape.kind == TF_SHAPE_AFFINE || shape.unless;
}

// Strides are numbers modulo 2^64.
static int64_t plus(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a + (uint64_t)b);
}

static int64_t times(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a * (uint64_t)b);
}

// a + factor * b.
static struct tf_shape sum(struct tf_shape a, struct tf_shape b, int64_t factor)
{
    struct tf_shape result = {.stride = plus(a.stride, times(b.stride, factor))};

    if (a.kind == TF_SHAPE_TOP || b.kind == TF_SHAPE_TOP)
        return top;
    if (!has_stride(a) || !has_stride(b))
        return varying;
    if (a.unless && b.unless && a.unless != b.unless)
        return varying;
    result.unless = a.unless ? a.unless : b.unless;
    result.kind = result.unless ? TF_SHAPE_VARYING : TF_SHAPE_AFFINE;
    return result;
}

static struct tf_shape uniform_if_both(struct tf_shape a, struct tf_shape b)
{
    if (a.kind == TF_SHAPE_VARYING || b.kind == TF_SHAPE_VARYING || a.stride || b.stride)
        return varying;
    return a.kind == TF_SHAPE_TOP || b.kind == TF_SHAPE_TOP ? top : affine(0);
}

static struct tf_shape meet(struct tf_shape a, struct tf_shape b)
{
    if (a.kind == TF_SHAPE_TOP)
        return b;
    if (b.kind == TF_SHAPE_TOP)
        return a;
    if (a.kind == TF_SHAPE_AFFINE && b.kind == TF_SHAPE_AFFINE && a.stride == b.stride)
        return a;
    return varying;
}

static bool constant_operand(const struct tf_value *v, unsigned at, int64_t *out)
{
    const LLVMValueRef value = LLVMGetOperand(v->instruction, at);

    if (!LLVMIsAConstantInt(value) || LLVMGetIntTypeWidth(LLVMTypeOf(value)) > 64)
        return false;
    *out = LLVMConstIntGetSExtValue(value);
    return true;
}

static struct tf_shape join_phi(const struct tf_shapes *s, const struct tf_value *v)
{
    struct tf_shape result = top;

    for (unsigned i = 0; i < v->operand_count; i++) {
        if (tf_operand(s, v, i) || !LLVMIsUndef(LLVMGetOperand(v->instruction, i)))
            result = meet(result, operand(s, v, i));
    }
    // Whether an index wrapped is asked where it is made, and not behind its loop.
    return result.unless ? varying : result;
}

static struct tf_shape multiply(const struct tf_shapes *s, const struct tf_value *v)
{
    const struct tf_shape a = operand(s, v, 0), b = operand(s, v, 1);
    int64_t factor;

    if (constant_operand(v, 1, &factor))
        return sum(affine(0), a, factor);
    if (constant_operand(v, 0, &factor))
        return sum(affine(0), b, factor);
    if (a.kind == TF_SHAPE_AFFINE && b.kind == TF_SHAPE_AFFINE &&
        !a.stride != !b.stride && tf_is_spacing(s, v))
        return (struct tf_shape){.kind = TF_SHAPE_VARYING,
                                 .stride = plus(a.stride, b.stride),
                                 .unless = v->instruction};
    return uniform_if_both(a, b);
}

static struct tf_shape shift_left(const struct tf_shapes *s, const struct tf_value *v)
{
    const unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(v->instruction));
    const struct tf_shape a = operand(s, v, 0), b = operand(s, v, 1);
    int64_t by;

    if (constant_operand(v, 1, &by) && by >= 0 && by < bits)
        return sum(affine(0), a, (int64_t)((uint64_t)1 << by));
    return uniform_if_both(a, b);
}

// What keeps its stride only if the lanes of operand 0 do not wrap.
static struct tf_shape if_no_wrap(const struct tf_shapes *s, const struct tf_value *v,
                                  struct tf_shape from, int64_t stride, bool with_sign)
{
    if (from.kind == TF_SHAPE_TOP)
        return top;
    if (from.kind != TF_SHAPE_AFFINE)
        return varying;
    if (from.stride == 0)
        return affine(0);
    if (tf_lanes_keep_order(s, LLVMGetOperand(v->instruction, 0), with_sign))
        return affine(stride);
    return (struct tf_shape){
        .kind = TF_SHAPE_VARYING, .stride = stride, .unless = v->instruction};
}

static struct tf_shape extend(const struct tf_shapes *s, const struct tf_value *v)
{
    const struct tf_shape from = operand(s, v, 0);
    // Known to be positive: its sign may stand in for the zeros (gang_value.c does so).
    const bool with_sign = v->opcode == LLVMSExt || LLVMGetNNeg(v->instruction);
    const LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(v->instruction, 0));

    if (tf_spacing_asked_for(s, from.unless)) // then whether it wraps, too
        return (struct tf_shape){
            .kind = TF_SHAPE_VARYING, .stride = from.stride, .unless = v->instruction};
    if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(type) < 8)
        return from.kind == TF_SHAPE_AFFINE && from.stride ? varying : from;
    if (v->opcode == LLVMZExt && from.kind == TF_SHAPE_AFFINE && from.stride &&
        tf_lanes_keep_order(s, LLVMGetOperand(v->instruction, 0), false))
        return from;
    return if_no_wrap(s, v, from, from.stride, with_sign);
}

// Whether operand 0 goes from lane to lane within a block of `number`, from its beginning
// or that of a smaller one.
static bool is_block_of(const struct tf_shapes *s, const struct tf_value *v,
                        int64_t number)
{
    const int stride_bits = tf_aligned_stride(s, LLVMGetOperand(v->instruction, 0));

    return stride_bits >= 0 && tf_is_block(s, (uint64_t)number, (unsigned)stride_bits);
}

static struct tf_shape shift_right(const struct tf_shapes *s, const struct tf_value *v)
{
    const struct tf_shape a = operand(s, v, 0), b = operand(s, v, 1);
    int64_t by;

    if (a.kind == TF_SHAPE_AFFINE && a.stride && constant_operand(v, 1, &by) && by >= 0 &&
        by < 63 && (a.stride & (((int64_t)1 << by) - 1)) == 0)
        return if_no_wrap(s, v, a, a.stride / ((int64_t)1 << by), v->opcode == LLVMAShr);
    if (constant_operand(v, 1, &by) && by >= 0 && by < 63 &&
        is_block_of(s, v, (int64_t)1 << by))
        return affine(0);
    return uniform_if_both(a, b);
}

// The lanes differ in a few low bits, which lane 0 has not: whether the mask has all of
// them, or none.
static struct tf_shape mask_lanes(const struct tf_shapes *s, const struct tf_value *v,
                                  struct tf_shape from, uint64_t mask)
{
    const int stride_bits = tf_aligned_stride(s, LLVMGetOperand(v->instruction, 0));
    const uint64_t lanes = (uint64_t)(s->most_lanes - 1) << (stride_bits & 63);

    if (stride_bits < 0 || ((mask & lanes) != 0 && (mask & lanes) != lanes))
        return varying;
    return affine(mask & lanes ? from.stride : 0);
}

// x & 0xffffffff is how LLVM writes (ulong)(uint)x.
static struct tf_shape mask_bits(const struct tf_shapes *s, const struct tf_value *v)
{
    const struct tf_shape a = operand(s, v, 0), b = operand(s, v, 1);
    int64_t mask;

    if (a.kind == TF_SHAPE_AFFINE && a.stride && constant_operand(v, 1, &mask) &&
        mask == 0xffffffff)
        return (struct tf_shape){
            .kind = TF_SHAPE_VARYING, .stride = a.stride, .unless = v->instruction};
    if (a.kind == TF_SHAPE_AFFINE && a.stride && constant_operand(v, 1, &mask))
        return mask_lanes(s, v, a, (uint64_t)mask);
    return uniform_if_both(a, b);
}

static struct tf_shape plain(const struct tf_shapes *s, const struct tf_value *v);

// The quotient of what stays in one block, or its remainder. With a sign, the block below
// zero is divided in two.
static struct tf_shape divide(const struct tf_shapes *s, const struct tf_value *v)
{
    const struct tf_shape a = operand(s, v, 0);
    int64_t by;

    if (a.kind == TF_SHAPE_AFFINE && a.stride && constant_operand(v, 1, &by) && by > 0 &&
        is_block_of(s, v, by))
        return affine(v->opcode == LLVMURem ? a.stride : 0);
    return plain(s, v);
}

// Of units: the distance of two depends on the number of lanes.
static struct tf_shape address_of_units(const struct tf_shapes *s,
                                        const struct tf_value *v)
{
    struct tf_shape result = operand(s, v, 0);

    for (unsigned i = 1; i < v->operand_count; i++) {
        const struct tf_shape at = operand(s, v, i);

        if (at.kind == TF_SHAPE_VARYING || at.stride)
            return varying;
        if (at.kind == TF_SHAPE_TOP)
            result = top;
    }
    return result;
}

static struct tf_shape address(const struct tf_shapes *s, const struct tf_value *v)
{
    const LLVMValueRef gep = v->instruction;
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    struct tf_shape result = operand(s, v, 0);

    if (tf_private_of(&s->privates, gep).unit_bytes)
        return address_of_units(s, v);
    for (unsigned i = 1; i < v->operand_count; i++) {
        const LLVMValueRef index = LLVMGetOperand(gep, i);
        const struct tf_shape at = operand(s, v, i);

        if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            type =
                LLVMStructGetTypeAtIndex(type, (unsigned)LLVMConstIntGetZExtValue(index));
            continue;
        }
        if (i > 1)
            type = LLVMGetElementType(type);
        // A narrow index is extended with its sign: it may wrap.
        if (has_stride(at) && at.stride && LLVMGetIntTypeWidth(LLVMTypeOf(index)) != 64)
            return varying;
        result = sum(result, at, at.stride ? (int64_t)tf_size_bytes(s->layout, type) : 0);
    }
    return result;
}

static struct tf_shape load(const struct tf_shapes *s, const struct tf_value *v)
{
    const struct tf_shape from = operand(s, v, 0);

    if (from.kind == TF_SHAPE_TOP)
        return top;
    if (v->is_ordered)
        return varying;
    return from.kind == TF_SHAPE_AFFINE && from.stride == 0 ? affine(0) : varying;
}

// Uniform if all operands are.
static struct tf_shape plain(const struct tf_shapes *s, const struct tf_value *v)
{
    bool is_top = false;

    for (unsigned i = 0; i < v->operand_count; i++) {
        const struct tf_shape shape = operand(s, v, i);

        if (shape.kind == TF_SHAPE_VARYING || shape.stride)
            return varying;
        is_top |= shape.kind == TF_SHAPE_TOP;
    }
    return is_top ? top : affine(0);
}

static struct tf_shape call(const struct tf_shapes *s, const struct tf_value *v)
{
    const int id = tf_lane_id(s, v);

    if (id >= 0)
        return affine(id % 3 == 0);
    if (tf_root_is_shared(v->root) || v->root == TF_ROOT_INSIDE)
        return affine(0);
    if (v->root == TF_ROOT_SUB_GROUP_LANE)
        return affine(1);
    return v->elementwise ? plain(s, v) : varying;
}

static struct tf_shape choose(const struct tf_shapes *s, const struct tf_value *v)
{
    const struct tf_shape condition = operand(s, v, 0);

    if (condition.kind == TF_SHAPE_TOP)
        return top;
    if (condition.kind != TF_SHAPE_AFFINE || condition.stride)
        return varying;
    return meet(operand(s, v, 1), operand(s, v, 2));
}

static bool is_integer_or_pointer(LLVMTypeRef type)
{
    const LLVMTypeKind kind = LLVMGetTypeKind(type);

    return kind == LLVMPointerTypeKind ||
           (kind == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) >= 8 &&
            LLVMGetIntTypeWidth(type) <= 64);
}

static struct tf_shape arithmetic(const struct tf_shapes *s, const struct tf_value *v)
{
    switch ((int)v->opcode) {
    case LLVMAdd:
        return sum(operand(s, v, 0), operand(s, v, 1), 1);
    case LLVMSub:
        return sum(operand(s, v, 0), operand(s, v, 1), -1);
    case LLVMOr:
        if (LLVMGetIsDisjoint(v->instruction))
            return sum(operand(s, v, 0), operand(s, v, 1), 1);
        break;
    case LLVMMul:
        return multiply(s, v);
    case LLVMShl:
        return shift_left(s, v);
    case LLVMAShr:
    case LLVMLShr:
        return shift_right(s, v);
    case LLVMAnd:
        return mask_bits(s, v);
    case LLVMTrunc:
    case LLVMPtrToInt:
    case LLVMIntToPtr:
    case LLVMAddrSpaceCast:
    case LLVMFreeze:
        return operand(s, v, 0);
    case LLVMSExt:
    case LLVMZExt:
        return extend(s, v);
    case LLVMUDiv:
    case LLVMURem:
        return divide(s, v);
    case LLVMGetElementPtr:
        return address(s, v);
    case LLVMSelect:
        return choose(s, v);
    default:
        break;
    }
    return plain(s, v);
}

int64_t tf_private_stride(const struct tf_shapes *s, LLVMValueRef variable)
{
    const unsigned unit_bytes = tf_private_of(&s->privates, variable).unit_bytes;

    return (int64_t)(unit_bytes ? unit_bytes : tf_private_bytes(&s->privates, variable));
}

// Whether operand `at`, of which the predicate asks whether it is below the other one,
// does not pass that from lane to lane: both are at the borders of blocks.
static bool is_at_limit(const struct tf_shapes *s, const struct tf_value *v, unsigned at,
                        LLVMIntPredicate predicate)
{
    const LLVMValueRef limit = LLVMGetOperand(v->instruction, 1 - at);
    const bool includes = predicate == LLVMIntULE || predicate == LLVMIntSLE ||
                          predicate == LLVMIntUGT || predicate == LLVMIntSGT;
    const int stride_bits = tf_aligned_stride(s, LLVMGetOperand(v->instruction, at));
    const struct tf_shape of_limit = operand(s, v, 1 - at);
    int64_t number;

    if (stride_bits < 0 || of_limit.kind != TF_SHAPE_AFFINE || of_limit.stride)
        return false;
    if (!includes)
        return tf_is_aligned(s, limit, (unsigned)stride_bits);
    return constant_operand(v, 1 - at, &number) &&
           tf_is_block(s, (uint64_t)number + 1, (unsigned)stride_bits);
}

// Whether two are equal is the same for all lanes if they are as far apart in all lanes.
static struct tf_shape compare(const struct tf_shapes *s, const struct tf_value *v)
{
    const LLVMIntPredicate predicate = LLVMGetICmpPredicate(v->instruction);
    const struct tf_shape a = operand(s, v, 0), b = operand(s, v, 1);

    if (predicate != LLVMIntEQ && predicate != LLVMIntNE)
        return is_at_limit(s, v, 0, predicate) ||
                       is_at_limit(s, v, 1, tf_ir_swapped(predicate))
                   ? affine(0)
                   : plain(s, v);
    if (a.kind == TF_SHAPE_VARYING || b.kind == TF_SHAPE_VARYING)
        return varying;
    if (a.kind == TF_SHAPE_TOP || b.kind == TF_SHAPE_TOP)
        return top;
    return a.stride == b.stride ? affine(0) : varying;
}

struct tf_shape tf_shape_transfer(const struct tf_shapes *s, const struct tf_value *v)
{
    const LLVMTypeRef type = LLVMTypeOf(v->instruction);

    switch ((int)v->opcode) {
    case LLVMPHI:
        return join_phi(s, v);
    case LLVMLoad:
        return load(s, v);
    case LLVMCall:
        return call(s, v);
    case LLVMAlloca: // each lane has its own
        return affine(tf_private_stride(s, v->instruction));
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        return varying;
    case LLVMICmp:
        return compare(s, v);
    default:
        break;
    }
    return is_integer_or_pointer(type) ? arithmetic(s, v) : plain(s, v);
}
