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

struct packing {
    struct tf_lane_steps *steps;
    struct tf_wg *wg;
    const struct tf_choice *choice;
    const struct tf_facts *facts;
    uint64_t
        cost_without; // a lane's, of single rows; the plan of them may be stale later
    unsigned rows, width;
    unsigned least; // of the width
};

static bool may_pack(const struct tf_wg *wg)
{
    const unsigned rows = wg->wishes->pack_rows;

    return (rows == 0 || rows == 2 || rows == TF_PACK_MAX_ROWS) &&
           !wg->item->has_barrier && !wg->item->sub_groups;
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

// The lanes of the packed function; 0: it is not wanted.
static unsigned choose_width(const struct packing *k, const struct tf_facts *packed,
                             bool *is_full)
{
    const struct tf_wg *wg = k->wg;
    const struct tf_plan_of of = {.facts = packed,
                                  .target = &k->choice->all.target,
                                  .width = k->least,
                                  .rows = k->rows};
    struct tf_pack_lanes lanes = {.are_half = k->least < wg->lanes->width};

    if (packed->unfit[0] || !tf_pack_stays_whole(packed))
        return 0;
    if (wg->wishes->pack_rows)
        return k->least;
    lanes.may_be_more =
        !lanes.are_half && !wg->wishes->width_given && wg->lanes->long_rows;
    return tf_pack_width(&of, &lanes, k->cost_without, is_full);
}

static void emit_pack(struct packing *k, const struct tf_facts *packed)
{
    const struct tf_plan_of of = {.facts = packed,
                                  .target = &k->choice->all.target,
                                  .width = k->width,
                                  .rows = k->rows};
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

// The function of k->rows rows, if it is wanted. False after tf_wg_fail.
static bool try_rows(struct packing *k, bool *is_full)
{
    const struct tf_wg *wg = k->wg;
    struct tf_facts packed_facts;
    LLVMValueRef packed;
    struct tf_pack pack;
    bool ok;

    *is_full = false;
    ok = tf_pack_init(&pack, k->facts, k->rows, wg->wishes->pack_rows > 1);
    k->steps->lanes->pack_columns = pack.shares_vectors;
    if (!ok) {
        tf_pack_finish(&pack);
        return true;
    }
    if (!k->cost_without)
        k->cost_without = cost_without(k);
    ok = tf_prepare_pack(k->wg, &pack, &packed);
    tf_pack_finish(&pack);
    if (!ok)
        return false;
    tf_lanes_find_facts(k->steps, &packed_facts, packed, goes_round_together(k->facts));
    tf_report_shapes(&packed_facts, wg->kernel_name);
    k->width = choose_width(k, &packed_facts, is_full);
    if (k->width)
        emit_pack(k, &packed_facts);
    tf_facts_finish(&packed_facts);
    LLVMDeleteFunction(packed);
    return true;
}

static void note_pack(struct packing *k)
{
    struct tf_lanes *lanes = k->steps->lanes;
    const size_t used = strlen(lanes->report);

    if (!lanes->gang_pack)
        return;
    lanes->pack_rows = k->rows;
    lanes->pack_width = k->width;
    lanes->tall_boxes = lanes->long_rows && !tf_lanes_ask_for(k->wg, TF_ROOT_LID + 1);
    snprintf(lanes->report + used, sizeof(lanes->report) - used,
             "; pack %u rows (dimension 1), %u lanes each", k->rows, k->width);
}

// The same of as many rows as find registers, if not of all that there may be.
static bool try_all_rows(struct packing *k, bool *is_full)
{
    const unsigned rows = k->rows;
    bool ok = try_rows(k, is_full);

    if (ok && !k->steps->lanes->gang_pack && *is_full && rows > 2) {
        k->rows = rows / 2;
        ok = try_rows(k, is_full);
    }
    if (!k->steps->lanes->gang_pack)
        k->rows = rows;
    return ok;
}

bool tf_lanes_pack(struct tf_lane_steps *s)
{
    struct packing k = {
        .steps = s, .wg = s->wg, .choice = &s->choice, .facts = s->choice.facts};
    const unsigned wanted = s->wg->wishes->pack_rows;
    bool is_full, ok;

    if (!s->wanted || !may_pack(s->wg))
        return true;
    k.rows = wanted ? wanted : TF_PACK_MAX_ROWS;
    k.least = s->lanes->width;
    ok = try_all_rows(&k, &is_full);
    // Vectors of the program take several registers each: rows of half of the lanes take
    // half of them, and what they share is loaded once.
    if (ok && !s->lanes->gang_pack && is_full && !s->wg->wishes->width_given &&
        tf_pack_may_halve(&s->choice.all)) {
        k.least /= 2;
        ok = try_all_rows(&k, &is_full);
    }
    if (ok)
        note_pack(&k);
    return ok;
}
