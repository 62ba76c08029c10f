// SPDX-License-Identifier: MIT
// M1 and M2: what is in a mask, and in its slot.
#include <string.h>

#include "compiler/ir/ir_util.h"
#include "compiler/workgroup/check/check_parts.h"

static bool is_plain(LLVMValueRef value, unsigned depth);

static bool has_plain_operands(LLVMValueRef value, unsigned depth)
{
    for (int i = 0; i < LLVMGetNumOperands(value); i++) {
        if (!is_plain(LLVMGetOperand(value, (unsigned)i), depth - 1))
            return false;
    }
    return true;
}

// Made of nothing but parameters and constants: the number of lanes, counted.
static bool is_plain(LLVMValueRef value, unsigned depth)
{
    if (LLVMIsAArgument(value) || LLVMIsAConstant(value))
        return true;
    return depth > 0 &&
           (LLVMIsABinaryOperator(value) || LLVMIsACastInst(value) ||
            LLVMIsAInsertElementInst(value) || LLVMIsAShuffleVectorInst(value)) &&
           has_plain_operands(value, depth);
}

static bool is_poison_free(LLVMValueRef constant)
{
    if (LLVMIsUndef(constant))
        return false;
    for (int i = 0; i < LLVMGetNumOperands(constant); i++) {
        if (LLVMIsUndef(LLVMGetOperand(constant, (unsigned)i)))
            return false;
    }
    return true;
}

static bool is_mask(struct tf_check *c, LLVMValueRef value);

// All operands from `first` on that are no poison by choice (of a shuffle).
static bool are_masks(struct tf_check *c, LLVMValueRef value, unsigned first)
{
    for (unsigned i = first; i < (unsigned)LLVMGetNumOperands(value); i++) {
        if (!is_mask(c, LLVMGetOperand(value, i)))
            return false;
    }
    return true;
}

static bool look_at(struct tf_check *c, LLVMValueRef value)
{
    enum { DEPTH = 8 };

    switch ((int)LLVMGetInstructionOpcode(value)) {
    case LLVMLoad:
        return tf_check_is_mask_slot(LLVMGetOperand(value, 0));
    case LLVMFreeze:
        return true;
    case LLVMSelect: // the middle operand counts only in lanes of the first
        return LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(value, 0))) == LLVMVectorTypeKind
                   ? is_mask(c, LLVMGetOperand(value, 0)) &&
                         is_mask(c, LLVMGetOperand(value, 2))
                   : are_masks(c, value, 1);
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMPHI:
        return are_masks(c, value, 0);
    case LLVMShuffleVector:
        return is_mask(c, LLVMGetOperand(value, 0)) &&
               (LLVMIsUndef(LLVMGetOperand(value, 1)) ||
                is_mask(c, LLVMGetOperand(value, 1)));
    case LLVMICmp:
        return has_plain_operands(value, DEPTH);
    default:
        return false;
    }
}

static bool is_mask(struct tf_check *c, LLVMValueRef value)
{
    unsigned known;

    if (LLVMIsAConstant(value))
        return is_poison_free(value);
    if (!LLVMIsAInstruction(value))
        return false;
    known = tf_map_get(&c->masks, value);
    if (known == TF_MAP_NONE) {
        tf_map_put(&c->masks, value, 1); // round a loop: as the rest of it
        known = look_at(c, value);
        tf_map_put(&c->masks, value, known);
    }
    return known;
}

// The operand that is used as a mask, or NULL.
static LLVMValueRef used_mask(const struct tf_check *c, LLVMValueRef i)
{
    const char *name = tf_ir_called_name(i);
    LLVMValueRef mask = NULL;

    if (LLVMIsAStoreInst(i) && tf_check_is_mask_slot(LLVMGetOperand(i, 1)))
        return LLVMGetOperand(i, 0);
    if (name && !strncmp(name, "llvm.masked.", strlen("llvm.masked."))) {
        for (int k = 0; k < LLVMGetNumOperands(i); k++) {
            const LLVMValueRef operand = LLVMGetOperand(i, (unsigned)k);

            if (!LLVMIsAFunction(operand) &&
                tf_check_is_mask_type(c, LLVMTypeOf(operand)))
                mask = operand; // the last one: bools may be loaded and stored
        }
    }
    return mask;
}

static void check_uses(struct tf_check *c, unsigned block)
{
    TF_FOR_EACH_INSTRUCTION_OF_BLOCK(i, c->blocks[block].block)
    {
        const LLVMValueRef mask = used_mask(c, i);

        if (mask && !is_mask(c, mask))
            tf_check_fault(c, "M1", i, "a mask may be poison");
    }
}

// ---- slots

static bool clears(LLVMValueRef instruction, LLVMValueRef slot)
{
    return LLVMIsAStoreInst(instruction) && LLVMGetOperand(instruction, 1) == slot &&
           LLVMIsNull(LLVMGetOperand(instruction, 0));
}

static bool is_cleared_in(LLVMBasicBlockRef block, LLVMValueRef slot)
{
    TF_FOR_EACH_INSTRUCTION_OF_BLOCK(i, block)
    {
        if (clears(i, slot))
            return true;
    }
    return false;
}

// Whether lanes are added to the slot anywhere: else it keeps a part's lanes for parts
// behind it.
static bool is_saved_in(LLVMBasicBlockRef block, LLVMValueRef slot)
{
    LLVMUseRef use = LLVMGetFirstUse(slot);

    for (; use; use = LLVMGetNextUse(use)) {
        const LLVMValueRef user = LLVMGetUser(use);

        if (LLVMIsAStoreInst(user) && !LLVMIsNull(LLVMGetOperand(user, 0)) &&
            (LLVMGetInstructionParent(user) == block ||
             !LLVMIsALoadInst(LLVMGetOperand(user, 0))))
            return false;
    }
    return true;
}

static void check_slots(struct tf_check *c)
{
    const LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(c->function);

    TF_FOR_EACH_INSTRUCTION_OF_BLOCK(i, entry)
    {
        if (tf_check_is_mask_slot(i) && !is_cleared_in(entry, i))
            tf_check_fault(c, "M2", i, "a mask begins with any lanes");
    }
    for (unsigned b = 0; b < c->block_count; b++) {
        const LLVMBasicBlockRef block = c->blocks[b].block;
        LLVMValueRef slot;

        if (!c->blocks[b].masked)
            continue;
        slot = LLVMGetOperand(LLVMGetFirstInstruction(block), 0);
        if (!is_cleared_in(block, slot) && !is_saved_in(block, slot))
            tf_check_fault(c, "M2", LLVMGetFirstInstruction(block),
                           "lanes are taken and left there");
    }
}

void tf_check_masks(struct tf_check *c)
{
    check_slots(c);
    for (unsigned b = 0; b < c->block_count; b++) {
        // Where all lanes are active, none of their values is poison.
        if (c->few || tf_check_in_masked(c, b))
            check_uses(c, b);
    }
}
