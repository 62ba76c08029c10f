// SPDX-License-Identifier: MIT
#include "compiler/ir/flow/joins.h"

#include <llvm-c/Core.h>

#include "compiler/ir/ir_util.h"

enum { MOST_DEPTH = 4 }; // of operations made anew

// What is cheap, always defined, and depends on its operands alone.
static bool is_cheap(LLVMValueRef i)
{
    return tf_ir_is_integer_operation(i) || LLVMIsATruncInst(i) || LLVMIsAZExtInst(i) ||
           LLVMIsASExtInst(i) || LLVMIsAGetElementPtrInst(i);
}

static bool all_the_same(const struct tf_ways *w)
{
    for (unsigned k = 1; k < w->count; k++) {
        if (w->values[k] != w->values[0])
            return false;
    }
    return true;
}

static bool is_alike(LLVMValueRef a, LLVMValueRef b)
{
    if (!LLVMIsAInstruction(b) ||
        LLVMGetInstructionOpcode(a) != LLVMGetInstructionOpcode(b) ||
        LLVMTypeOf(a) != LLVMTypeOf(b) || LLVMGetNumOperands(a) != LLVMGetNumOperands(b))
        return false;
    return !LLVMIsAGetElementPtrInst(a) ||
           LLVMGetGEPSourceElementType(a) == LLVMGetGEPSourceElementType(b);
}

static struct tf_ways operands_of(const struct tf_ways *w, unsigned operand)
{
    struct tf_ways of = {.count = w->count};

    for (unsigned k = 0; k < w->count; k++)
        of.values[k] = LLVMGetOperand(w->values[k], operand);
    return of;
}

// Whether all ways make the same of the same values. A value that all of them use is
// there in the block where they meet: each way comes by it.
static bool make_the_same(const struct tf_ways *w, unsigned depth)
{
    const LLVMValueRef first = w->values[0];

    if (all_the_same(w))
        return true;
    if (depth == MOST_DEPTH || !LLVMIsAInstruction(first) || !is_cheap(first))
        return false;
    for (unsigned k = 1; k < w->count; k++) {
        if (!is_alike(first, w->values[k]))
            return false;
    }
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(first); i++) {
        const struct tf_ways of = operands_of(w, i);

        if (!make_the_same(&of, depth + 1))
            return false;
    }
    return true;
}

bool tf_ir_ways_are_alike(const struct tf_ways *ways)
{
    return make_the_same(ways, 0);
}

// What is promised of the result must be promised on all ways.
static void keep_common_promises(LLVMValueRef made, LLVMValueRef other)
{
    switch ((int)LLVMGetInstructionOpcode(made)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
        LLVMSetNUW(made, LLVMGetNUW(made) && LLVMGetNUW(other));
        LLVMSetNSW(made, LLVMGetNSW(made) && LLVMGetNSW(other));
        break;
    case LLVMLShr:
    case LLVMAShr:
        LLVMSetExact(made, LLVMGetExact(made) && LLVMGetExact(other));
        break;
    case LLVMOr:
        LLVMSetIsDisjoint(made, LLVMGetIsDisjoint(made) && LLVMGetIsDisjoint(other));
        break;
    case LLVMZExt:
        LLVMSetNNeg(made, LLVMGetNNeg(made) && LLVMGetNNeg(other));
        break;
    case LLVMGetElementPtr:
        LLVMGEPSetNoWrapFlags(made,
                              LLVMGEPGetNoWrapFlags(made) & LLVMGEPGetNoWrapFlags(other));
        break;
    default: // a truncation's promises have no names here
        break;
    }
}

LLVMValueRef tf_ir_make_alike(LLVMBuilderRef b, const struct tf_ways *w)
{
    LLVMValueRef made, operand;

    if (all_the_same(w))
        return w->values[0];
    if (LLVMIsATruncInst(w->values[0])) {
        const struct tf_ways of = operands_of(w, 0);

        operand = tf_ir_make_alike(b, &of);
        return LLVMBuildTrunc(b, operand, LLVMTypeOf(w->values[0]), "");
    }
    made = LLVMInstructionClone(w->values[0]);
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(made); i++) {
        const struct tf_ways of = operands_of(w, i);

        operand = tf_ir_make_alike(b, &of);
        LLVMSetOperand(made, i, operand);
    }
    for (unsigned k = 1; k < w->count; k++)
        keep_common_promises(made, w->values[k]);
    LLVMInsertIntoBuilder(b, made);
    return made;
}

static bool ways_of(LLVMValueRef phi, struct tf_ways *w)
{
    w->count = LLVMCountIncoming(phi);
    if (w->count < 2 || w->count > TF_MOST_WAYS)
        return false;
    for (unsigned k = 0; k < w->count; k++) {
        w->values[k] = LLVMGetIncomingValue(phi, k);
        if (w->values[k] == phi)
            return false;
    }
    return make_the_same(w, 0);
}

static bool compute_in(LLVMBuilderRef b, LLVMBasicBlockRef block)
{
    LLVMValueRef next;
    bool changed = false;

    for (LLVMValueRef i = LLVMGetFirstInstruction(block); LLVMIsAPHINode(i); i = next) {
        struct tf_ways w;

        next = LLVMGetNextInstruction(i);
        if (!ways_of(i, &w))
            continue;
        LLVMPositionBuilderBefore(b, tf_ir_first_behind_phis(block));
        LLVMReplaceAllUsesWith(i, tf_ir_make_alike(b, &w));
        LLVMInstructionEraseFromParent(i);
        changed = true;
    }
    return changed;
}

bool tf_ir_compute_at_joins(LLVMValueRef fn)
{
    const LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(fn));
    const LLVMBuilderRef b = LLVMCreateBuilderInContext(context);
    bool changed = false;

    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(fn); block;
         block = LLVMGetNextBasicBlock(block))
        changed |= compute_in(b, block);
    LLVMDisposeBuilder(b);
    return changed;
}
