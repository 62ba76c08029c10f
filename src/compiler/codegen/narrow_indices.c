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
    MAX_STEPS = 6,  // from what counts to the index, and from there to an address
    MAX_USES = 256, // that are looked at
    MAX_HINTS = 16,
};

struct settler {
    LLVMContextRef context;
    unsigned loop, apart; // kinds of metadata: of loops, of what was looked at
};

// Where there are too many uses: yes.
static bool leads_to_address(LLVMValueRef value, unsigned steps, unsigned *uses)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        const LLVMValueRef user = LLVMGetUser(use);

        if (++*uses > MAX_USES || LLVMIsAGetElementPtrInst(user) ||
            (steps > 0 && (LLVMIsABinaryOperator(user) || LLVMIsACastInst(user)) &&
             leads_to_address(user, steps - 1, uses)))
            return true;
    }
    return false;
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
        return LLVMIsAConstantInt(LLVMGetOperand(i, 1)) &&
               LLVMGetIntTypeWidth(LLVMTypeOf(i)) <= 64 &&
               LLVMConstIntGetZExtValue(LLVMGetOperand(i, 1)) < UINT32_MAX;
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

// What a number that counts with a loop may be made by.
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
    default:
        return false;
    }
}

// Whether the value may count with a loop: what each round makes in other ways, in this
// block, does not.
static bool may_count(LLVMValueRef value, LLVMBasicBlockRef block, unsigned steps)
{
    if (!LLVMIsAInstruction(value) || steps == 0 || LLVMIsAPHINode(value) ||
        LLVMGetInstructionParent(value) != block)
        return true;
    if (!is_step(value) || !may_count(LLVMGetOperand(value, 0), block, steps - 1))
        return false;
    return LLVMIsACastInst(value) ||
           may_count(LLVMGetOperand(value, 1), block, steps - 1);
}

// Whether the phi is made of itself by such steps.
static bool counts(LLVMValueRef value, LLVMValueRef phi, unsigned steps)
{
    if (value == phi)
        return true;
    if (steps == 0 || !LLVMIsAInstruction(value) || !is_step(value))
        return false;
    return counts(LLVMGetOperand(value, 0), phi, steps - 1) ||
           (!LLVMIsACastInst(value) && counts(LLVMGetOperand(value, 1), phi, steps - 1));
}

static bool is_counter(LLVMValueRef phi)
{
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        if (counts(LLVMGetIncomingValue(phi, i), phi, MAX_STEPS))
            return true;
    }
    return false;
}

// The phis that the value is a sum or product of, and what not.
static void mark_phis(const struct settler *s, LLVMValueRef value, unsigned steps)
{
    if (LLVMIsAPHINode(value)) {
        if (is_counter(value))
            mark_ways(s, value);
        return;
    }
    if (!LLVMIsAInstruction(value) || steps == 0 || !is_step(value))
        return;
    mark_phis(s, LLVMGetOperand(value, 0), steps - 1);
    if (!LLVMIsACastInst(value))
        mark_phis(s, LLVMGetOperand(value, 1), steps - 1);
}

void tf_narrow_indices_settle(LLVMValueRef function)
{
    static const char loop[] = "llvm.loop", apart[] = "tf.no_vectors";
    const LLVMContextRef c = LLVMGetModuleContext(LLVMGetGlobalParent(function));
    const struct settler s = {.context = c,
                              .loop = LLVMGetMDKindIDInContext(c, loop, sizeof(loop) - 1),
                              .apart =
                                  LLVMGetMDKindIDInContext(c, apart, sizeof(apart) - 1)};

    TF_FOR_EACH_INSTRUCTION(i, function)
    {
        unsigned uses = 0;

        if (is_narrow(i) && may_count(i, LLVMGetInstructionParent(i), MAX_STEPS) &&
            leads_to_address(i, MAX_STEPS, &uses))
            mark_phis(&s, i, MAX_STEPS);
    }
}
