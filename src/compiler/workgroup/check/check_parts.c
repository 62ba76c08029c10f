// SPDX-License-Identifier: MIT
#include "compiler/workgroup/check/check_parts.h"

#include <string.h>

#include "compiler/ir/elementwise.h"
#include "compiler/ir/ir_util.h"

enum { MOST_FAULTS = 8 };

void tf_check_fault(struct tf_check *c, const char *rule, LLVMValueRef instruction,
                    const char *what)
{
    char *text;

    if (c->fault_count++ >= MOST_FAULTS)
        return;
    text = LLVMPrintValueToString(instruction);
    tf_str_printf(c->faults, "%s in %s, block %s: %s:%s\n", rule, tf_ir_name(c->function),
                  LLVMGetBasicBlockName(LLVMGetInstructionParent(instruction)), what,
                  text);
    LLVMDisposeMessage(text);
}

static bool has_prefix(const char *name, const char *prefix)
{
    return strncmp(name, prefix, strlen(prefix)) == 0;
}

bool tf_check_is_mask_slot(LLVMValueRef value)
{
    return LLVMIsAAllocaInst(value) && has_prefix(tf_ir_name(value), "mask");
}

bool tf_check_is_mask_type(const struct tf_check *c, LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind &&
           LLVMGetVectorSize(type) % c->width == 0 &&
           LLVMGetTypeKind(LLVMGetElementType(type)) == LLVMIntegerTypeKind &&
           LLVMGetIntTypeWidth(LLVMGetElementType(type)) == 1;
}

LLVMValueRef tf_check_base(LLVMValueRef pointer)
{
    while (LLVMIsAGetElementPtrInst(pointer) || LLVMIsABitCastInst(pointer) ||
           LLVMIsAAddrSpaceCastInst(pointer) || LLVMIsAConstantExpr(pointer))
        pointer = LLVMGetOperand(pointer, 0);
    return pointer;
}

// ---- parts

static LLVMValueRef only_user(LLVMValueRef value)
{
    const LLVMUseRef use = LLVMGetFirstUse(value);

    return use && !LLVMGetNextUse(use) ? LLVMGetUser(use) : NULL;
}

// Lanes for another part, joined to those that are in its slot.
static bool adds_lanes(LLVMValueRef load)
{
    const LLVMValueRef sum = only_user(load);
    const LLVMValueRef store =
        sum && LLVMGetInstructionOpcode(sum) == LLVMOr ? only_user(sum) : NULL;

    return store && LLVMIsAStoreInst(store) &&
           LLVMGetOperand(store, 1) == LLVMGetOperand(load, 0);
}

static void number_blocks(struct tf_check *c)
{
    c->blocks =
        TF_ARENA_NEW(&c->arena, struct tf_check_block, LLVMCountBasicBlocks(c->function));
    c->numbers.arena = c->masks.arena = &c->arena;
    TF_FOR_EACH_BLOCK(block, c->function)
    {
        struct tf_check_block *b = &c->blocks[c->block_count];
        const char *name = LLVMGetBasicBlockName(block);
        const LLVMValueRef first = LLVMGetFirstInstruction(block);

        b->block = block;
        b->starts = has_prefix(name, "block") || has_prefix(name, "twin");
        b->part = b->starts ? c->block_count : TF_CHECK_NONE;
        b->masked = b->starts && LLVMIsALoadInst(first) &&
                    tf_check_is_mask_slot(LLVMGetOperand(first, 0)) && !adds_lanes(first);
        tf_map_put(&c->numbers, block, c->block_count++);
    }
}

static unsigned successor(const struct tf_check *c, LLVMValueRef end, unsigned k)
{
    return tf_map_get(&c->numbers, LLVMGetSuccessor(end, k));
}

// Blocks without a name of their own belong to the part that leads to them.
static void find_owners(struct tf_check *c)
{
    unsigned *stack = TF_ARENA_NEW(&c->arena, unsigned, c->block_count + 1);

    for (unsigned i = 0; i < c->block_count; i++) {
        unsigned depth = 0;

        if (c->blocks[i].starts)
            stack[depth++] = i;
        while (depth > 0) {
            const struct tf_check_block *b = &c->blocks[stack[--depth]];
            const LLVMValueRef end = LLVMGetBasicBlockTerminator(b->block);

            for (unsigned k = 0; k < LLVMGetNumSuccessors(end); k++) {
                struct tf_check_block *to = &c->blocks[successor(c, end, k)];

                if (to->part != TF_CHECK_NONE)
                    continue;
                to->part = b->part;
                stack[depth++] = successor(c, end, k);
            }
        }
    }
}

bool tf_check_in_masked(const struct tf_check *c, unsigned block)
{
    const unsigned part = c->blocks[block].part;

    return part != TF_CHECK_NONE && c->blocks[part].masked;
}

// ---- where lanes are active

static bool reduces_mask_by(const struct tf_check *c, const char *reduction,
                            LLVMValueRef condition)
{
    const char *name = tf_ir_called_name(condition);

    return name && has_prefix(name, reduction) &&
           tf_check_is_mask_type(c, LLVMTypeOf(LLVMGetOperand(condition, 0)));
}

static bool asks_for_all(const struct tf_check *c, LLVMValueRef condition)
{
    return reduces_mask_by(c, "llvm.vector.reduce.and.", condition);
}

static bool reduces_mask(const struct tf_check *c, LLVMValueRef condition)
{
    return asks_for_all(c, condition) ||
           reduces_mask_by(c, "llvm.vector.reduce.or.", condition);
}

// And for something else.
static bool asks_for_all_and_more(const struct tf_check *c, LLVMValueRef condition)
{
    return LLVMIsABinaryOperator(condition) &&
           LLVMGetInstructionOpcode(condition) == LLVMAnd &&
           asks_for_all(c, LLVMGetOperand(condition, 1));
}

static bool asks_one_lane(const struct tf_check *c, LLVMValueRef condition)
{
    return LLVMIsAExtractElementInst(condition) &&
           tf_check_is_mask_type(c, LLVMTypeOf(LLVMGetOperand(condition, 0)));
}

// Whether all lanes are there: their number, compared.
static bool asks_for_whole(const struct tf_check *c, LLVMValueRef condition)
{
    LLVMValueRef count;

    if (!c->few || !LLVMIsAICmpInst(condition) ||
        LLVMGetICmpPredicate(condition) != LLVMIntEQ ||
        !LLVMIsAConstantInt(LLVMGetOperand(condition, 1)) ||
        LLVMConstIntGetZExtValue(LLVMGetOperand(condition, 1)) != c->width)
        return false;
    count = LLVMGetOperand(condition, 0);
    return LLVMIsATruncInst(count) &&
           LLVMGetOperand(count, 0) == LLVMGetLastParam(c->function);
}

// Whether some lane is active where control comes from block `from` by successor `k`.
static bool brings_lanes(const struct tf_check *c, unsigned from, unsigned k)
{
    const LLVMValueRef end = LLVMGetBasicBlockTerminator(c->blocks[from].block);
    const bool tests = LLVMGetNumSuccessors(end) == 2 && LLVMIsABranchInst(end);
    const LLVMValueRef condition = tests ? LLVMGetCondition(end) : NULL;

    if (condition && k == 0 &&
        (reduces_mask(c, condition) || asks_for_all_and_more(c, condition) ||
         asks_one_lane(c, condition)))
        return true;
    return c->blocks[from].active;
}

// One step of the search for the largest set of blocks in which lanes are active. True if
// it became smaller.
static bool leave_out(struct tf_check *c, unsigned from)
{
    const LLVMValueRef end = LLVMGetBasicBlockTerminator(c->blocks[from].block);
    bool changed = false;

    for (unsigned k = 0; k < LLVMGetNumSuccessors(end); k++) {
        const unsigned to = successor(c, end, k);

        // The branch back of a uniform loop jumps into the middle of its head: with the
        // lanes that were there before.
        if (!c->blocks[to].active || c->blocks[to].starts ||
            c->blocks[to].part != c->blocks[from].part || brings_lanes(c, from, k))
            continue;
        c->blocks[to].active = false;
        changed = true;
    }
    return changed;
}

static void find_active(struct tf_check *c)
{
    bool changed = true;

    for (unsigned i = 0; i < c->block_count; i++) {
        struct tf_check_block *b = &c->blocks[i];

        b->active = !(b->starts && b->masked);
    }
    while (changed) {
        changed = false;
        for (unsigned i = 0; i < c->block_count; i++)
            changed |= leave_out(c, i);
    }
}

// What a test of one lane, or for all of a gang, leads to, until ways meet again.
static void find_lanes(struct tf_check *c)
{
    for (unsigned i = 0; i < c->block_count; i++) {
        const LLVMValueRef end = LLVMGetBasicBlockTerminator(c->blocks[i].block);

        if (LLVMGetNumSuccessors(end) == 2 && LLVMIsABranchInst(end) &&
            (asks_one_lane(c, LLVMGetCondition(end)) ||
             asks_for_all_and_more(c, LLVMGetCondition(end)) ||
             asks_for_whole(c, LLVMGetCondition(end))))
            c->blocks[successor(c, end, 0)].lane = true;
    }
}

void tf_check_parts(struct tf_check *c)
{
    number_blocks(c);
    find_owners(c);
    find_active(c);
    find_lanes(c);
}
