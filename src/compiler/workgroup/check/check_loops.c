// SPDX-License-Identifier: MIT
// The scalar function before lanes are made of it: what is made in a loop is used behind
// it through phis alone (LCSSA), which then have what each lane left the loop with.
#include <llvm-c/Core.h>

#include "compiler/ir/ir_util.h"
#include "compiler/workgroup/analysis/cfg.h"
#include "compiler/workgroup/check/check_gang.h"

// The block at whose end or in which a value is used.
static unsigned block_of_use(const struct tf_cfg *cfg, LLVMUseRef use, LLVMValueRef value)
{
    const LLVMValueRef user = LLVMGetUser(use);

    if (LLVMIsAPHINode(user)) {
        for (unsigned i = 0; i < LLVMCountIncoming(user); i++) {
            if (LLVMGetIncomingValue(user, i) == value)
                return tf_cfg_number(cfg, LLVMGetIncomingBlock(user, i));
        }
    }
    return tf_cfg_number(cfg, LLVMGetInstructionParent(user));
}

static bool stays_in_loop(const struct tf_cfg *cfg, LLVMValueRef value)
{
    const unsigned block = tf_cfg_number(cfg, LLVMGetInstructionParent(value));
    const unsigned loop = block == TF_CFG_NONE ? TF_CFG_NONE : cfg->blocks[block].loop;
    LLVMUseRef use = loop == TF_CFG_NONE ? NULL : LLVMGetFirstUse(value);

    for (; use; use = LLVMGetNextUse(use)) {
        const unsigned at = block_of_use(cfg, use, value);

        if (at != TF_CFG_NONE && !tf_cfg_in_loop(cfg, loop, at))
            return false;
    }
    return true;
}

bool tf_check_loops(LLVMValueRef function, struct tf_str *faults)
{
    struct tf_arena arena = {0};
    struct tf_cfg cfg;
    bool ok = true;

    if (tf_cfg_init(&cfg, &arena, function)) { // else there are no lanes
        TF_FOR_EACH_INSTRUCTION(i, function)
        {
            if (ok && !stays_in_loop(&cfg, i)) {
                char *text = LLVMPrintValueToString(i);

                tf_str_printf(faults, "used behind its loop without a phi:%s\n", text);
                LLVMDisposeMessage(text);
                ok = false;
            }
        }
    }
    tf_arena_finish(&arena);
    return ok;
}
