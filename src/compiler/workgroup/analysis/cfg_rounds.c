// SPDX-License-Identifier: MIT
// How often loops go round, by the test in their head or at their end (ir/loop_rounds.h).
#include <llvm-c/Core.h>

#include "compiler/ir/loop_rounds.h"
#include "compiler/workgroup/analysis/cfg.h"

unsigned tf_cfg_latch(const struct tf_cfg *cfg, unsigned loop)
{
    const struct tf_cfg_block *const head = &cfg->blocks[cfg->loops[loop].head];
    unsigned latch = TF_CFG_NONE;

    for (unsigned i = 0; i < head->pred_count; i++) {
        if (!tf_cfg_in_loop(cfg, loop, head->preds[i]))
            continue;
        if (latch != TF_CFG_NONE)
            return TF_CFG_NONE;
        latch = head->preds[i];
    }
    return latch;
}

// By the test at the end of `block`; 0: it has none, or it says nothing.
static unsigned rounds_by(const struct tf_cfg *cfg, unsigned loop, unsigned block,
                          unsigned latch, bool about)
{
    const struct tf_cfg_block *const b = &cfg->blocks[block];
    const LLVMBasicBlockRef head = cfg->blocks[cfg->loops[loop].head].block;
    LLVMValueRef branch;
    bool stays;

    if (!tf_cfg_condition(cfg, block) || b->succ_count != 2)
        return 0;
    stays = tf_cfg_in_loop(cfg, loop, b->succs[0]);
    if (stays == tf_cfg_in_loop(cfg, loop, b->succs[1]))
        return 0;
    branch = LLVMGetBasicBlockTerminator(b->block);
    return about ? tf_loop_rounds_about(branch, stays, head, cfg->blocks[latch].block)
                 : tf_loop_rounds(branch, stays, head, cfg->blocks[latch].block, NULL);
}

static unsigned rounds_of(const struct tf_cfg *cfg, unsigned loop, bool about)
{
    const unsigned latch = tf_cfg_latch(cfg, loop);
    unsigned rounds;

    if (latch == TF_CFG_NONE)
        return 0;
    rounds = rounds_by(cfg, loop, latch, latch, about);
    return rounds ? rounds : rounds_by(cfg, loop, cfg->loops[loop].head, latch, about);
}

unsigned tf_cfg_rounds(const struct tf_cfg *cfg, unsigned loop)
{
    return rounds_of(cfg, loop, false);
}

unsigned tf_cfg_rounds_about(const struct tf_cfg *cfg, unsigned loop)
{
    return rounds_of(cfg, loop, true);
}
