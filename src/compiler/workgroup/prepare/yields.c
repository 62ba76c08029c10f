// SPDX-License-Identifier: MIT
// Pass "waits": sub-groups of a group go on whatever the others do, also while these wait
// in loops for what the others have not done yet (doc/decisions/031). A kernel that uses
// sub-groups and has a loop that may wait runs on fibers, one for each sub-group; each
// round of such a loop gives the others of the group a turn.
#include "compiler/workgroup/prepare/prepare.h"

#include <stdio.h>
#include <string.h>

#include <llvm-c/Core.h>

#include "compiler/ir/ir_util.h"
#include "compiler/ir/roots.h"
#include "compiler/workgroup/analysis/cfg.h"
#include "compiler/workgroup/kernel/wg.h"
#include "compiler/workgroup/prepare/waits/wait.h"

// One way back for each loop, which is no way out.
static const char one_way_back[] = "loop-simplify,break-crit-edges";
// Loops of several entries get one (prepare.c says why variables).
static const char one_entry[] =
    "reg2mem,fix-irreducible,sroa<modify-cfg>,loop-simplify,break-crit-edges";

static LLVMValueRef yield_root(struct tf_wg *wg)
{
    const char *const name = tf_root_name(TF_ROOT_YIELD);
    LLVMValueRef root = LLVMGetNamedFunction(wg->module, name);

    if (!root) {
        root = LLVMAddFunction(wg->module, name,
                               LLVMFunctionType(wg->void_type, NULL, 0, false));
        tf_ir_add_attribute(root, "convergent");
        tf_ir_add_attribute(root, "nounwind");
    }
    return root;
}

static void yield_in_loop(struct tf_wg *wg, const struct tf_cfg *cfg, unsigned loop)
{
    const struct tf_cfg_block *const head = &cfg->blocks[cfg->loops[loop].head];
    const LLVMValueRef root = yield_root(wg);

    for (unsigned k = 0; k < head->pred_count; k++) {
        const unsigned from = head->preds[k];

        if (!cfg->loops[loop].has[from])
            continue;
        LLVMPositionBuilderBefore(wg->builder,
                                  LLVMGetBasicBlockTerminator(cfg->blocks[from].block));
        LLVMBuildCall2(wg->builder, LLVMGlobalGetValueType(root), root, NULL, 0, "");
    }
}

static bool yield_in(struct tf_wg *wg, LLVMValueRef fn)
{
    struct tf_arena arena = {0};
    struct tf_cfg cfg;
    bool ok = tf_wg_run_on(wg, fn, one_way_back);

    if (ok && !tf_cfg_init(&cfg, &arena, fn))
        ok = tf_wg_run_on(wg, fn, one_entry) && tf_cfg_init(&cfg, &arena, fn);
    for (unsigned l = 0; ok && l < cfg.loop_count; l++) {
        if (tf_wait_in_loop(&cfg, l))
            yield_in_loop(wg, &cfg, l);
    }
    tf_arena_finish(&arena);
    return ok ||
           tf_wg_fail(wg, "kernel %s: loops that wait have no form", wg->kernel_name);
}

bool tf_prepare_yields(struct tf_wg *wg, struct tf_item *item, struct tf_lanes *lanes)
{
    // Others cannot tell which sub-group a work-item is in: nothing is promised to them.
    item->waits = item->sub_groups && tf_wait_in(item->function);
    if (!item->waits)
        return true;
    item->form = TF_WG_FIBERS;
    if (item->wide)
        LLVMDeleteFunction(item->wide);
    item->wide = NULL;
    snprintf(lanes->refusal, sizeof(lanes->refusal), "a loop waits for other sub-groups");
    return yield_in(wg, item->function);
}
