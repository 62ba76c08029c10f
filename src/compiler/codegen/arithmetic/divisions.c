// SPDX-License-Identifier: MIT
#include "compiler/codegen/arithmetic/divisions.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>

#include "compiler/ir/ir_util.h"
#include "compiler/lower/undefined/unspecified.h"
#include "compiler/workgroup/analysis/cfg.h"

static bool is_in_each_round(const struct tf_cfg *cfg, unsigned loop, unsigned block)
{
    const struct tf_cfg_block *head = &cfg->blocks[cfg->loops[loop].head];

    for (unsigned i = 0; i < head->pred_count; i++) {
        if (tf_cfg_in_loop(cfg, loop, head->preds[i]) &&
            !tf_cfg_dominates(cfg, block, head->preds[i]))
            return false;
    }
    return true;
}

static bool is_division(LLVMValueRef i)
{
    switch ((int)LLVMGetInstructionOpcode(i)) {
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
        return true;
    default:
        return false;
    }
}

// Behind the condition nobody may have known that the divisor is none that traps.
static void move(LLVMBuilderRef b, LLVMValueRef division, LLVMBasicBlockRef before)
{
    LLVMInstructionRemoveFromParent(division);
    LLVMPositionBuilderBefore(b, LLVMGetBasicBlockTerminator(before));
    LLVMSetCurrentDebugLocation2(b, NULL);
    LLVMInsertIntoBuilder(b, division);
    if (!LLVMIsConstant(LLVMGetOperand(division, 1)))
        tf_division_guard(b, division);
}

static void settle_block(const struct tf_cfg *cfg, LLVMBuilderRef b, unsigned block,
                         unsigned loop)
{
    // What a block of the loop knows, and the loop does not make, is known there.
    const LLVMBasicBlockRef before =
        cfg->blocks[cfg->blocks[cfg->loops[loop].head].idom].block;
    LLVMValueRef next;

    for (LLVMValueRef i = LLVMGetFirstInstruction(cfg->blocks[block].block); i;
         i = next) {
        next = LLVMGetNextInstruction(i);
        if (is_division(i) && !tf_cfg_makes(cfg, loop, LLVMGetOperand(i, 0)) &&
            !tf_cfg_makes(cfg, loop, LLVMGetOperand(i, 1)))
            move(b, i, before);
    }
}

void tf_divisions_settle(LLVMValueRef function)
{
    const LLVMBuilderRef b =
        LLVMCreateBuilderInContext(LLVMGetModuleContext(LLVMGetGlobalParent(function)));
    struct tf_arena arena = {0};
    struct tf_cfg cfg;

    if (tf_cfg_init(&cfg, &arena, function)) {
        for (unsigned i = 0; i < cfg.block_count; i++) {
            const unsigned loop = cfg.blocks[i].loop;

            if (loop != TF_CFG_NONE && !is_in_each_round(&cfg, loop, i))
                settle_block(&cfg, b, i, loop);
        }
    }
    tf_arena_finish(&arena);
    LLVMDisposeBuilder(b);
}
