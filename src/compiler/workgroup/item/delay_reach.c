// SPDX-License-Identifier: MIT
// How far from the start of a buffer a change may go: bins[byte], bins[x >> 24],
// bins[x % 100].
#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#include "compiler/ir/ir_util.h"
#include "compiler/workgroup/item/delay.h"
#include "compiler/workgroup/kernel/wg.h"

enum { MOST_STEPS = 12, MOST_BYTES = 4096 };

static uint64_t most_of_bits(unsigned bits)
{
    return bits >= 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
}

static uint64_t most_of(LLVMValueRef value, unsigned steps);

static uint64_t lesser(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t constant_or(LLVMValueRef value, uint64_t otherwise)
{
    return LLVMIsAConstantInt(value) && LLVMGetIntTypeWidth(LLVMTypeOf(value)) <= 64
               ? LLVMConstIntGetZExtValue(value)
               : otherwise;
}

// The most that an operation without a sign gives; `all`: what the type holds.
static uint64_t most_of_operation(LLVMValueRef i, uint64_t all, unsigned steps)
{
    const LLVMValueRef right = LLVMGetOperand(i, LLVMGetNumOperands(i) > 1 ? 1 : 0);
    const uint64_t a = most_of(LLVMGetOperand(i, 0), steps), by = constant_or(right, 0);
    uint64_t b;

    switch ((int)LLVMGetInstructionOpcode(i)) {
    case LLVMZExt:
        return a;
    case LLVMTrunc:
        return lesser(a, all);
    case LLVMSExt: // the same where there is no sign
        return a <= most_of_bits(LLVMGetIntTypeWidth(LLVMTypeOf(right)) - 1) ? a : all;
    case LLVMAnd:
        return lesser(a, most_of(right, steps));
    case LLVMLShr:
        return by < 64 ? a >> by : 0;
    case LLVMUDiv:
        return by ? a / by : a;
    case LLVMURem:
        return by ? lesser(a, by - 1) : a;
    case LLVMShl:
        return by < 32 && a <= all >> by ? a << by : all;
    case LLVMAdd:
        b = most_of(right, steps);
        return a <= all && b <= all - a ? a + b : all;
    case LLVMOr:
    case LLVMXor:
        b = a | most_of(right, steps);
        for (unsigned shift = 1; shift < 64; shift *= 2)
            b |= b >> shift;
        return lesser(b, all);
    default:
        return all;
    }
}

static uint64_t most_of(LLVMValueRef value, unsigned steps)
{
    const LLVMTypeRef type = LLVMTypeOf(value);
    const unsigned bits =
        LLVMGetTypeKind(type) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : 64;
    const uint64_t all = most_of_bits(bits);

    if (bits > 64)
        return UINT64_MAX;
    if (!LLVMIsAInstruction(value))
        return constant_or(value, all);
    if (LLVMIsASelectInst(value) && steps > 0) {
        const uint64_t a = most_of(LLVMGetOperand(value, 1), steps - 1);
        const uint64_t b = most_of(LLVMGetOperand(value, 2), steps - 1);

        return a > b ? a : b;
    }
    if (steps == 0 || LLVMIsALoadInst(value) || LLVMIsAPHINode(value) ||
        LLVMIsACallInst(value) || LLVMGetTypeKind(type) != LLVMIntegerTypeKind)
        return all;
    return most_of_operation(value, all, steps - 1);
}

// Adds what the indices of one step add. False: that is not known, or no whole words.
static bool add_step(const struct tf_wg *wg, LLVMValueRef step, uint64_t word_bytes,
                     uint64_t *most)
{
    const LLVMTypeRef type = LLVMGetGEPSourceElementType(step);
    const uint64_t each = LLVMABISizeOfType(LLVMGetModuleDataLayout(wg->module), type);
    const LLVMValueRef index = LLVMGetOperand(step, 1);
    const uint64_t last = most_of(index, MOST_STEPS);

    if (LLVMGetNumOperands(step) != 2 || each == 0 || last > MOST_BYTES / each)
        return false;
    if (each % word_bytes && (constant_or(index, 1) * each) % word_bytes)
        return false;
    *most += last * each;
    return true;
}

bool tf_delay_find_reach(const struct tf_wg *wg, LLVMValueRef fn, LLVMValueRef change,
                         struct tf_delay_reach *out)
{
    const uint64_t word_bytes = LLVMGetIntTypeWidth(LLVMTypeOf(change)) / 8;
    LLVMValueRef address = LLVMGetOperand(change, 0);
    uint64_t most = 0;
    int argument;

    for (unsigned n = 0; LLVMIsAGetElementPtrInst(address); n++) {
        if (n == MOST_STEPS || !add_step(wg, address, word_bytes, &most))
            return false;
        address = LLVMGetOperand(address, 0);
    }
    argument = tf_wg_buffer_of(wg, fn, address);
    if (argument < 0 || most + word_bytes > MOST_BYTES)
        return false;
    out->argument = (unsigned)argument;
    out->bytes = most + word_bytes;
    return true;
}

bool tf_delay_read_reach(LLVMValueRef change, unsigned mark, struct tf_delay_reach *out)
{
    const LLVMValueRef says = LLVMGetMetadata(change, mark);
    LLVMValueRef numbers[2];

    if (!says || LLVMGetMDNodeNumOperands(says) != 2)
        return false;
    LLVMGetMDNodeOperands(says, numbers);
    out->argument = (unsigned)LLVMConstIntGetZExtValue(numbers[0]);
    out->bytes = LLVMConstIntGetZExtValue(numbers[1]);
    return true;
}
