// SPDX-License-Identifier: MIT
// Whether the rows of a kernel run as packs, of how many rows and lanes, and the function
// that runs them.
#include "compiler/workgroup/plan/pack.h"
#include "compiler/ir/ir_util.h"
#include "compiler/ir/roots.h"

#include <stdio.h>
#include <string.h>

#include "compiler/workgroup/analysis/private.h"
#include "compiler/workgroup/gang/gang.h"

enum {
    MAX_WIDTH = 64,
    // Of the time of an item, for which packs are made, and for which their lanes are
    // doubled: they cost time of the compiler.
    PACK_GAIN_PERCENT = 15,
    WIDTH_GAIN_PERCENT = 5,
};

// Rows meet in what they address: in[y + 1] of one is in[y] of the next.
static const char meet[] = "early-cse<memssa>,instcombine<no-verify-fixpoint>,gvn,"
                           "loop-simplify,lcssa";

struct choice {
    LLVMValueRef packed;
    unsigned rows, width;
    uint64_t cost; // of an item, as gang_cost_per_lane
};

// ---- the rows apart

bool tf_pack_is_apart(LLVMValueRef call)
{
    return tf_root_of(call) == TF_ROOT_APART;
}

bool tf_pack_asks(const struct tf_cfg *cfg, unsigned block)
{
    const struct tf_cfg_block *b = &cfg->blocks[block];

    for (unsigned k = 0; b->succ_count == 2 && k < 2; k++) {
        if (tf_pack_is_apart(LLVMGetFirstInstruction(cfg->blocks[b->succs[k]].block)))
            return true;
    }
    return false;
}

static LLVMValueRef rows_function(struct gang *g)
{
    const LLVMValueRef known = LLVMGetNamedFunction(g->wg->module, "tf_gang_rows");
    LLVMValueRef fn;

    if (known)
        return known;
    fn = LLVMAddFunction(g->wg->module, "tf_gang_rows", g->wg->item_type);
    tf_wg_add_item_attrs(g->from, fn);
    tf_ir_add_attribute(fn, "cold");
    tf_ir_add_attribute(fn, "noinline");
    return fn;
}

void gang_run_apart(struct gang *g)
{
    const LLVMValueRef fn = rows_function(g);
    LLVMValueRef args[TF_ITEM_PARAMS];

    LLVMGetParams(g->to, args);
    LLVMBuildCall2(g->b, g->wg->item_type, fn, args, TF_ITEM_PARAMS, "");
}

// Calls the function with masks, which is there anyway as a function of its own.
static void add_gang(struct tf_wg *wg, LLVMValueRef fn, unsigned row, unsigned lane)
{
    const LLVMValueRef masked = wg->gang_masked;
    LLVMValueRef args[TF_ITEM_PARAMS + 1];

    LLVMGetParams(fn, args);
    args[TF_ITEM_LID] = LLVMBuildAdd(wg->builder, args[TF_ITEM_LID],
                                     LLVMConstInt(wg->i64, lane, false), "");
    args[TF_ITEM_LID + 1] = LLVMBuildAdd(wg->builder, args[TF_ITEM_LID + 1],
                                         LLVMConstInt(wg->i64, row, false), "");
    args[TF_ITEM_PARAMS] = LLVMConstInt(wg->i64, wg->width, false);
    LLVMBuildCall2(wg->builder, LLVMGlobalGetValueType(masked), masked, args,
                   TF_ITEM_PARAMS + 1, "");
}

static void define_rows(struct tf_wg *wg, const struct choice *c)
{
    const LLVMValueRef fn = LLVMGetNamedFunction(wg->module, "tf_gang_rows");

    if (!fn)
        return;
    LLVMSetLinkage(fn, LLVMInternalLinkage);
    LLVMPositionBuilderAtEnd(wg->builder,
                             LLVMAppendBasicBlockInContext(wg->context, fn, "rows"));
    for (unsigned row = 0; row < c->rows; row++) {
        for (unsigned lane = 0; lane < c->width; lane += wg->width)
            add_gang(wg, fn, row, lane);
    }
    LLVMBuildRetVoid(wg->builder);
}

// ---- the choice

static bool is_better(uint64_t cost, uint64_t than, unsigned gain_percent)
{
    return cost * 100 <= than * (100 - gain_percent);
}

static void drop(struct choice *c)
{
    if (c->packed)
        LLVMDeleteFunction(c->packed);
    c->packed = NULL;
}

// Whether lanes agree about what the rows are asked.
static bool stays_whole(const struct gang *g)
{
    for (unsigned b = 0; b < g->cfg.block_count; b++) {
        if (tf_pack_asks(&g->cfg, b) &&
            (g->shapes.region_of[b] != TF_CFG_NONE ||
             !tf_is_uniform(&g->shapes, tf_cfg_condition(&g->cfg, b))))
            return false;
    }
    return true;
}

// The width that suits best, by the costs. 0: none pays. *is_full: for want of registers.
static unsigned best_width(struct tf_wg *wg, struct gang *g, struct choice *c,
                           uint64_t plain, bool *is_full)
{
    unsigned best = 0;

    for (unsigned width = wg->width; width <= MAX_WIDTH; width *= 2) {
        uint64_t cost;

        if (!gang_has_room(g, width)) {
            *is_full = width == wg->width;
            break;
        }
        cost = gang_cost_per_lane(g, width) / c->rows;
        if (!is_better(cost, best ? c->cost : plain,
                       best ? WIDTH_GAIN_PERCENT : PACK_GAIN_PERCENT))
            break;
        c->cost = cost;
        best = width;
        if (wg->width_given || !wg->long_rows)
            break;
    }
    return best;
}

// The analysis of wg->wide is made anew for each number of rows: with old versions of
// LLVM the passes change that, too. *plain: cost of an item without packs.
static bool clone_rows(struct tf_wg *wg, struct choice *c, uint64_t *plain)
{
    struct tf_pack pack = {.rows = c->rows};
    struct gang g = {.from = wg->wide};

    if (gang_open(&g, wg, wg->width, false) &&
        tf_pack_init(&pack, &g, wg->pack_rows_wanted > 1)) {
        *plain = gang_cost_per_lane(&g, wg->width);
        wg->pack_columns = pack.shares_vectors;
        c->packed = tf_pack_clone(&pack);
    }
    gang_close(&g);
    return c->packed != NULL;
}

// Makes the function of c->rows rows and chooses its width; leaves c->packed NULL if it
// is not wanted. False after tf_wg_fail.
static bool try_rows(struct tf_wg *wg, struct choice *c, bool *is_full)
{
    struct gang g = {0};
    uint64_t plain = 0;
    bool whole = false;

    *is_full = false;
    if (!clone_rows(wg, c, &plain))
        return true;
    if (!tf_wg_run_on(wg, c->packed, meet))
        return false;
    tf_private_sink(wg, c->packed);
    g.from = c->packed;
    c->width = 0;
    if (gang_open(&g, wg, wg->width, false)) {
        gang_dump_shapes(&g);
        whole = stays_whole(&g);
    }
    if (whole)
        c->width =
            wg->pack_rows_wanted ? wg->width : best_width(wg, &g, c, plain, is_full);
    gang_close(&g);
    if (!c->width)
        drop(c);
    return true;
}

static bool choose(struct tf_wg *wg, struct choice *c)
{
    bool is_full;

    c->rows = wg->pack_rows_wanted ? wg->pack_rows_wanted : TF_PACK_MAX_ROWS;
    if (!try_rows(wg, c, &is_full))
        return false;
    if (c->packed || !is_full)
        return true;
    c->rows = TF_PACK_MAX_ROWS / 2;
    return try_rows(wg, c, &is_full);
}

// ---- the pass

static bool may_pack(const struct tf_wg *wg)
{
    const unsigned rows = wg->pack_rows_wanted;

    return (rows == 0 || rows == 2 || rows == TF_PACK_MAX_ROWS) && !wg->has_barrier &&
           !wg->sub_groups;
}

static void write_report(struct tf_wg *wg, const struct choice *c)
{
    const size_t used = strlen(wg->report);

    snprintf(wg->report + used, sizeof(wg->report) - used,
             "; pack %u rows (dimension 1), %u lanes each", c->rows, c->width);
}

static void make(struct tf_wg *wg, struct choice *c)
{
    const LLVMValueRef local_row =
        LLVMGetNamedFunction(wg->module, tf_root_name(TF_ROOT_LID + 1));

    wg->gang_pack = tf_wg_gang_pack(wg, c->packed, c->rows, c->width);
    define_rows(wg, c);
    drop(c);
    if (!wg->gang_pack)
        return;
    wg->pack_rows = c->rows;
    wg->pack_width = c->width;
    wg->tall_boxes = wg->long_rows && (!local_row || !LLVMGetFirstUse(local_row));
    write_report(wg, c);
}

bool tf_wg_pack(struct tf_wg *wg)
{
    struct tf_wg_notes *notes = wg->notes;
    struct choice c = {0};
    bool ok;

    if (!may_pack(wg))
        return true;
    wg->notes = NULL; // what the lanes are made of was noted
    ok = choose(wg, &c);
    if (ok && c.packed)
        make(wg, &c);
    wg->notes = notes;
    if (ok)
        wg->refusal[0] = '\0'; // of the pack alone
    return ok;
}
