// SPDX-License-Identifier: MIT
// LLVM 22's instcombine makes one load of a load under a mask and the choice between what
// it loaded and another value, and that load stands where the choice did: behind stores
// that came between. `if (c[i]) { t = a[i]; a[i] = x; } else t = y;` then reads what it
// has just written, in our lanes, and in LLVM's own vectors of loops. Before it does so
// it brings choices to loads: of x * t and x it makes x * (t or 1), and a choice that one
// block alone uses it moves into that block. It does not look through freeze, which is no
// instruction of any processor.
#include "compiler/ir/memory/masked_loads.h"

#include "compiler/ir/elementwise.h"
#include "compiler/ir/ir_util.h"
#include "compiler/ir/memory/effects.h"

enum {
    MOST_STEPS = 8,   // from the load to the choice
    MOST_USES = 4096, // of what was loaded, and of what is made of it
    MOST_BLOCKS = 32, // from the load to the choice
    MOST_LOOKS = 512, // at instructions there
};

// ---- what is written between the two

// Blocks from which a place can be reached, the load's apart.
struct ways {
    LLVMBasicBlockRef blocks[MOST_BLOCKS];
    unsigned count, looks;
    bool too_many;
};

// From `i` on, in its block: `end`, or what may write before it; NULL: the block ends.
static LLVMValueRef next_write(struct ways *w, LLVMValueRef i, LLVMValueRef end)
{
    while (i && i != end && ++w->looks <= MOST_LOOKS && tf_writes_nothing(i))
        i = LLVMGetNextInstruction(i);
    return i;
}

static void add_block(struct ways *w, LLVMBasicBlockRef block)
{
    for (unsigned k = 0; k < w->count; k++) {
        if (w->blocks[k] == block)
            return;
    }
    if (w->count < MOST_BLOCKS)
        w->blocks[w->count++] = block;
    else
        w->too_many = true;
}

static void add_predecessors(struct ways *w, LLVMBasicBlockRef of,
                             LLVMBasicBlockRef without)
{
    LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(of));

    for (; use; use = LLVMGetNextUse(use)) {
        const LLVMValueRef jump = LLVMIsAInstruction(LLVMGetUser(use));

        if (jump && LLVMGetInstructionParent(jump) != without)
            add_block(w, LLVMGetInstructionParent(jump));
    }
}

// Whether anything between the load and `place` may write, as far as is looked: if not,
// the load may as well stand there.
static bool may_write_between(LLVMValueRef load, LLVMValueRef place)
{
    const LLVMBasicBlockRef from = LLVMGetInstructionParent(load),
                            to = LLVMGetInstructionParent(place);
    struct ways w = {.count = 0};
    const LLVMValueRef next = next_write(&w, load, from == to ? place : NULL);

    if (next)
        return next != place;
    if (next_write(&w, LLVMGetFirstInstruction(to), place) != place)
        return true;
    add_predecessors(&w, to, from);
    for (unsigned k = 0; k < w.count; k++) {
        if (next_write(&w, LLVMGetFirstInstruction(w.blocks[k]), NULL))
            return true;
        add_predecessors(&w, w.blocks[k], from);
    }
    return w.too_many;
}

// ---- choices

static LLVMBasicBlockRef block_of_use(LLVMUseRef use)
{
    const LLVMValueRef user = LLVMGetUser(use);
    const LLVMValueRef used = LLVMGetUsedValue(use);
    LLVMBasicBlockRef block = NULL;

    if (!LLVMIsAPHINode(user))
        return LLVMGetInstructionParent(user);
    for (unsigned k = 0; k < LLVMCountIncoming(user); k++) {
        if (LLVMGetIncomingValue(user, k) != used)
            continue;
        if (block && block != LLVMGetIncomingBlock(user, k))
            return NULL;
        block = LLVMGetIncomingBlock(user, k);
    }
    return block;
}

// Where the choice may be moved to: the start of the only other block that uses it. NULL:
// it stays.
static LLVMValueRef moved_to(LLVMValueRef choice)
{
    LLVMUseRef use = LLVMGetFirstUse(choice);
    const LLVMBasicBlockRef block = use ? block_of_use(use) : NULL;

    for (; use; use = LLVMGetNextUse(use)) {
        if (block_of_use(use) != block)
            return NULL;
    }
    return block && block != LLVMGetInstructionParent(choice)
               ? LLVMGetFirstInstruction(block)
               : NULL;
}

static bool is_far(LLVMValueRef load, LLVMValueRef choice)
{
    const LLVMValueRef to = moved_to(choice);

    return may_write_between(load, choice) || (to && may_write_between(load, to));
}

// A choice by the way that was taken becomes one choice for each way.
static bool is_by_way(LLVMValueRef choice, LLVMValueRef phi)
{
    const LLVMValueRef condition = LLVMGetOperand(choice, 0);

    return LLVMIsASelectInst(choice) && LLVMIsAPHINode(condition) &&
           LLVMGetInstructionParent(condition) == LLVMGetInstructionParent(phi);
}

static bool leads_to_far_choice_by_way(LLVMValueRef load, LLVMValueRef phi)
{
    for (LLVMUseRef use = LLVMGetFirstUse(phi); use; use = LLVMGetNextUse(use)) {
        if (is_by_way(LLVMGetUser(use), phi) && is_far(load, LLVMGetUser(use)))
            return true;
    }
    return false;
}

// Conversions, and what else choices go past by themselves.
static bool is_of_one_value(LLVMValueRef i)
{
    return LLVMIsACastInst(i) || LLVMIsASelectInst(i) || LLVMIsAShuffleVectorInst(i) ||
           LLVMIsAGetElementPtrInst(i) || LLVMGetInstructionOpcode(i) == LLVMFNeg;
}

// Whether a choice between `value`, which was not loaded itself, and `other` may become
// one between what the two are made of: both in the same way, or x * t and x, which is
// x * (t or 1); nothing but conversions goes on from there.
static bool may_go_up(LLVMValueRef value, LLVMValueRef other, LLVMValueRef load)
{
    LLVMValueRef rest;

    if (LLVMIsAInstruction(other) &&
        LLVMGetInstructionOpcode(other) == LLVMGetInstructionOpcode(value))
        return true;
    if (!LLVMIsABinaryOperator(value))
        return is_of_one_value(value);
    rest = LLVMGetOperand(value, LLVMGetOperand(value, 0) == other);
    return (LLVMGetOperand(value, 0) == other || LLVMGetOperand(value, 1) == other) &&
           (rest == load || (LLVMIsAInstruction(rest) && is_of_one_value(rest)));
}

// Choices of vectors by masks; of others no load under a mask comes.
static bool chooses(LLVMValueRef choice, LLVMValueRef value, LLVMValueRef load)
{
    LLVMValueRef other;

    if (!LLVMIsASelectInst(choice) ||
        LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(choice, 0))) != LLVMVectorTypeKind)
        return false;
    other = LLVMGetOperand(choice, LLVMGetOperand(choice, 1) == value ? 2 : 1);
    return other != value && LLVMGetOperand(choice, 0) != value &&
           (value == load || may_go_up(value, other, load));
}

// Whether what is made of the value here may be what is chosen then.
static bool is_operation(LLVMValueRef i, LLVMValueRef value)
{
    if (LLVMIsASelectInst(i))
        return LLVMGetOperand(i, 0) != value;
    return LLVMIsABinaryOperator(i) || LLVMIsACastInst(i) || LLVMIsACmpInst(i) ||
           LLVMIsAShuffleVectorInst(i) || LLVMIsAGetElementPtrInst(i) ||
           LLVMGetInstructionOpcode(i) == LLVMFNeg ||
           (tf_ir_is_call(i) && tf_is_elementwise(i));
}

// Whether `value`, made of what was loaded, goes to a choice that is not near.
static bool leads_far(LLVMValueRef load, LLVMValueRef value, unsigned steps,
                      unsigned *uses)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        const LLVMValueRef user = LLVMGetUser(use);

        if (++*uses > MOST_USES)
            return true;
        if (chooses(user, value, load) && is_far(load, user))
            return true;
        if (LLVMIsAPHINode(user) && leads_to_far_choice_by_way(load, user))
            return true;
        if (steps > 0 && is_operation(user, value) &&
            leads_far(load, user, steps - 1, uses))
            return true;
    }
    return false;
}

static void freeze(LLVMBuilderRef b, LLVMValueRef load)
{
    LLVMValueRef frozen;

    LLVMPositionBuilderBefore(b, LLVMGetNextInstruction(load));
    frozen = LLVMBuildFreeze(b, load, "");
    LLVMReplaceAllUsesWith(load, frozen);
    LLVMSetOperand(frozen, 0, load);
}

void tf_masked_loads_settle(LLVMValueRef function)
{
    const LLVMBuilderRef b =
        LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(function)));

    TF_FOR_EACH_INSTRUCTION(i, function)
    {
        unsigned uses = 0;

        if (tf_ir_calls(i, "llvm.masked.load.") && leads_far(i, i, MOST_STEPS, &uses))
            freeze(b, i);
    }
    LLVMDisposeBuilder(b);
}
