// SPDX-License-Identifier: MIT
// Pass "split": gives a kernel with barriers its form without fibers
// (workgroup/split/split.h), for one work-item a turn and, where there are lanes, for one
// gang a turn. What cannot be split stays on fibers, the gangs of rows on one each
// (workgroup/group/gang_fibers.h).
#include <stddef.h>
#include <stdio.h>

#include <llvm-c/Core.h>

#include "abi/cpu_abi.h"
#include "compiler/ir/ir_util.h"
#include "compiler/ir/memory/masked_loads.h"
#include "compiler/workgroup/item/known_sizes.h"
#include "compiler/workgroup/kernel/wg.h"
#include "compiler/workgroup/prepare/arrays.h"
#include "compiler/workgroup/prepare/columns.h"
#include "compiler/workgroup/split/split.h"

// Variables become values: what is left of them as memory costs memory for each item.
static const char variables[] = "function(sroa<modify-cfg>,early-cse<memssa>)";
static const char values[] = "function(instcombine<no-verify-fixpoint>,simplifycfg,"
                             "early-cse<memssa>,adce,simplifycfg,break-crit-edges)";

// Arrays that loops of a fixed count index become values once these are unrolled.
static const char unroll[] =
    "loop-simplify,lcssa,loop-mssa(loop-rotate,licm),"
    "loop(indvars,loop-deletion,loop-unroll-full),"
    "sroa<modify-cfg>,early-cse<memssa>,instcombine<no-verify-fixpoint>,simplifycfg,"
    "adce,simplifycfg,break-crit-edges";

static bool simplify(struct tf_wg *wg)
{
    if (!tf_wg_run_llvm(wg, variables))
        return false;
    TF_FOR_EACH_FUNCTION(f, wg->module)
    {
        tf_masked_loads_settle(f);
    }
    return tf_wg_run_llvm(wg, values);
}

static LLVMValueRef split(struct tf_wg *wg, struct tf_group_forms *forms,
                          const struct tf_split_in *in)
{
    const unsigned width = in->width;
    struct tf_scratch *const most = &forms->scratch;
    struct tf_split_memory memory;
    const LLVMValueRef made = tf_wg_split(wg, in, &memory);

    if (!made)
        return NULL;
    // In gangs of the widest form; a narrower one has several turns for each.
    if (width > most->width) {
        most->gang_bytes *= most->width ? width / most->width : 1;
        most->width = width;
    }
    forms->is_straight |= memory.is_straight;
    if (memory.fixed_bytes > most->fixed_bytes)
        most->fixed_bytes = memory.fixed_bytes;
    if (memory.gang_bytes * (most->width / width) > most->gang_bytes)
        most->gang_bytes = memory.gang_bytes * (most->width / width);
    return made;
}

static bool has_known_size(const struct tf_wg *wg)
{
    return wg->item->reqd_size[0] && wg->item->reqd_size[0] % wg->lanes->width == 0;
}

// Rows of several gangs, by demand, of which the last is none of all lanes.
static bool ends_within_gang(const struct tf_wg *wg)
{
    return wg->item->reqd_size[0] > wg->lanes->width && !has_known_size(wg) &&
           !wg->wishes->target.masks_free;
}

// Of a group that is one row, where the kernel demands its size; 0: unknown.
static unsigned gangs_of_row(const struct tf_wg *wg)
{
    const uint64_t *const size = wg->item->reqd_size;

    return has_known_size(wg) && size[1] * size[2] == 1
               ? (unsigned)(size[0] / wg->lanes->width)
               : 0;
}

// Of packs where there are some: groups of the size that the kernel demands are whole
// ones.
static LLVMValueRef split_whole(struct tf_wg *wg, struct tf_group_forms *forms)
{
    LLVMValueRef made = NULL;

    if (wg->lanes->gang_pack)
        made = split(wg, forms,
                     &(struct tf_split_in){.function = wg->lanes->gang_pack,
                                           .width = wg->lanes->pack_width,
                                           .rows = wg->lanes->pack_rows});
    if (!made)
        made = split(wg, forms,
                     &(struct tf_split_in){.function = wg->lanes->gang,
                                           .width = wg->lanes->width,
                                           .gangs = gangs_of_row(wg)});
    return made;
}

// Gangs are cut only if both functions can be made: of all lanes, and of few at the end
// of a row. Those of sub-groups need the linear ones, too.
static void split_gangs(struct tf_wg *wg, struct tf_group_forms *forms)
{
    if ((forms->group_loops || !wg->item->sub_groups) && !wg->wishes->gang_fibers_forced)
        forms->group_gang = split_whole(wg, forms);
    if (forms->group_gang)
        forms->group_masked =
            split(wg, forms,
                  &(struct tf_split_in){.function = wg->lanes->gang_masked,
                                        .width = wg->lanes->width,
                                        .masked = true,
                                        .mostly_whole = ends_within_gang(wg)});
    if (forms->group_masked)
        return;
    forms->group_gang = NULL;
    forms->gang_fibers = !wg->item->sub_groups;
    if (forms->gang_fibers)
        return;
    forms->no_rows = true; // the linear gangs do as well
}

bool tf_wg_barrier_loops(struct tf_wg *wg, struct tf_group_forms *forms)
{
    const struct tf_split_in item = {
        .function = wg->item->function,
        .width = wg->item->sub_groups ? wg->item->sub_group_size : 1,
        .masked = wg->item->sub_groups,
        .linear = wg->item->sub_groups,
    };

    forms->form = wg->item->form;
    if (!wg->item->has_barrier)
        return true;
    if (forms->form != TF_WG_FIBERS && !simplify(wg))
        return false;
    if (forms->form != TF_WG_FIBERS && wg->item->function) {
        if (!wg->item->sub_groups && tf_prepare_has_arrays(wg->item->function) &&
            !tf_wg_run_on(wg, wg->item->function, unroll))
            return false;
        if (!wg->item->sub_groups)
            tf_prepare_columns(wg, wg->item->function);
        forms->group_loops = split(wg, forms, &item);
        if (!forms->group_loops)
            forms->form = TF_WG_FIBERS;
    }
    if (wg->lanes->gang)
        split_gangs(wg, forms);
    return true;
}

// ---- groups of a size that the kernel demands

// Items that ask for no id of dimension 1 and 2 have groups of one row: what could others
// be for?
static bool expects_one_row(const struct tf_wg *wg)
{
    const LLVMValueRef gang = wg->lanes->gang;

    return !LLVMGetFirstUse(LLVMGetParam(gang, TF_ITEM_LID + 1)) &&
           !LLVMGetFirstUse(LLVMGetParam(gang, TF_ITEM_LID + 2));
}

// What the size of a group must be in this dimension, so that gangs take it as a whole;
// 0: any.
static unsigned expected_size(const struct tf_wg *wg, unsigned d)
{
    if (has_known_size(wg))
        return (unsigned)wg->item->reqd_size[d];
    return d > 0 && expects_one_row(wg) ? 1 : 0;
}

static LLVMValueRef asks_size(struct tf_wg *wg, LLVMValueRef group, LLVMValueRef size0)
{
    const LLVMBuilderRef b = wg->builder;
    const LLVMValueRef lanes = LLVMConstInt(wg->i64, wg->lanes->width - 1, false);
    const LLVMValueRef none = LLVMConstNull(wg->i64);
    LLVMValueRef fits =
        LLVMBuildICmp(b, LLVMIntEQ, LLVMBuildAnd(b, size0, lanes, ""), none, "");

    // No group is empty; asked here, LLVM knows it, and that the first gang has a turn.
    fits = LLVMBuildAnd(b, fits, LLVMBuildICmp(b, LLVMIntNE, size0, none, ""), "");

    for (unsigned d = 0; d < 3; d++) {
        const unsigned expected = expected_size(wg, d);
        LLVMValueRef size;

        if (!expected)
            continue;
        size = LLVMBuildLoad2(
            b, wg->i64, tf_wg_address(wg, group, TF_WG_GROUP_FIELD(local_size, d)), "");
        size =
            LLVMBuildICmp(b, LLVMIntEQ, size, LLVMConstInt(wg->i64, expected, false), "");
        fits = d == 0 ? size : LLVMBuildAnd(b, fits, size, "");
    }
    return fits;
}

LLVMValueRef tf_wg_fits_gangs(struct tf_wg *wg, LLVMValueRef group, LLVMValueRef size0)
{
    if (tf_knows_sizes(wg))
        return LLVMConstInt(LLVMInt1TypeInContext(wg->context), has_known_size(wg),
                            false);
    return asks_size(wg, group, size0);
}

void tf_wg_emit_group_call(struct tf_wg *wg, LLVMValueRef group, LLVMValueRef fn)
{
    const LLVMValueRef worker = LLVMGetParam(wg->forms->entry, TF_ITEM_WORKER);
    const LLVMValueRef scratch = tf_wg_load_fixed(
        wg, wg->ptr, worker, offsetof(struct tf_worker, scratch), 8, "scratch");
    LLVMValueRef args[] = {LLVMGetParam(wg->forms->entry, TF_ITEM_LAUNCH), worker, group,
                           scratch, scratch};

    // The same once more, as constants: loops over the items have known ends.
    for (unsigned d = 0; fn == wg->forms->group_gang && d < 3; d++) {
        const unsigned expected = expected_size(wg, d);

        if (expected)
            LLVMBuildStore(wg->builder, LLVMConstInt(wg->i64, expected, false),
                           tf_wg_address(wg, group, TF_WG_GROUP_FIELD(local_size, d)));
    }
    LLVMBuildCall2(wg->builder, LLVMGlobalGetValueType(fn), fn, args, 5, "");
    if (fn != wg->forms->group_masked) // the only call
        tf_ir_add_attribute(fn, "alwaysinline");
}
