// SPDX-License-Identifier: MIT
// Constants of a block lie in registers, and the register allocator takes them apart use
// by use: 1,000 calls of erf and erfc in a row, 90,000 instructions that share 60
// constants, took 19 s, and take 4 in pieces. The code generator would join pieces that
// only follow each other. So each of them ends with a question, whose answer nobody but
// us knows: a number that an empty line of assembly hands through.
#include "compiler/codegen/long_blocks.h"

#include <stdbool.h>
#include <stddef.h>

#include <llvm-c/Core.h>

#include "compiler/ir/ir_util.h"

enum { LONG = 6000, PIECE = 3000 };

struct cutter {
    LLVMContextRef context;
    LLVMBuilderRef builder;
    LLVMValueRef function;
    LLVMBasicBlockRef never; // where no answer leads, NULL as yet
};

static bool is_long(LLVMBasicBlockRef block)
{
    unsigned count = 0;

    TF_FOR_EACH_INSTRUCTION_OF_BLOCK(i, block)
    {
        if (++count >= LONG)
            return true;
    }
    return false;
}

static bool must_begin(LLVMValueRef instruction)
{
    const LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);

    return opcode == LLVMPHI || opcode == LLVMAlloca;
}

// The last instruction of the first piece, with all that must be in it.
static LLVMValueRef end_of_piece(LLVMBasicBlockRef block)
{
    LLVMValueRef last = NULL;
    unsigned count = 0;

    TF_FOR_EACH_INSTRUCTION_OF_BLOCK(i, block)
    {
        if (count++ < PIECE || must_begin(i))
            last = i;
    }
    return last;
}

// An empty block that takes the place of one: what led there leads here. Blocks after it
// do not see that, because it has no terminator meanwhile.
static void put_before(const struct cutter *c, LLVMBasicBlockRef block)
{
    const LLVMBasicBlockRef piece =
        LLVMInsertBasicBlockInContext(c->context, block, "piece");
    const LLVMValueRef terminator = LLVMGetBasicBlockTerminator(block);

    LLVMInstructionRemoveFromParent(terminator);
    LLVMReplaceAllUsesWith(LLVMBasicBlockAsValue(block), LLVMBasicBlockAsValue(piece));
    LLVMPositionBuilderAtEnd(c->builder, block);
    LLVMInsertIntoBuilder(c->builder, terminator);
    LLVMPositionBuilderAtEnd(c->builder, piece);
}

// 0, as nobody can tell.
static LLVMValueRef hidden_zero(const struct cutter *c)
{
    static const char constraints[] = "=r,0";
    const LLVMTypeRef number = LLVMInt32TypeInContext(c->context);
    LLVMTypeRef params[] = {number};
    const LLVMTypeRef type = LLVMFunctionType(number, params, 1, false);
    LLVMValueRef args[] = {LLVMConstInt(number, 0, false)};
    const LLVMValueRef nothing =
        LLVMGetInlineAsm(type, "", 0, constraints, sizeof(constraints) - 1, false, false,
                         LLVMInlineAsmDialectATT, false);

    return LLVMBuildCall2(c->builder, type, nothing, args, 1, "");
}

static void add_never(struct cutter *c)
{
    const LLVMTypeRef type = LLVMGetReturnType(LLVMGlobalGetValueType(c->function));

    c->never = LLVMAppendBasicBlockInContext(c->context, c->function, "never");
    LLVMPositionBuilderAtEnd(c->builder, c->never);
    if (LLVMGetTypeKind(type) == LLVMVoidTypeKind)
        LLVMBuildRetVoid(c->builder);
    else
        LLVMBuildRet(c->builder, LLVMConstNull(type));
}

static void cut(struct cutter *c, LLVMBasicBlockRef block)
{
    LLVMValueRef last;

    if (!c->never)
        add_never(c);
    while (is_long(block) &&
           (last = end_of_piece(block)) != LLVMGetBasicBlockTerminator(block)) {
        LLVMValueRef moved;

        put_before(c, block);
        do {
            moved = LLVMGetFirstInstruction(block);
            LLVMInstructionRemoveFromParent(moved);
            LLVMInsertIntoBuilder(c->builder, moved);
        } while (moved != last);
        LLVMBuildCondBr(c->builder, LLVMBuildIsNull(c->builder, hidden_zero(c), ""),
                        block, c->never);
    }
}

void tf_long_blocks_cut(LLVMModuleRef module)
{
    const LLVMContextRef context = LLVMGetModuleContext(module);
    struct cutter c = {.context = context,
                       .builder = LLVMCreateBuilderInContext(context)};

    TF_FOR_EACH_FUNCTION(f, module)
    {
        c.function = f;
        c.never = NULL;
        TF_FOR_EACH_BLOCK(block, f)
        {
            if (is_long(block))
                cut(&c, block);
        }
    }
    LLVMDisposeBuilder(c.builder);
}
