// SPDX-License-Identifier: MIT
#include "compiler/workgroup/plan/dimension.h"
#include "compiler/ir/roots.h"

#include <string.h>

#include "compiler/workgroup/gang/gang_access.h"

// What lanes along dimension 1 cost at most, of what they cost along dimension 0. Boxes
// then depend on how many groups the run-time hands out at once.
enum { CLEARLY_PERCENT = 75 };

static LLVMValueRef id_function(struct tf_wg *wg, enum tf_root root)
{
    const LLVMValueRef fn = LLVMGetNamedFunction(wg->module, tf_root_name(root));

    return fn && LLVMGetFirstUse(fn) ? fn : NULL;
}

// Only global ids: boxes of several groups have no local ones, whichever way they lie.
static bool can_turn(struct tf_wg *wg)
{
    return wg->long_rows && id_function(wg, TF_ROOT_GID + 1) &&
           !id_function(wg, TF_ROOT_LID) && !id_function(wg, TF_ROOT_LID + 1) &&
           !id_function(wg, TF_ROOT_LID + 2);
}

static void rename_to(LLVMValueRef fn, const char *name)
{
    if (fn)
        LLVMSetValueName2(fn, name, strlen(name));
}

// The functions change names: every call in wg->wide then asks for the other id. Turned
// twice, it is as it was.
static void turn(struct tf_wg *wg)
{
    const LLVMValueRef first =
        LLVMGetNamedFunction(wg->module, tf_root_name(TF_ROOT_GID));
    const LLVMValueRef second =
        LLVMGetNamedFunction(wg->module, tf_root_name(TF_ROOT_GID + 1));

    rename_to(first, "tf_gid");
    rename_to(second, tf_root_name(TF_ROOT_GID));
    rename_to(first, tf_root_name(TF_ROOT_GID + 1));
}

// Of one gang. What cannot have lanes costs most.
static uint64_t cost_of_lanes(struct tf_wg *wg)
{
    struct gang g = {.from = wg->wide};
    struct gang_report report = {.lanes_cost = UINT64_MAX / CLEARLY_PERCENT};

    if (gang_open(&g, wg, wg->width, false))
        gang_pays(&g, &report);
    gang_close(&g);
    return report.lanes_cost;
}

void tf_wg_choose_dimension(struct tf_wg *wg)
{
    uint64_t along_0;

    if (!can_turn(wg))
        return;
    along_0 = cost_of_lanes(wg);
    turn(wg);
    wg->turned = cost_of_lanes(wg) <= along_0 * CLEARLY_PERCENT / 100;
    if (!wg->turned)
        turn(wg);
    else
        wg->tall_boxes = true;
    wg->refusal[0] = '\0';
}
