// SPDX-License-Identifier: MIT
#include "compiler/workgroup/prepare/narrow/interval.h"

#include <stddef.h>

#include "compiler/ir/ir_util.h"

const struct tf_interval tf_interval_unknown = {.low = 1, .high = 0};

bool tf_interval_is_known(struct tf_interval x)
{
    return x.low <= x.high;
}

bool tf_interval_fits_signed(struct tf_interval x)
{
    return tf_interval_is_known(x) && x.low >= INT16_MIN && x.high <= INT16_MAX;
}

bool tf_interval_fits_unsigned(struct tf_interval x)
{
    return tf_interval_is_known(x) && x.low >= 0 && x.high <= UINT16_MAX;
}

static struct tf_interval bounded(int64_t low, int64_t high)
{
    return low >= INT32_MIN && high <= INT32_MAX
               ? (struct tf_interval){.low = low, .high = high}
               : tf_interval_unknown;
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t greatest(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static struct tf_interval both(struct tf_interval a, struct tf_interval b)
{
    return bounded(least(a.low, b.low), greatest(a.high, b.high));
}

// ---- leaves

static struct tf_interval of_element(LLVMValueRef element)
{
    const LLVMTypeRef type = element ? LLVMTypeOf(element) : NULL;
    int64_t n;

    if (!element || !LLVMIsAConstantInt(element) || LLVMGetIntTypeWidth(type) > 64)
        return tf_interval_unknown;
    n = LLVMConstIntGetSExtValue(element);
    return bounded(n, n);
}

struct tf_interval tf_interval_of_constant(LLVMValueRef constant)
{
    const LLVMTypeRef type = LLVMTypeOf(constant);
    struct tf_interval all;

    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind)
        return of_element(constant);
    all = of_element(LLVMGetAggregateElement(constant, 0));
    for (unsigned i = 1; i < LLVMGetVectorSize(type); i++) {
        const struct tf_interval one = of_element(LLVMGetAggregateElement(constant, i));

        if (!tf_interval_is_known(one) || !tf_interval_is_known(all))
            return tf_interval_unknown;
        all = both(all, one);
    }
    return all;
}

unsigned tf_interval_bits(LLVMTypeRef type)
{
    if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
        type = LLVMGetElementType(type);
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : 0;
}

static unsigned bits_of(LLVMValueRef value)
{
    return tf_interval_bits(LLVMTypeOf(value));
}

// The greatest number without sign that `value`, of so few bits, can be: nibbles of
// bytes, and the like.
static int64_t most_of(LLVMValueRef value)
{
    const int64_t most = ((int64_t)1 << bits_of(value)) - 1;
    struct tf_interval second;

    if (!LLVMIsABinaryOperator(value))
        return most;
    second = tf_interval_of_constant(LLVMGetOperand(value, 1));
    if (!tf_interval_is_known(second) || second.low < 0)
        return most;
    switch ((int)LLVMGetInstructionOpcode(value)) {
    case LLVMAnd:
        return least(most, second.high);
    case LLVMLShr:
        return second.high < (int64_t)bits_of(value) ? most >> second.low : most;
    default:
        return most;
    }
}

struct tf_interval tf_interval_of_extension(LLVMValueRef extension)
{
    const bool with_sign = LLVMIsASExtInst(extension) != NULL;
    LLVMValueRef from;
    unsigned bits;
    int64_t half;

    if (!with_sign && !LLVMIsAZExtInst(extension))
        return tf_interval_unknown;
    from = LLVMGetOperand(extension, 0);
    bits = bits_of(from);
    if (bits == 0 || bits > TF_NARROW_BITS)
        return tf_interval_unknown;
    if (!with_sign)
        return bounded(0, most_of(from));
    half = (int64_t)1 << (bits - 1);
    return bounded(-half, half - 1);
}

// ---- operations

static struct tf_interval product(struct tf_interval a, struct tf_interval b)
{
    const int64_t ends[] = {a.low * b.low, a.low * b.high, a.high * b.low,
                            a.high * b.high};
    int64_t low = ends[0], high = ends[0];

    for (size_t i = 1; i < sizeof(ends) / sizeof(ends[0]); i++) {
        low = least(low, ends[i]);
        high = greatest(high, ends[i]);
    }
    return bounded(low, high);
}

// By one number below 16: in fewer bits there are no others.
static struct tf_interval shifted(LLVMOpcode opcode, struct tf_interval a,
                                  struct tf_interval by)
{
    if (by.low != by.high || by.low < 0 || by.low >= TF_NARROW_BITS)
        return tf_interval_unknown;
    if (opcode == LLVMShl)
        return bounded(a.low * ((int64_t)1 << by.low), a.high * ((int64_t)1 << by.low));
    if (opcode == LLVMLShr && a.low < 0)
        return tf_interval_unknown;
    return bounded(a.low >> by.low, a.high >> by.low);
}

// By one number that is positive: the others are no divisors of pictures and sounds.
static struct tf_interval divided(LLVMOpcode opcode, struct tf_interval a,
                                  struct tf_interval by)
{
    const bool with_sign = opcode == LLVMSDiv || opcode == LLVMSRem;
    const int64_t d = by.low;

    if (d != by.high || d <= 0 || (!with_sign && a.low < 0))
        return tf_interval_unknown;
    if (opcode == LLVMUDiv || opcode == LLVMSDiv)
        return bounded(a.low / d, a.high / d);
    return bounded(a.low < 0 ? greatest(a.low, 1 - d) : 0,
                   a.high > 0 ? least(a.high, d - 1) : 0);
}

// All ones from the highest bit that is set in either.
static int64_t ones(int64_t n)
{
    int64_t all = 0;

    while (all < n)
        all = all * 2 + 1;
    return all;
}

static struct tf_interval bitwise(LLVMOpcode opcode, struct tf_interval a,
                                  struct tf_interval b)
{
    const int64_t most = ones(greatest(greatest(-1 - a.low, a.high), //
                                       greatest(-1 - b.low, b.high)));

    if (opcode == LLVMAnd && (a.low >= 0 || b.low >= 0))
        return bounded(0, a.low < 0   ? b.high
                          : b.low < 0 ? a.high
                                      : least(a.high, b.high));
    return bounded(a.low >= 0 && b.low >= 0 ? 0 : -1 - most, most);
}

enum tf_interval_call tf_interval_call(LLVMValueRef value)
{
    if (!LLVMIsACallInst(value) || !tf_ir_calls(value, "llvm."))
        return TF_INTERVAL_NO_CALL;
    return tf_ir_calls(value, "llvm.smin.")       ? TF_INTERVAL_SMIN
           : tf_ir_calls(value, "llvm.smax.")     ? TF_INTERVAL_SMAX
           : tf_ir_calls(value, "llvm.umin.")     ? TF_INTERVAL_UMIN
           : tf_ir_calls(value, "llvm.umax.")     ? TF_INTERVAL_UMAX
           : tf_ir_calls(value, "llvm.usub.sat.") ? TF_INTERVAL_USUB_SAT
           : tf_ir_calls(value, "llvm.abs.")      ? TF_INTERVAL_ABS
                                                  : TF_INTERVAL_NO_CALL;
}

static struct tf_interval called(LLVMValueRef call, struct tf_interval a,
                                 struct tf_interval b)
{
    const enum tf_interval_call what = tf_interval_call(call);

    if (what != TF_INTERVAL_SMIN && what != TF_INTERVAL_SMAX && what != TF_INTERVAL_ABS &&
        (a.low < 0 || b.low < 0))
        return tf_interval_unknown;
    switch (what) {
    case TF_INTERVAL_SMIN:
    case TF_INTERVAL_UMIN:
        return bounded(least(a.low, b.low), least(a.high, b.high));
    case TF_INTERVAL_SMAX:
    case TF_INTERVAL_UMAX:
        return bounded(greatest(a.low, b.low), greatest(a.high, b.high));
    case TF_INTERVAL_USUB_SAT:
        return bounded(greatest(0, a.low - b.high), greatest(0, a.high - b.low));
    case TF_INTERVAL_ABS:
        return bounded(a.low > 0    ? a.low
                       : a.high < 0 ? -a.high
                                    : 0,
                       greatest(-a.low, a.high));
    case TF_INTERVAL_NO_CALL:
    default:
        return tf_interval_unknown;
    }
}

struct tf_interval tf_interval_of(LLVMValueRef operation,
                                  const struct tf_interval *operands)
{
    const struct tf_interval a = operands[0], b = operands[1];
    const LLVMOpcode opcode = LLVMGetInstructionOpcode(operation);

    if (!tf_interval_is_known(a) || !tf_interval_is_known(b))
        return tf_interval_unknown;
    switch ((int)opcode) {
    case LLVMAdd:
        return bounded(a.low + b.low, a.high + b.high);
    case LLVMSub:
        return bounded(a.low - b.high, a.high - b.low);
    case LLVMMul:
        return product(a, b);
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
        return shifted(opcode, a, b);
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
        return divided(opcode, a, b);
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
        return bitwise(opcode, a, b);
    case LLVMSelect:
        return both(a, b);
    case LLVMCall:
        return called(operation, a, b);
    default:
        return tf_interval_unknown;
    }
}
