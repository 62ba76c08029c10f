// SPDX-License-Identifier: MIT
// Packs of rows (pack.h): tried, measured against the gangs of single rows, and made
// where they pay.
#include <stdio.h>
#include <string.h>

#include <llvm-c/Core.h>

#include "compiler/ir/roots.h"
#include "compiler/workgroup/gang/gang.h"
#include "compiler/workgroup/gang/gang_apart.h"
#include "compiler/workgroup/kernel/wg.h"
#include "compiler/workgroup/lanes.h"
#include "compiler/workgroup/plan/pack/pack.h"
#include "compiler/workgroup/prepare/prepare.h"
#include "compiler/workgroup/report/report.h"

enum { FEWER_ROWS_PERCENT = 6 }; // of the cost, that fewer rows with more lanes gain

struct packing {
    struct tf_lane_steps *steps;
    struct tf_wg *wg;
    const struct tf_choice *choice;
    const struct tf_facts *facts;
    uint64_t
        cost_without; // a lane's, of single rows; the plan of them may be stale later
    bool may_halve;   // the lanes
};

// A packed function that may be taken.
struct candidate {
    LLVMValueRef fn; // NULL: there is none
    struct tf_facts facts;
    unsigned rows;
    struct tf_pack_width width;
    bool wants_more;     // than half of the lanes, for which there were no registers
    bool shares_vectors; // struct tf_pack
};

// Groups with barriers are whole packs, or have none: nobody would run the rows that are
// left between the same barriers.
static bool fits_groups(const struct tf_wg *wg, unsigned rows)
{
    const uint64_t *const size = wg->item->reqd_size;

    return !wg->item->has_barrier ||
           (size[0] && size[0] % wg->lanes->width == 0 && size[1] && size[1] % rows == 0);
}

bool tf_lanes_may_pack(const struct tf_wg *wg)
{
    const unsigned rows = wg->wishes->pack_rows;

    return (rows == 0 || rows == 2 || rows == TF_PACK_MAX_ROWS) &&
           fits_groups(wg, rows ? rows : 2) && !wg->item->sub_groups;
}

static uint64_t cost_without(const struct packing *k)
{
    struct tf_arena arena = {0};
    const struct tf_plan *all = &k->choice->all;
    const int *chains = tf_find_chains(&arena, all->shapes, &all->target.costs);
    const uint64_t cost = tf_plan_cost_per_lane(all, chains);

    tf_arena_finish(&arena);
    return cost;
}

// The lanes of the packed function. Of all rows together half of the lanes are mostly
// better than few of the rows: what more of them share is loaded once. All lanes of all
// rows want so many registers that LLVM seldom finds the order that has them.
static void choose_width(const struct packing *k, struct candidate *c)
{
    const struct tf_wg *wg = k->wg;
    struct tf_plan_of of = {.facts = &c->facts,
                            .target = &k->choice->all.target,
                            .width = wg->lanes->width,
                            .rows = c->rows};
    struct tf_pack_lanes lanes = {
        .may_be_more = !wg->wishes->width_given && wg->lanes->long_rows,
        .in_any_order = c->rows < TF_PACK_MAX_ROWS,
        .replace_gangs = wg->item->has_barrier,
    };

    if (c->facts.unfit[0] || !tf_pack_stays_whole(&c->facts))
        return;
    if (wg->wishes->pack_rows) {
        c->width.lanes = of.width;
        return;
    }
    c->width = tf_pack_width(&of, &lanes, k->cost_without);
    c->wants_more = c->width.is_full;
    if (!c->wants_more || !k->may_halve)
        return;
    of.width /= 2;
    lanes = (struct tf_pack_lanes){.are_half = true, .in_any_order = true};
    c->width = tf_pack_width(&of, &lanes, k->cost_without);
}

static void emit_pack(const struct packing *k, const struct candidate *c)
{
    const struct tf_plan_of of = {.facts = &c->facts,
                                  .target = &k->choice->all.target,
                                  .width = c->width.lanes,
                                  .rows = c->rows};
    struct tf_wg *wg = k->wg;
    struct tf_plan plan;

    if (tf_plan_init(&plan, &of)) {
        tf_report_forms(&plan, wg->kernel_name);
        k->steps->lanes->gang_pack = tf_gang_emit(wg, &plan, &k->steps->kept);
        tf_gang_define_apart(wg, &plan);
    }
    tf_plan_finish(&plan);
}

static bool goes_round_together(const struct tf_facts *facts)
{
    for (unsigned l = 0; l < facts->cfg.loop_count; l++) {
        if (facts->shapes.divergent[l])
            return false;
    }
    return true;
}

// Between barriers all rows of a group run one after the other in any case, and find in
// the cache what the rows before have loaded: a pack gains what it has in registers
// instead.
static bool may_gain(const struct packing *k, const struct tf_pack *pack)
{
    return !k->wg->item->has_barrier || pack->shares_vectors || k->wg->wishes->pack_rows;
}

// The function of so many rows. False after tf_wg_fail.
static bool try_rows(struct packing *k, unsigned rows, struct candidate *c)
{
    const struct tf_wg *wg = k->wg;
    struct tf_pack pack;
    bool ok;

    c->rows = rows;
    if (!fits_groups(wg, rows))
        return true;
    ok = tf_pack_init(&pack, k->facts, rows, wg->wishes->pack_rows > 1) &&
         may_gain(k, &pack);
    c->shares_vectors = pack.shares_vectors;
    if (!ok) {
        tf_pack_finish(&pack);
        return true;
    }
    if (!k->cost_without)
        k->cost_without = cost_without(k);
    ok = tf_prepare_pack(k->wg, &pack, &c->fn);
    tf_pack_finish(&pack);
    if (!ok) {
        c->fn = NULL;
        return false;
    }
    tf_lanes_find_facts(k->steps, &c->facts, c->fn, goes_round_together(k->facts));
    tf_report_shapes(&c->facts, wg->kernel_name);
    choose_width(k, c);
    return true;
}

static void drop(struct candidate *c)
{
    if (!c->fn)
        return;
    tf_facts_finish(&c->facts);
    LLVMDeleteFunction(c->fn);
}

static void note_pack(const struct packing *k, const struct candidate *c)
{
    struct tf_lanes *lanes = k->steps->lanes;
    const size_t used = strlen(lanes->report);

    if (!lanes->gang_pack)
        return;
    lanes->pack_rows = c->rows;
    lanes->pack_columns = c->shares_vectors;
    lanes->pack_width = c->width.lanes;
    lanes->tall_boxes = lanes->long_rows && !tf_lanes_ask_for(k->wg, TF_ROOT_LID + 1);
    snprintf(lanes->report + used, sizeof(lanes->report) - used,
             "; pack %u rows (dimension 1), %u lanes each", c->rows, c->width.lanes);
}

static bool are_fewer_better(const struct candidate *fewer, const struct candidate *all)
{
    return fewer->width.lanes &&
           (!all->width.lanes ||
            fewer->width.cost * (100 + FEWER_ROWS_PERCENT) < all->width.cost * 100);
}

bool tf_lanes_pack(struct tf_lane_steps *s)
{
    struct packing k = {
        .steps = s, .wg = s->wg, .choice = &s->choice, .facts = s->choice.facts};
    const unsigned wanted = s->wg->wishes->pack_rows;
    struct candidate all = {0}, fewer = {0};
    const struct candidate *best;
    bool ok;

    if (!s->wanted || !tf_lanes_may_pack(s->wg))
        return true;
    // In a group there would be loops over half of the lanes, out of which LLVM takes
    // what rows have for all columns: more than there are registers.
    k.may_halve = !s->wg->wishes->width_given && !s->wg->item->has_barrier &&
                  tf_pack_may_halve(&s->choice.all);
    ok = try_rows(&k, wanted ? wanted : TF_PACK_MAX_ROWS, &all);
    if (ok && all.wants_more)
        ok = try_rows(&k, 2, &fewer);
    best = are_fewer_better(&fewer, &all) ? &fewer : &all;
    if (ok && best->width.lanes) {
        emit_pack(&k, best);
        note_pack(&k, best);
    }
    drop(&all);
    drop(&fewer);
    return ok;
}
