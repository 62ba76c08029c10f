// SPDX-License-Identifier: MIT
#include "compiler/ir/flow/copy_blocks.h"

#include <stdbool.h>

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>

#include "compiler/ir/ir_util.h"

// Instructions keep their lines: what is inserted would else have the builder's.
static void stand_at_end(LLVMBuilderRef builder, LLVMBasicBlockRef block)
{
    LLVMPositionBuilderAtEnd(builder, block);
    LLVMSetCurrentDebugLocation2(builder, NULL);
}

// ---- copies

static void number_instructions(struct tf_block_copy *c)
{
    unsigned count = 0;

    for (unsigned b = 0; b < c->count; b++) {
        tf_map_put(&c->block, c->blocks[b], b);
        TF_FOR_EACH_INSTRUCTION_OF_BLOCK(i, c->blocks[b])
        {
            tf_map_put(&c->number, i, count++);
        }
    }
    c->made = TF_ARENA_NEW(c->arena, LLVMValueRef, count);
}

LLVMValueRef tf_ir_in_copy(const struct tf_block_copy *copy, LLVMValueRef value)
{
    const unsigned number =
        LLVMIsAInstruction(value) ? tf_map_get(&copy->number, value) : TF_MAP_NONE;

    return number == TF_MAP_NONE ? value : copy->made[number];
}

LLVMBasicBlockRef tf_ir_block_in_copy(const struct tf_block_copy *copy,
                                      LLVMBasicBlockRef block)
{
    const unsigned number = tf_map_get(&copy->block, block);

    return number == TF_MAP_NONE ? block : copy->copies[number];
}

static LLVMValueRef copy_one(LLVMBuilderRef builder, LLVMValueRef i)
{
    LLVMValueRef copy;

    if (!LLVMIsAPHINode(i)) {
        copy = LLVMInstructionClone(i);
        LLVMInsertIntoBuilder(builder, copy);
        return copy;
    }
    copy = LLVMBuildPhi(builder, LLVMTypeOf(i), "");
    if (LLVMCanValueUseFastMathFlags(i))
        LLVMSetFastMathFlags(copy, LLVMGetFastMathFlags(i));
    return copy;
}

// `to`, which is not copied, can be reached from the copy of `from`: as often as from it.
static void add_way(const struct tf_block_copy *c, LLVMBasicBlockRef from,
                    LLVMBasicBlockRef to)
{
    for (LLVMValueRef phi = LLVMGetFirstInstruction(to); LLVMIsAPHINode(phi);
         phi = LLVMGetNextInstruction(phi)) {
        for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
            LLVMValueRef value;
            LLVMBasicBlockRef copy = tf_ir_block_in_copy(c, from);

            if (LLVMGetIncomingBlock(phi, i) != from)
                continue;
            value = tf_ir_in_copy(c, LLVMGetIncomingValue(phi, i));
            LLVMAddIncoming(phi, &value, &copy, 1);
            break;
        }
    }
}

static void connect(const struct tf_block_copy *c, LLVMValueRef i, LLVMValueRef copy)
{
    if (LLVMIsAPHINode(i)) {
        for (unsigned k = 0; k < LLVMCountIncoming(i); k++) {
            LLVMValueRef value = tf_ir_in_copy(c, LLVMGetIncomingValue(i, k));
            LLVMBasicBlockRef from = tf_ir_block_in_copy(c, LLVMGetIncomingBlock(i, k));

            LLVMAddIncoming(copy, &value, &from, 1);
        }
        return;
    }
    for (unsigned k = 0; LLVMIsATerminatorInst(i) && k < LLVMGetNumSuccessors(i); k++) {
        const LLVMBasicBlockRef to = LLVMGetSuccessor(i, k);

        LLVMSetSuccessor(copy, k, tf_ir_block_in_copy(c, to));
        if (tf_map_get(&c->block, to) == TF_MAP_NONE)
            add_way(c, LLVMGetInstructionParent(i), to);
    }
    for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(copy); k++) {
        const LLVMValueRef operand = LLVMGetOperand(copy, k);

        if (LLVMIsAInstruction(operand))
            LLVMSetOperand(copy, k, tf_ir_in_copy(c, operand));
    }
}

void tf_ir_copy_blocks(struct tf_block_copy *copy, struct tf_arena *arena,
                       LLVMBuilderRef builder, const LLVMBasicBlockRef *blocks,
                       unsigned count)
{
    const LLVMContextRef context =
        LLVMGetTypeContext(LLVMTypeOf(LLVMBasicBlockAsValue(blocks[0])));
    unsigned number = 0;

    *copy = (struct tf_block_copy){.arena = arena,
                                   .blocks = blocks,
                                   .count = count,
                                   .block = {.arena = arena},
                                   .number = {.arena = arena}};
    copy->copies = TF_ARENA_NEW(arena, LLVMBasicBlockRef, count);
    number_instructions(copy);
    for (unsigned b = 0; b < count; b++) {
        copy->copies[b] = LLVMInsertBasicBlockInContext(context, blocks[0], "");
        stand_at_end(builder, copy->copies[b]);
        TF_FOR_EACH_INSTRUCTION_OF_BLOCK(i, blocks[b])
        {
            copy->made[number++] = copy_one(builder, i);
        }
    }
    for (unsigned b = 0; b < count; b++) {
        TF_FOR_EACH_INSTRUCTION_OF_BLOCK(i, blocks[b])
        {
            connect(copy, i, tf_ir_in_copy(copy, i));
        }
    }
}

// ---- blocks in two parts

// The phis of `block` say `to` where they said `from`.
static void rename_way(LLVMBuilderRef builder, LLVMBasicBlockRef block,
                       LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
    LLVMValueRef next;

    for (LLVMValueRef phi = LLVMGetFirstInstruction(block); LLVMIsAPHINode(phi);
         phi = next) {
        LLVMValueRef made;

        next = LLVMGetNextInstruction(phi);
        LLVMPositionBuilderBefore(builder, phi);
        made = copy_one(builder, phi);
        for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
            LLVMValueRef value = LLVMGetIncomingValue(phi, k);
            LLVMBasicBlockRef at = LLVMGetIncomingBlock(phi, k);

            LLVMAddIncoming(made, &value, at == from ? &to : &at, 1);
        }
        tf_ir_replace(phi, made);
    }
}

LLVMBasicBlockRef tf_ir_split_behind_phis(LLVMBuilderRef builder, LLVMBasicBlockRef block)
{
    const LLVMContextRef context =
        LLVMGetTypeContext(LLVMTypeOf(LLVMBasicBlockAsValue(block)));
    const LLVMBasicBlockRef rest = LLVMInsertBasicBlockInContext(context, block, "");
    LLVMValueRef next, end;

    LLVMMoveBasicBlockAfter(rest, block);
    stand_at_end(builder, rest);
    for (LLVMValueRef i = tf_ir_first_behind_phis(block); i; i = next) {
        next = LLVMGetNextInstruction(i);
        if (LLVMIsAAllocaInst(i))
            continue;
        LLVMInstructionRemoveFromParent(i);
        LLVMInsertIntoBuilder(builder, i);
    }
    end = LLVMGetBasicBlockTerminator(rest);
    for (unsigned k = 0; k < LLVMGetNumSuccessors(end); k++)
        rename_way(builder, LLVMGetSuccessor(end, k), block, rest);
    stand_at_end(builder, block);
    return rest;
}
