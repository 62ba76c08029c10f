// SPDX-License-Identifier: MIT
// Pass "gang": makes the lanes of a kernel that is to have them, in two functions: one
// for W lanes, which needs no masks where control is uniform, and one for fewer; and one
// for packs of rows. The scalar function is prepared, its facts are found, plans are made
// of them and one is chosen; then there is code.
#include <stdio.h>

#include <llvm-c/Core.h>

#include "compiler/ir/dump.h"
#include "compiler/ir/llvm_version.h"
#include "compiler/ir/roots.h"
#include "compiler/workgroup/gang/gang.h"
#include "compiler/workgroup/kernel/wg.h"
#include "compiler/workgroup/lanes.h"
#include "compiler/workgroup/plan/choose.h"
#include "compiler/workgroup/prepare/prepare.h"
#include "compiler/workgroup/prepare/scopes.h"
#include "compiler/workgroup/report/report.h"

// Kernels with sub-groups have no other form, and may take more time. Of a kernel that
// long LLVM makes lanes in more than five times the time that it takes for work-items.
enum {
    MAX_BLOCKS = 4000,
    MAX_SUB_GROUP_BLOCKS = 12000,
    MAX_INSTRUCTIONS = 60000,
    MAX_UNFORCED_INSTRUCTIONS = 25000,
};

static struct tf_facts_of facts_of(const struct tf_wg *wg, LLVMValueRef fn)
{
    const bool must = wg->lanes_forced || wg->sub_groups;

    return (struct tf_facts_of){
        .fn = fn,
        .lanes = wg->width,
        .usual = true,
        .most_blocks = wg->sub_groups ? MAX_SUB_GROUP_BLOCKS : MAX_BLOCKS,
        .most_instructions = must ? MAX_INSTRUCTIONS : MAX_UNFORCED_INSTRUCTIONS};
}

void tf_wg_find_facts(struct tf_wg *wg, struct tf_facts *facts, LLVMValueRef fn,
                      bool together)
{
    struct tf_facts_of of = facts_of(wg, fn);

    of.turned = wg->turned;
    of.rounds_together = together;
    tf_facts_init(facts, &of);
    wg->fixpoints += facts->fixpoints;
}

static bool asks_for(const struct tf_wg *wg, enum tf_root root)
{
    const LLVMValueRef fn = LLVMGetNamedFunction(wg->module, tf_root_name(root));

    return fn && LLVMGetFirstUse(fn);
}

// Work-items that never ask which they are do all the same: lanes would be a waste of
// the compiler's time.
static bool asks_for_ids(const struct tf_wg *wg)
{
    for (enum tf_root root = TF_ROOT_LID; root < TF_ROOT_APART; root++) {
        if (asks_for(wg, root))
            return true;
    }
    return false;
}

// Only global ids: boxes of several groups have no local ones, whichever way they lie.
static bool may_turn(const struct tf_wg *wg)
{
    return wg->long_rows && asks_for(wg, TF_ROOT_GID + 1) && !asks_for(wg, TF_ROOT_LID) &&
           !asks_for(wg, TF_ROOT_LID + 1) && !asks_for(wg, TF_ROOT_LID + 2);
}

// ---- sub-groups

// The item function becomes the linear gang (workgroup/item/sub_group.h).
static bool make_linear(struct tf_wg *wg)
{
    struct tf_plan_of of = {.target = &wg->target,
                            .width = wg->sub_group_size,
                            .masked = true,
                            .linear = true};
    struct tf_facts_of from = facts_of(wg, wg->item);
    struct tf_facts facts;
    struct tf_plan plan;
    LLVMValueRef gang = NULL;

    if (!tf_prepare_lanes(wg, wg->item))
        return false;
    from.usual = false;
    tf_facts_init(&facts, &from);
    wg->fixpoints += facts.fixpoints;
    of.facts = &facts;
    if (tf_plan_init(&plan, &of)) {
        gang = tf_gang_emit(wg, &plan);
        tf_report_plan(&plan, wg->report, sizeof(wg->report));
    } else {
        tf_wg_fail(wg, "kernel %s: no lanes for its sub-groups: %s", wg->kernel_name,
                   plan.unfit);
    }
    tf_plan_finish(&plan);
    tf_facts_finish(&facts);
    if (!gang)
        return false;
    LLVMDeleteFunction(wg->item);
    wg->item = gang;
    tf_dump(TF_DUMP_GANG, wg->module);
    return true;
}

// ---- gangs

// Vectors of the program are taken apart where that pays: then there are other facts.
// False after tf_wg_fail.
static bool take_apart(struct tf_wg *wg, struct tf_facts *facts, uint64_t *item_cost)
{
    const struct tf_plan_of of = {
        .facts = facts, .target = &wg->target, .width = wg->width};
    struct tf_plan plan;
    bool mixes;

    if (!TF_LLVM_SCALARIZES_MEMORY || !tf_facts_have_vectors(facts))
        return true;
    mixes = tf_plan_init(&plan, &of) && tf_plan_mixes_components(&plan);
    if (mixes)
        *item_cost = plan.items_cost / plan.width;
    tf_plan_finish(&plan);
    if (!mixes)
        return true;
    tf_facts_finish(facts);
    if (!tf_prepare_components(wg, wg->wide)) {
        *facts = (struct tf_facts){0};
        return false;
    }
    tf_wg_find_facts(wg, facts, wg->wide, false);
    return true;
}

// Whether there are to be lanes; else wg->refusal says why.
static bool are_wanted(struct tf_wg *wg, const struct tf_choice *c)
{
    const bool wanted = tf_plan_pays(&c->all) || wg->lanes_forced || wg->sub_groups;

    tf_report_plan(&c->all, wg->report, sizeof(wg->report));
    tf_report_cfg(c->facts, wg->kernel_name);
    tf_report_shapes(c->facts, wg->kernel_name);
    tf_report_forms(&c->all, wg->kernel_name);
    if (c->facts->spins && !wg->sub_groups) {
        snprintf(wg->refusal, sizeof(wg->refusal), "a loop waits for other work-items");
        return false;
    }
    if (wg->notes)
        tf_report_lines(&c->all, wg->notes);
    if (!wanted)
        snprintf(wg->refusal, sizeof(wg->refusal), "lanes would be slower: %.170s",
                 wg->report);
    return wanted;
}

// False after tf_wg_fail.
static bool make_gangs(struct tf_wg *wg, const struct tf_choice *c)
{
    wg->width = c->all.width;
    wg->turned = c->facts->of.turned;
    wg->tall_boxes = wg->turned;
    wg->narrow_bits = c->is_narrow ? c->all.target.vector_bits : 0;
    wg->gang = tf_gang_emit(wg, &c->all);
    wg->gang_masked = tf_gang_emit(wg, &c->masked);
    return tf_wg_pack(wg, c);
}

// False after tf_wg_fail.
static bool make_lanes(struct tf_wg *wg, struct tf_facts *facts)
{
    struct tf_choice_of of = {.facts = facts, .target = &wg->target};
    struct tf_choice choice;
    bool ok = true;

    if (!wg->sub_groups && !take_apart(wg, facts, &of.item_cost))
        return false;
    wg->long_rows = !wg->sub_groups && tf_wg_has_long_rows(wg);
    // Rows that end with the group would often be shorter than more lanes.
    of.may_widen = wg->long_rows && !wg->width_given;
    of.may_turn = !wg->sub_groups && may_turn(wg);
    of.width = wg->width;
    if (!tf_choice_init(&choice, &of))
        snprintf(wg->refusal, sizeof(wg->refusal), "%s", tf_choice_unfit(&choice));
    else if (are_wanted(wg, &choice))
        ok = make_gangs(wg, &choice);
    wg->fixpoints += choice.fixpoints;
    tf_choice_finish(&choice);
    if (ok && wg->gang)
        tf_dump(TF_DUMP_GANG, wg->module);
    return ok;
}

// What lanes do not serve is code of its own, made when a launch needs it
// (abi/launch_fit.h).
static void drop_items(struct tf_wg *wg)
{
    LLVMDeleteFunction(wg->wide);
    wg->wide = NULL;
    if (wg->gang && !wg->sub_groups) {
        LLVMDeleteFunction(wg->item);
        wg->item = NULL;
    }
}

bool tf_wg_lanes(struct tf_wg *wg)
{
    struct tf_facts facts;
    bool ok;

    tf_prepare_scopes(wg->item); // in every form
    if (wg->sub_groups && !make_linear(wg))
        return false;
    if (!wg->wide)
        return true;
    if (!wg->lanes_forced && !wg->sub_groups && !asks_for_ids(wg)) {
        snprintf(wg->refusal, sizeof(wg->refusal), "no work-item asks for its id");
    } else {
        if (!tf_prepare_lanes(wg, wg->wide))
            return false;
        tf_wg_find_facts(wg, &facts, wg->wide, false);
        ok = make_lanes(wg, &facts);
        tf_facts_finish(&facts);
        if (!ok)
            return false;
    }
    drop_items(wg);
    return true;
}
