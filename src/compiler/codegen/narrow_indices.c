// SPDX-License-Identifier: MIT
// In in[base + (i & 7)] LLVM 22 takes an index of three bits for one that counts with the
// loop, provided that it does not wrap, and then forgets to ask: a question about the 32
// bits of `base + ..`, or of another address of the loop, counts as the same one
// (SCEVWrapPredicate::implies compares where they begin and their steps, not their
// sizes). Vectors of more than eight elements then go on behind the eighth. Where it does
// ask, vectors are for loops of eight rounds only, so that nothing is lost without them.
#include "compiler/codegen/narrow_indices.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>

#include "compiler/ir/ir_util.h"

enum {
    WORD_BITS = 32,
    MAX_STEPS = 24,  // from what counts to the index, and from there to an address
    MAX_LOOKS = 256, // at values for one index
    MAX_HINTS = 16,
};

struct settler {
    LLVMContextRef context;
    unsigned loop, apart; // kinds of metadata: of loops, of what was looked at
};

// Where there are too many uses, or steps: yes.
static bool leads_to_address(LLVMValueRef value, unsigned steps, unsigned *looks)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        const LLVMValueRef user = LLVMGetUser(use);

        if (++*looks > MAX_LOOKS || LLVMIsAGetElementPtrInst(user) ||
            ((LLVMIsABinaryOperator(user) || LLVMIsACastInst(user)) &&
             (steps == 0 || leads_to_address(user, steps - 1, looks))))
            return true;
    }
    return false;
}

static bool has_constant(LLVMValueRef operation)
{
    return LLVMIsAConstantInt(LLVMGetOperand(operation, 1));
}

// LLVM takes x << n >> n for a number of n bits less that is widened by its sign.
static bool is_shifted_back(LLVMValueRef shift)
{
    const LLVMValueRef up = LLVMGetOperand(shift, 0);

    return has_constant(shift) && LLVMIsAInstruction(up) &&
           LLVMGetInstructionOpcode(up) == LLVMShl && has_constant(up);
}

// Whether the value has the bits of a narrower one: of its first operand, or of what is
// left of that.
static bool is_narrow(LLVMValueRef i)
{
    if (LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMIntegerTypeKind)
        return false;
    switch ((int)LLVMGetInstructionOpcode(i)) {
    case LLVMAnd:
    case LLVMURem:
    case LLVMSRem: // of what is known to have no sign
        return has_constant(i) && LLVMGetIntTypeWidth(LLVMTypeOf(i)) <= 64 &&
               LLVMConstIntGetZExtValue(LLVMGetOperand(i, 1)) != UINT32_MAX;
    case LLVMAShr:
        return is_shifted_back(i);
    case LLVMZExt:
    case LLVMSExt:
        return LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(i, 0))) < WORD_BITS;
    default:
        return false;
    }
}

// ---- marks

static LLVMMetadataRef no_vectors(const struct settler *s)
{
    static const char name[] = "llvm.loop.vectorize.enable";
    LLVMMetadataRef words[] = {
        LLVMMDStringInContext2(s->context, name, sizeof(name) - 1),
        LLVMValueAsMetadata(LLVMConstInt(LLVMInt1TypeInContext(s->context), 0, false))};

    return LLVMMDNodeInContext2(s->context, words, 2);
}

// With what was said of the loop before, unless that is very much.
static void mark(const struct settler *s, LLVMValueRef branch)
{
    const LLVMValueRef old = LLVMGetMetadata(branch, s->loop);
    unsigned count = old ? LLVMGetMDNodeNumOperands(old) : 1;
    LLVMMetadataRef self, node, hints[MAX_HINTS + 1];
    LLVMValueRef before[MAX_HINTS];

    if (count > MAX_HINTS)
        count = 1;
    else if (old)
        LLVMGetMDNodeOperands(old, before);
    self = hints[0] = LLVMTemporaryMDNode(s->context, NULL, 0);
    for (unsigned i = 1; i < count; i++) // the first is the loop itself
        hints[i] = LLVMValueAsMetadata(before[i]);
    hints[count] = no_vectors(s);
    node = LLVMMDNodeInContext2(s->context, hints, count + 1);
    LLVMMetadataReplaceAllUsesWith(self, node);
    LLVMSetMetadata(branch, s->loop, LLVMMetadataAsValue(s->context, node));
}

// All ways to the phi: of those that are no way back to a loop's head nobody reads it.
static void mark_ways(const struct settler *s, LLVMValueRef phi)
{
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        const LLVMValueRef branch =
            LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(phi, i));

        if (LLVMGetMetadata(branch, s->apart))
            continue;
        mark(s, branch);
        LLVMSetMetadata(
            branch, s->apart,
            LLVMMetadataAsValue(s->context, LLVMMDNodeInContext2(s->context, NULL, 0)));
    }
}

// What a number that counts with a loop may be made by. A half of one that counts in
// twos counts, too.
static bool is_step(LLVMValueRef value)
{
    switch ((int)LLVMGetInstructionOpcode(value)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
    case LLVMOr:
    case LLVMAnd:
    case LLVMURem:
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt:
        return true;
    case LLVMLShr:
    case LLVMAShr:
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMSRem:
    case LLVMXor: // all bits turned around
        return has_constant(value);
    default:
        return false;
    }
}

// Whether the value may count with a loop: what each round makes in other ways, in this
// block, does not.
static bool may_count(LLVMValueRef value, LLVMBasicBlockRef block, unsigned steps,
                      unsigned *looks)
{
    if (!LLVMIsAInstruction(value) || steps == 0 || ++*looks > MAX_LOOKS ||
        LLVMIsAPHINode(value) || LLVMGetInstructionParent(value) != block)
        return true;
    if (!is_step(value) || !may_count(LLVMGetOperand(value, 0), block, steps - 1, looks))
        return false;
    return LLVMIsACastInst(value) ||
           may_count(LLVMGetOperand(value, 1), block, steps - 1, looks);
}

static bool is_counter(LLVMValueRef phi, unsigned steps, unsigned *looks);

// Whether the phi is made of itself by such steps, or by very many; or of another one
// that is, which it may be the value before of.
static bool counts(LLVMValueRef value, LLVMValueRef phi, unsigned steps, unsigned *looks)
{
    if (value == phi)
        return true;
    if (!LLVMIsAInstruction(value))
        return false;
    if (steps == 0 || ++*looks > MAX_LOOKS)
        return true;
    if (LLVMIsAPHINode(value))
        return LLVMGetInstructionParent(value) == LLVMGetInstructionParent(phi) &&
               is_counter(value, steps - 1, looks);
    return is_step(value) && (counts(LLVMGetOperand(value, 0), phi, steps - 1, looks) ||
                              (!LLVMIsACastInst(value) &&
                               counts(LLVMGetOperand(value, 1), phi, steps - 1, looks)));
}

static bool is_counter(LLVMValueRef phi, unsigned steps, unsigned *looks)
{
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        if (counts(LLVMGetIncomingValue(phi, i), phi, steps, looks))
            return true;
    }
    return false;
}

// The phis that the value is a sum or product of, and what not.
static void mark_phis(const struct settler *s, LLVMValueRef value, unsigned steps,
                      unsigned *looks)
{
    if (LLVMIsAPHINode(value)) {
        unsigned seen = 0;

        if (is_counter(value, MAX_STEPS, &seen))
            mark_ways(s, value);
        return;
    }
    if (!LLVMIsAInstruction(value) || steps == 0 || ++*looks > MAX_LOOKS ||
        !is_step(value))
        return;
    mark_phis(s, LLVMGetOperand(value, 0), steps - 1, looks);
    if (!LLVMIsACastInst(value))
        mark_phis(s, LLVMGetOperand(value, 1), steps - 1, looks);
}

void tf_narrow_indices_settle(LLVMValueRef function)
{
    static const char apart[] = "tf.no_vectors";
    const LLVMContextRef c = LLVMGetModuleContext(LLVMGetGlobalParent(function));
    const struct settler s = {.context = c,
                              .loop = tf_ir_loop_kind(c),
                              .apart =
                                  LLVMGetMDKindIDInContext(c, apart, sizeof(apart) - 1)};

    TF_FOR_EACH_INSTRUCTION(i, function)
    {
        unsigned looks[3] = {0};

        if (is_narrow(i) &&
            may_count(i, LLVMGetInstructionParent(i), MAX_STEPS, &looks[0]) &&
            leads_to_address(i, MAX_STEPS, &looks[1]))
            mark_phis(&s, i, MAX_STEPS, &looks[2]);
    }
}
