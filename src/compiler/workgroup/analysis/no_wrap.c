// SPDX-License-Identifier: MIT
// Whether the lanes of an integer wrap. What the language says of signed arithmetic
// (`nsw`), and the ranges of ids and constants, settle most indices at compile time.
#include "compiler/ir/roots.h"
#include "compiler/workgroup/analysis/aligned.h"
#include "compiler/workgroup/kernel/small.h"

enum { MAX_DEPTH = 8 };

// Bounds on all lanes of the number that a value stands for before it is cut to its bits.
struct range {
    bool known;
    int64_t low, high;
};

static struct range range_of(LLVMValueRef value, unsigned depth);

static struct range add(struct range a, struct range b)
{
    struct range r = {.known = a.known && b.known};

    if (r.known && (__builtin_add_overflow(a.low, b.low, &r.low) ||
                    __builtin_add_overflow(a.high, b.high, &r.high)))
        r.known = false;
    return r;
}

static struct range scale(struct range a, int64_t by)
{
    struct range r = {.known = a.known};
    int64_t low, high;

    if (!r.known || __builtin_mul_overflow(a.low, by, &low) ||
        __builtin_mul_overflow(a.high, by, &high))
        return (struct range){0};
    r.low = low < high ? low : high;
    r.high = low < high ? high : low;
    return r;
}

static bool fits(struct range r, unsigned bits, bool with_sign)
{
    if (!r.known || bits > 62)
        return false;
    if (with_sign)
        return r.low >= -((int64_t)1 << (bits - 1)) && r.high < (int64_t)1 << (bits - 1);
    return r.low >= 0 && r.high < (int64_t)1 << bits;
}

static struct range range_of_extension(LLVMValueRef value, unsigned depth, bool with_sign)
{
    const LLVMValueRef from = LLVMGetOperand(value, 0);
    const struct range r = range_of(from, depth);

    return fits(r, LLVMGetIntTypeWidth(LLVMTypeOf(from)), with_sign) ? r
                                                                     : (struct range){0};
}

static struct range range_of_instruction(LLVMValueRef value, unsigned depth)
{
    const LLVMValueRef a =
        LLVMGetNumOperands(value) > 0 ? LLVMGetOperand(value, 0) : NULL;
    const LLVMValueRef b =
        LLVMGetNumOperands(value) > 1 ? LLVMGetOperand(value, 1) : NULL;

    switch ((int)LLVMGetInstructionOpcode(value)) {
    case LLVMCall:
        if (tf_root_of(value) == TF_ROOT_SUB_GROUP_LANE)
            return (struct range){.known = true, .low = 0, .high = 63};
        if (tf_shape_root(value) >= 0)
            return (struct range){.known = true, .low = 0, .high = TF_SMALL_END - 1};
        break;
    case LLVMAdd:
        return add(range_of(a, depth), range_of(b, depth));
    case LLVMSub:
        return add(range_of(a, depth), scale(range_of(b, depth), -1));
    case LLVMOr:
        if (LLVMGetIsDisjoint(value))
            return add(range_of(a, depth), range_of(b, depth));
        break;
    case LLVMMul:
        if (LLVMIsAConstantInt(b))
            return scale(range_of(a, depth), LLVMConstIntGetSExtValue(b));
        break;
    case LLVMShl:
        if (LLVMIsAConstantInt(b) && LLVMConstIntGetZExtValue(b) < 32)
            return scale(range_of(a, depth), (int64_t)1 << LLVMConstIntGetZExtValue(b));
        break;
    case LLVMSExt:
        return range_of_extension(value, depth, true);
    case LLVMZExt:
        return range_of_extension(value, depth, false);
    default:
        break;
    }
    return (struct range){0};
}

static struct range range_of(LLVMValueRef value, unsigned depth)
{
    const LLVMTypeRef type = LLVMTypeOf(value);
    int64_t number;

    if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(type) > 64)
        return (struct range){0};
    if (LLVMIsAConstantInt(value)) {
        number = LLVMConstIntGetSExtValue(value);
        return (struct range){.known = true, .low = number, .high = number};
    }
    if (!LLVMIsAInstruction(value) || depth == MAX_DEPTH)
        return (struct range){0};
    return range_of_instruction(value, depth + 1);
}

// Values meet again and again on the ways into a sum: a limit to the ways, too.
enum { MAX_VALUES = 100 };

struct walk {
    unsigned depth;
    unsigned *left; // values that may still be looked at
};

static bool is_assumed(const struct tf_shapes *s, LLVMValueRef value)
{
    const struct tf_value *v = tf_shape_value(s, value);

    return v && v->assumed;
}

// No lane wraps where the language forbids it. A lane that does not run may: for lane 0,
// from which the others are counted, see gang_exact.c.
static bool is_signed_chain(const struct tf_shapes *s, LLVMValueRef value, struct walk w)
{
    const unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(value));

    if (tf_is_uniform(s, value) || fits(range_of(value, 0), bits, true))
        return true;
    if (!LLVMIsAInstruction(value) || w.depth == MAX_DEPTH || *w.left == 0)
        return false;
    w.depth++;
    --*w.left;
    switch ((int)LLVMGetInstructionOpcode(value)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
        return LLVMGetNSW(value) && is_signed_chain(s, LLVMGetOperand(value, 0), w) &&
               is_signed_chain(s, LLVMGetOperand(value, 1), w);
    case LLVMOr:
        return LLVMGetIsDisjoint(value) &&
               is_signed_chain(s, LLVMGetOperand(value, 0), w) &&
               is_signed_chain(s, LLVMGetOperand(value, 1), w);
    case LLVMSelect:
        return is_signed_chain(s, LLVMGetOperand(value, 1), w) &&
               is_signed_chain(s, LLVMGetOperand(value, 2), w);
    case LLVMPHI:
        // A cycle through the phi adds steps that are checked on their own; at the depth
        // limit it is taken as no chain.
        for (unsigned i = 0; i < LLVMCountIncoming(value); i++) {
            const LLVMValueRef in = LLVMGetIncomingValue(value, i);

            if (in == value || LLVMIsUndef(in))
                continue;
            // value + step: the step is uniform, the sum may not wrap.
            if (LLVMIsAInstruction(in) && LLVMGetInstructionOpcode(in) == LLVMAdd &&
                LLVMGetOperand(in, 0) == value && LLVMGetNSW(in) &&
                tf_is_uniform(s, LLVMGetOperand(in, 1)))
                continue;
            if (!is_signed_chain(s, in, w))
                return false;
        }
        return true;
    case LLVMFPToSI:
        return is_assumed(s, value); // with a look at the order
    case LLVMSExt:
    case LLVMZExt:
        return true; // of a narrower type: in itself
    case LLVMFreeze:
        return is_signed_chain(s, LLVMGetOperand(value, 0), w);
    case LLVMCall:
        return tf_shape_is_limit(value) &&
               is_signed_chain(s, LLVMGetOperand(value, 0), w) &&
               is_signed_chain(s, LLVMGetOperand(value, 1), w);
    default:
        return false;
    }
}

// What is taken for granted of these (gang_index.c) says that no lane passes 2^bits, and
// that those with a sign are positive.
static bool is_assumed_remainder(const struct tf_shapes *s, LLVMValueRef value,
                                 bool with_sign)
{
    LLVMOpcode opcode;

    if (!is_assumed(s, value))
        return false;
    opcode = LLVMGetInstructionOpcode(value);
    return opcode == LLVMSRem ||
           (!with_sign && (opcode == LLVMAnd || opcode == LLVMURem));
}

bool tf_lanes_keep_order(const struct tf_shapes *s, LLVMValueRef value, bool with_sign)
{
    const unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(value));
    unsigned left = MAX_VALUES;

    if (is_assumed_remainder(s, value, with_sign) || tf_aligned_stride(s, value) >= 0)
        return true;
    if (with_sign)
        return is_signed_chain(s, value, (struct walk){.left = &left});
    return fits(range_of(value, 0), bits, false);
}

bool tf_rests_on_promise(const struct tf_shapes *s, LLVMValueRef value)
{
    const LLVMTypeRef type = LLVMTypeOf(value);

    if (!LLVMIsAInstruction(value) || LLVMGetTypeKind(type) != LLVMIntegerTypeKind ||
        LLVMGetIntTypeWidth(type) >= 64 || tf_is_uniform(s, value) ||
        tf_shape_of(s, value).kind != TF_SHAPE_AFFINE || is_assumed(s, value) ||
        fits(range_of(value, 0), LLVMGetIntTypeWidth(type), true))
        return false;
    switch ((int)LLVMGetInstructionOpcode(value)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
        return LLVMGetNSW(value);
    case LLVMOr:
        return LLVMGetIsDisjoint(value);
    case LLVMSelect:
    case LLVMPHI:
    case LLVMFreeze:
        return true;
    default:
        return false;
    }
}
