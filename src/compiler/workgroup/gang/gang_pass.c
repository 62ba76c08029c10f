// SPDX-License-Identifier: MIT
// Pass "gang": makes the lanes of a kernel that is to have them, in two functions: one
// for W lanes, which needs no masks where control is uniform, and one for fewer.
#include <stdio.h>

#include <llvm-c/Core.h>

#include "compiler/ir/dump.h"
#include "compiler/ir/roots.h"
#include "compiler/workgroup/analysis/private.h"
#include "compiler/workgroup/gang/gang.h"
#include "compiler/workgroup/kernel/wg.h"
#include "compiler/workgroup/plan/dimension.h"
#include "compiler/workgroup/plan/pack.h"
#include "compiler/workgroup/prepare/components.h"

// Loops in the shape that the gang pass reads: one entry, one way back, values that leave
// them through phis. Loops of a fixed count are unrolled first: private arrays that they
// index become registers.
static const char prepare[] =
    "sroa<modify-cfg>,early-cse<memssa>,instcombine<no-verify-fixpoint>,simplifycfg,"
    "loop-simplify,lcssa,loop-mssa(loop-rotate,licm),"
    "loop(indvars,loop-deletion,loop-unroll-full),"
    "sroa<modify-cfg>,instcombine<no-verify-fixpoint>,gvn,simplifycfg,adce,"
    "lower-switch,fix-irreducible,mergereturn,loop-simplify,lcssa";

// The item function as the analyses want it.
static bool prepare_lanes(struct tf_wg *wg, LLVMValueRef fn)
{
    if (!tf_wg_run_on(wg, fn, prepare))
        return false;
    if (tf_private_expand(wg, fn) &&
        !tf_wg_run_llvm(wg, "always-inline,function(loop-simplify,lcssa)"))
        return false;
    tf_private_sink(wg, fn);
    return true;
}

static void drop_wide(struct tf_wg *wg)
{
    LLVMDeleteFunction(wg->wide);
    wg->wide = NULL;
}

// Work-items that never ask which they are do all the same: lanes would be a waste of
// the compiler's time.
static bool asks_for_ids(struct tf_wg *wg)
{
    for (enum tf_root root = TF_ROOT_LID; root < TF_ROOT_APART; root++) {
        const LLVMValueRef fn = LLVMGetNamedFunction(wg->module, tf_root_name(root));

        if (fn && LLVMGetFirstUse(fn))
            return true;
    }
    return false;
}

// Kernels with sub-groups: the item function becomes the linear gang
// (workgroup/item/sub_group.h).
static bool make_linear(struct tf_wg *wg)
{
    LLVMValueRef gang;

    if (!prepare_lanes(wg, wg->item))
        return false;
    gang = tf_wg_linear_gang(wg);
    if (!gang)
        return tf_wg_fail(wg, "kernel %s: no lanes for its sub-groups: %s",
                          wg->kernel_name, wg->refusal);
    LLVMDeleteFunction(wg->item);
    wg->item = gang;
    tf_dump(TF_DUMP_GANG, wg->module);
    return true;
}

// What gang_narrow changes.
static void widen_again(struct tf_wg *wg, const struct tf_wg *full)
{
    wg->narrow = false;
    wg->vector_bits = full->vector_bits;
    wg->width = full->width;
    wg->refusal[0] = '\0';
}

bool tf_wg_lanes(struct tf_wg *wg)
{
    const struct tf_wg full = *wg;

    if (wg->sub_groups && !make_linear(wg))
        return false;
    if (!wg->wide)
        return true;
    if (!wg->lanes_forced && !wg->sub_groups && !asks_for_ids(wg)) {
        snprintf(wg->refusal, sizeof(wg->refusal), "no work-item asks for its id");
        drop_wide(wg);
        return true;
    }
    if (!prepare_lanes(wg, wg->wide) || (!wg->sub_groups && !tf_wg_components(wg)))
        return false;
    wg->long_rows = !wg->sub_groups && tf_wg_has_long_rows(wg);
    if (!wg->sub_groups)
        tf_wg_choose_dimension(wg);
    // Rows that end with the group would often be shorter than such a gang.
    if (wg->long_rows && !wg->width_given)
        wg->width = tf_wg_gang_width(wg);
    wg->gang = tf_wg_gang(wg, wg->width, false);
    // Half of the register may not pay where all of it does; loops take all of it, too.
    if (!wg->gang && wg->narrow) {
        widen_again(wg, &full);
        wg->gang = tf_wg_gang(wg, wg->width, false);
    }
    if (wg->gang)
        wg->gang_masked = tf_wg_gang(wg, wg->width, true);
    if (!wg->gang_masked && wg->gang) {
        LLVMDeleteFunction(wg->gang);
        wg->gang = NULL;
    }
    if (wg->gang && !tf_wg_pack(wg))
        return false;
    if (wg->gang)
        tf_dump(TF_DUMP_GANG, wg->module);
    drop_wide(wg);
    return true;
}
