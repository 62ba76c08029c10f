// SPDX-License-Identifier: MIT
#include "compiler/workgroup/lanes.h"

#include <stdio.h>

#include <llvm-c/Core.h>

#include "compiler/ir/ir_util.h"
#include "compiler/ir/llvm_version.h"
#include "compiler/ir/roots.h"
#include "compiler/workgroup/analysis/index.h"
#include "compiler/workgroup/gang/gang.h"
#include "compiler/workgroup/group/limits.h"
#include "compiler/workgroup/kernel/wg.h"
#include "compiler/workgroup/plan/pack/pack.h"
#include "compiler/workgroup/prepare/apart.h"
#include "compiler/workgroup/prepare/narrow/narrow.h"
#include "compiler/workgroup/prepare/prepare.h"
#include "compiler/workgroup/prepare/rounds/distribute.h"
#include "compiler/workgroup/prepare/strips.h"
#include "compiler/workgroup/report/report.h"

// Kernels with sub-groups have no other form, and may take more time. Of a kernel that
// long LLVM makes lanes in more than five times the time that it takes for work-items.
enum {
    MAX_BLOCKS = 4000,
    MAX_SUB_GROUP_BLOCKS = 12000,
    MAX_INSTRUCTIONS = 60000,
    MAX_UNFORCED_INSTRUCTIONS = 25000,
    // Before what is done for lanes, which leaves more than half of a long kernel.
    MAX_UNPREPARED_INSTRUCTIONS = 60000,
    // Of functions whose loops had several entries: nearly every block may follow every
    // other one, and what LLVM is given grows faster than the square of their number.
    MAX_UNTANGLED_BLOCKS = 256,
    LANES_OF_A_GROUP = 16, // at most, where nobody knows how large it is
    LEAST_LANES = 4,       // however short the rows are that a kernel demands
};

static bool has_one_dimension(const struct tf_wg *wg)
{
    for (unsigned d = 1; d < 3; d++) {
        if (tf_lanes_ask_for(wg, TF_ROOT_LID + d) ||
            tf_lanes_ask_for(wg, TF_ROOT_GID + d))
            return false;
    }
    return true;
}

// Rows that end with the group would often be shorter than more lanes; not where the
// kernel demands how long they are, and where a row is all of a group without barriers:
// such groups are hardly ever smaller.
static unsigned most_lanes(const struct tf_wg *wg)
{
    const uint64_t row = wg->item->reqd_size[0], power = row & (~row + 1);

    if (wg->wishes->width_given || wg->item->sub_groups)
        return 0;
    if (wg->lanes->long_rows || power > TF_MOST_LANES)
        return TF_MOST_LANES;
    if (!power && !wg->item->has_barrier && has_one_dimension(wg))
        return LANES_OF_A_GROUP;
    return (unsigned)power;
}

// That gangs may have which begin at multiples of their lanes in a row of their group; 0:
// rows reach through groups.
static unsigned most_lanes_of_rows(const struct tf_wg *wg)
{
    const unsigned most = most_lanes(wg);

    if (tf_wg_has_long_rows(wg))
        return 0;
    return most > wg->lanes->width ? most : wg->lanes->width;
}

static struct tf_facts_of facts_of(const struct tf_wg *wg, LLVMValueRef fn)
{
    const bool sub_groups = wg->item->sub_groups;
    const bool must = wg->wishes->lanes_forced || sub_groups;

    return (struct tf_facts_of){
        .fn = fn,
        .lanes = wg->lanes->width,
        .usual = true,
        .most_blocks = sub_groups ? MAX_SUB_GROUP_BLOCKS : MAX_BLOCKS,
        .most_instructions = must ? MAX_INSTRUCTIONS : MAX_UNFORCED_INSTRUCTIONS};
}

void tf_lanes_find_facts(struct tf_lane_steps *s, struct tf_facts *facts, LLVMValueRef fn,
                         bool together)
{
    struct tf_facts_of of = facts_of(s->wg, fn);

    of.most_lanes = s->most_lanes ? s->most_lanes : most_lanes_of_rows(s->wg);
    of.turned = s->lanes->turned;
    of.rounds_together = together;
    tf_facts_init(facts, &of);
    s->lanes->fixpoints += facts->fixpoints;
}

bool tf_lanes_ask_for(const struct tf_wg *wg, unsigned root)
{
    const LLVMValueRef fn =
        LLVMGetNamedFunction(wg->module, tf_root_name((enum tf_root)root));

    return fn && LLVMGetFirstUse(fn);
}

// Work-items that never ask which they are do all the same: lanes would be a waste of
// the compiler's time.
static bool asks_for_ids(const struct tf_wg *wg)
{
    for (unsigned root = TF_ROOT_LID; root < TF_ROOT_APART; root++) {
        if (tf_lanes_ask_for(wg, root))
            return true;
    }
    return false;
}

// Only global ids: boxes of several groups have no local ones, whichever way they lie.
static bool may_turn(const struct tf_wg *wg)
{
    return wg->lanes->long_rows && tf_lanes_ask_for(wg, TF_ROOT_GID + 1) &&
           !tf_lanes_ask_for(wg, TF_ROOT_LID) && !tf_lanes_ask_for(wg, TF_ROOT_LID + 1) &&
           !tf_lanes_ask_for(wg, TF_ROOT_LID + 2);
}

// The linear gang (workgroup/item/sub_group.h).
bool tf_lanes_linear(struct tf_lane_steps *s)
{
    struct tf_wg *wg = s->wg;
    struct tf_plan_of of = {.target = &wg->wishes->target,
                            .width = wg->item->sub_group_size,
                            .masked = true,
                            .linear = true};
    struct tf_facts_of from = facts_of(wg, wg->item->function);
    struct tf_facts facts;
    struct tf_plan plan;
    bool untangled;

    if (!wg->item->sub_groups)
        return true;
    if (!tf_prepare_lanes(wg, wg->item->function, &untangled))
        return false;
    from.usual = false;
    tf_facts_init(&facts, &from);
    s->lanes->fixpoints += facts.fixpoints;
    of.facts = &facts;
    if (tf_plan_init(&plan, &of)) {
        tf_prepare_forget_apart(wg, facts.of.fn);
        s->lanes->linear = tf_gang_emit(wg, &plan, &s->kept);
        tf_report_plan(&plan, s->lanes->report, sizeof(s->lanes->report));
    } else {
        tf_wg_fail(wg, "kernel %s: no lanes for its sub-groups: %s", wg->kernel_name,
                   plan.unfit);
    }
    tf_plan_finish(&plan);
    tf_facts_finish(&facts);
    return s->lanes->linear != NULL;
}

static void refuse(struct tf_lane_steps *s, const char *why)
{
    s->wanted = false;
    snprintf(s->lanes->refusal, sizeof(s->lanes->refusal), "%s", why);
}

static bool is_too_long(LLVMValueRef fn)
{
    unsigned count = 0;

    TF_FOR_EACH_INSTRUCTION(i, fn)
    {
        if (++count > MAX_UNPREPARED_INSTRUCTIONS)
            return true;
    }
    return false;
}

bool tf_lanes_prepare(struct tf_lane_steps *s)
{
    struct tf_wg *wg = s->wg;
    const bool may_refuse = !wg->wishes->lanes_forced && !wg->item->sub_groups;
    bool untangled;

    s->wanted = wg->item->wide != NULL;
    if (s->wanted && may_refuse && !asks_for_ids(wg))
        refuse(s, "no work-item asks for its id");
    if (s->wanted && may_refuse && is_too_long(wg->item->wide))
        refuse(s, "too many instructions");
    if (!s->wanted)
        return true;
    if (!tf_prepare_lanes(wg, wg->item->wide, &untangled))
        return false;
    if (untangled && may_refuse &&
        LLVMCountBasicBlocks(wg->item->wide) > MAX_UNTANGLED_BLOCKS)
        refuse(s, "too many jumps into loops");
    return true;
}

// Rows that end with the group, and are as short as the kernel demands, leave the lanes
// behind their end without work.
static void fit_demanded_rows(struct tf_lane_steps *s)
{
    struct tf_wg *wg = s->wg;
    const uint64_t row = wg->item->reqd_size[0];

    if (!row || wg->wishes->width_given || wg->item->sub_groups ||
        tf_wg_has_long_rows(wg))
        return;
    while (s->lanes->width / 2 >= row && s->lanes->width > LEAST_LANES)
        s->lanes->width /= 2;
}

bool tf_lanes_facts(struct tf_lane_steps *s)
{
    if (s->wanted)
        fit_demanded_rows(s);
    s->has_facts = s->wanted;
    if (s->wanted)
        tf_lanes_find_facts(s, &s->facts, s->wg->item->wide, false);
    return true;
}

// Of a function that has changed.
static bool find_facts_again(struct tf_lane_steps *s)
{
    tf_facts_finish(&s->facts);
    s->has_facts = false;
    return tf_lanes_facts(s);
}

bool tf_lanes_strips(struct tf_lane_steps *s)
{
    bool ok;

    if (!s->wanted || !tf_prepare_strips(s->wg, &s->facts, &ok))
        return true;
    return ok && find_facts_again(s);
}

bool tf_lanes_narrow(struct tf_lane_steps *s)
{
    if (!s->wanted || !tf_prepare_narrow(&s->facts))
        return true;
    return find_facts_again(s);
}

bool tf_lanes_distribute(struct tf_lane_steps *s)
{
    struct tf_wg *wg = s->wg;

    if (!s->wanted || !tf_prepare_distribute(&s->facts, &wg->wishes->target))
        return true;
    return tf_wg_run_on(wg, wg->item->wide, "adce,lcssa") && find_facts_again(s);
}

// Vectors of the program are taken apart where that pays: then there are other facts.
bool tf_lanes_components(struct tf_lane_steps *s)
{
    struct tf_wg *wg = s->wg;
    const struct tf_plan_of of = {
        .facts = &s->facts, .target = &wg->wishes->target, .width = s->lanes->width};

    if (!s->wanted || wg->item->sub_groups || !TF_LLVM_SCALARIZES_MEMORY ||
        !tf_facts_have_vectors(&s->facts))
        return true;
    s->has_first = tf_plan_init(&s->first, &of);
    if (s->has_first && !tf_plan_mixes_components(&s->first))
        return true; // the choice begins with it
    if (s->has_first)
        s->item_cost = s->first.items_cost / s->first.width;
    tf_plan_finish(&s->first);
    if (!s->has_first)
        return true;
    s->has_first = false;
    return tf_prepare_components(wg, wg->item->wide) && find_facts_again(s);
}

// Whether there are to be lanes; else the refusal says why.
static void look_at_choice(struct tf_lane_steps *s)
{
    const struct tf_wg *wg = s->wg;
    const struct tf_choice *c = &s->choice;
    const bool sub_groups = wg->item->sub_groups;
    char why[200];

    tf_report_plan(&c->all, s->lanes->report, sizeof(s->lanes->report));
    tf_report_cfg(c->facts, wg->kernel_name);
    tf_report_shapes(c->facts, wg->kernel_name);
    tf_report_forms(&c->all, wg->kernel_name);
    if (c->facts->spins && !sub_groups) {
        refuse(s, "a loop waits for other work-items");
        return;
    }
    if (wg->wishes->notes)
        tf_report_lines(&c->all, wg->wishes->notes);
    if (tf_choice_pays(c) || wg->wishes->lanes_forced || wg->wishes->lanes_preferred ||
        sub_groups)
        return;
    snprintf(why, sizeof(why), "%s: %.150s",
             tf_plan_has_wide_values(&c->all)
                 ? "vectors of the program fill the registers"
                 : "lanes would be slower",
             s->lanes->report);
    refuse(s, why);
}

// What holds for the lanes that there might have been says less than what holds for
// those that are taken: `lid < 16` is the same for all of 16, not of 32.
static bool wants_nearer_facts(const struct tf_lane_steps *s)
{
    const struct tf_plan *p = &s->choice.all;

    return s->wg->item->has_barrier && !s->wg->item->sub_groups && !p->unfit[0] &&
           s->facts.shapes.most_lanes > s->lanes->width && p->width <= s->lanes->width &&
           p->counts.divergent_branches + p->counts.gathers + p->counts.scatters > 0;
}

static bool choose_again(struct tf_lane_steps *s, struct tf_choice_of *of)
{
    tf_choice_finish(&s->choice);
    tf_facts_finish(&s->facts);
    s->most_lanes = of->most_lanes = s->lanes->width;
    of->first = NULL;
    tf_lanes_find_facts(s, &s->facts, s->wg->item->wide, false);
    return tf_choice_init(&s->choice, of);
}

bool tf_lanes_choose(struct tf_lane_steps *s)
{
    struct tf_wg *wg = s->wg;
    struct tf_choice_of of = {.facts = &s->facts,
                              .target = &wg->wishes->target,
                              .item_cost = s->item_cost,
                              .width = s->lanes->width,
                              .first = s->has_first ? &s->first : NULL};
    bool can;

    if (!s->wanted)
        return true;
    s->lanes->long_rows = !wg->item->sub_groups && tf_wg_has_long_rows(wg);
    of.most_lanes = most_lanes(wg);
    of.knows_rows = wg->item->reqd_size[0] > 0;
    of.long_rows = s->lanes->long_rows;
    // Rows that run as a pack do better: they share what they load.
    of.may_widen_again = !(tf_lanes_may_pack(wg) && tf_pack_is_possible(&s->facts));
    of.may_halve = !wg->wishes->width_given && !wg->item->sub_groups;
    of.may_turn = !wg->item->sub_groups && may_turn(wg);
    of.masked_only = wg->item->has_barrier && wg->item->reqd_size[0] > 0 &&
                     wg->item->reqd_size[0] < s->lanes->width;
    s->has_choice = true;
    s->has_first = false;
    can = tf_choice_init(&s->choice, &of);
    if (can && wants_nearer_facts(s))
        can = choose_again(s, &of);
    if (can)
        look_at_choice(s);
    else
        refuse(s, tf_choice_unfit(&s->choice));
    s->lanes->fixpoints += s->choice.fixpoints;
    tf_prepare_forget_apart(wg, wg->item->wide);
    return true;
}

static void add_spacing(struct tf_lanes *lanes, LLVMValueRef spacing)
{
    const uint32_t place = spacing ? (uint32_t)tf_spacing_offset(spacing) + 1 : 0;
    unsigned i = 0;

    while (i < TF_FIT_SPACINGS && lanes->spacings[i] && lanes->spacings[i] != place)
        i++;
    if (place && i < TF_FIT_SPACINGS)
        lanes->spacings[i] = place;
}

// Launches in which lanes gather leave the processor waiting for more than the costs say:
// work-items one by one where lanes would gain less than half.
static void find_spacings(struct tf_lanes *lanes, const struct tf_plan *p)
{
    if (!p->spaced_cost || 2 * (p->lanes_cost + p->spaced_cost) < p->items_cost)
        return;
    for (unsigned i = 0; i < p->shapes->value_count; i++)
        add_spacing(lanes, tf_plan_spacing_of(p, &p->shapes->values[i]));
}

bool tf_lanes_emit(struct tf_lane_steps *s)
{
    const struct tf_choice *c = &s->choice;
    struct tf_lanes *lanes = s->lanes;

    if (!s->wanted)
        return true;
    lanes->width = c->all.width;
    lanes->turned = c->facts->of.turned;
    lanes->streamed_bytes = tf_gang_streamed_bytes(&c->all);
    find_spacings(lanes, &c->all);
    lanes->has_loops = c->facts->cfg.loop_count > 0;
    lanes->tall_boxes = lanes->turned;
    lanes->narrow_bits = c->is_narrow ? c->all.target.vector_bits : 0;
    lanes->masks_suffice = c->masked.serves_whole && !s->wg->item->sub_groups;
    if (!s->wg->item->has_barrier && !s->wg->item->sub_groups)
        tf_wg_make_limits(s->wg, c->facts, lanes->limits);
    if (!lanes->masks_suffice)
        tf_lanes_emit_whole(s);
    lanes->gang_masked = tf_gang_emit(s->wg, &c->masked, &s->kept);
    return true;
}

void tf_lanes_emit_whole(struct tf_lane_steps *s)
{
    s->lanes->gang = tf_gang_emit(s->wg, &s->choice.all, &s->kept);
}

void tf_lane_steps_finish(struct tf_lane_steps *s)
{
    if (s->has_choice)
        tf_choice_finish(&s->choice);
    if (s->has_first)
        tf_plan_finish(&s->first);
    if (s->has_facts)
        tf_facts_finish(&s->facts);
    tf_gang_kept_finish(&s->kept);
}
