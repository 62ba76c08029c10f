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
#include "compiler/workgroup/kernel/wg.h"
#include "compiler/workgroup/split/split.h"

// Variables become values: what is left of them as memory costs memory for each item.
static const char simplify[] =
    "function(sroa<modify-cfg>,early-cse<memssa>,instcombine<no-verify-fixpoint>,"
    "simplifycfg,early-cse<memssa>,adce,simplifycfg,break-crit-edges)";

static LLVMValueRef split(struct tf_wg *wg, const struct tf_split_in *in)
{
    const unsigned width = in->width;
    struct tf_scratch *const most = &wg->scratch;
    struct tf_split_memory memory;
    const LLVMValueRef made = tf_wg_split(wg, in, &memory);

    if (!made)
        return NULL;
    // In gangs of the widest form; a narrower one has several turns for each.
    if (width > most->width) {
        most->gang_bytes *= most->width ? width / most->width : 1;
        most->width = width;
    }
    if (memory.fixed_bytes > most->fixed_bytes)
        most->fixed_bytes = memory.fixed_bytes;
    if (memory.gang_bytes * (most->width / width) > most->gang_bytes)
        most->gang_bytes = memory.gang_bytes * (most->width / width);
    return made;
}

// Gangs are cut only if both functions can be made: of all lanes, and of few at the end
// of a row. Those of sub-groups need the linear ones, too.
static void split_gangs(struct tf_wg *wg)
{
    if ((wg->group_loops || !wg->sub_groups) && !wg->gang_fibers_forced)
        wg->group_gang =
            split(wg, &(struct tf_split_in){.function = wg->gang, .width = wg->width});
    if (wg->group_gang)
        wg->group_masked = split(wg, &(struct tf_split_in){.function = wg->gang_masked,
                                                           .width = wg->width,
                                                           .masked = true});
    if (wg->group_masked)
        return;
    wg->group_gang = NULL;
    wg->gang_fibers = !wg->sub_groups;
    if (wg->gang_fibers)
        return;
    // The linear gangs do as well.
    snprintf(wg->refusal, sizeof(wg->refusal), "too many ways between barriers");
    wg->gang = wg->gang_masked = NULL;
}

bool tf_wg_barrier_loops(struct tf_wg *wg)
{
    const struct tf_split_in item = {
        .function = wg->item,
        .width = wg->sub_groups ? wg->sub_group_size : 1,
        .masked = wg->sub_groups,
        .linear = wg->sub_groups,
    };

    if (!wg->has_barrier)
        return true;
    if (wg->form != TF_WG_FIBERS && !tf_wg_run_llvm(wg, simplify))
        return false;
    if (wg->form != TF_WG_FIBERS && wg->item) {
        wg->group_loops = split(wg, &item);
        if (!wg->group_loops)
            wg->form = TF_WG_FIBERS;
    }
    if (wg->gang)
        split_gangs(wg);
    return true;
}

// ---- groups of a size that the kernel demands

void tf_wg_read_reqd_size(struct tf_wg *wg)
{
    static const char name[] = "reqd_work_group_size";
    const unsigned kind =
        LLVMGetMDKindIDInContext(wg->context, name, (unsigned)sizeof(name) - 1);
    size_t count;
    LLVMValueMetadataEntry *const entries = LLVMGlobalCopyAllMetadata(wg->kernel, &count);

    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef node, size[3];

        if (LLVMValueMetadataEntriesGetKind(entries, i) != kind)
            continue;
        node = LLVMMetadataAsValue(wg->context,
                                   LLVMValueMetadataEntriesGetMetadata(entries, i));
        if (LLVMGetMDNodeNumOperands(node) != 3)
            continue;
        LLVMGetMDNodeOperands(node, size);
        for (unsigned d = 0; d < 3; d++)
            wg->reqd_size[d] = LLVMConstIntGetZExtValue(size[d]);
    }
    LLVMDisposeValueMetadataEntries(entries);
}

static bool has_known_size(const struct tf_wg *wg)
{
    return wg->reqd_size[0] && wg->reqd_size[0] % wg->width == 0;
}

static LLVMValueRef size_address(struct tf_wg *wg, LLVMValueRef group, unsigned dim)
{
    return tf_wg_address(wg, group,
                         offsetof(struct tf_group, local_size) + dim * sizeof(tf_u64));
}

LLVMValueRef tf_wg_fits_gangs(struct tf_wg *wg, LLVMValueRef group, LLVMValueRef size0)
{
    const LLVMBuilderRef b = wg->builder;
    const LLVMValueRef lanes = LLVMConstInt(wg->i64, wg->width - 1, false);
    LLVMValueRef fits = NULL;

    if (!has_known_size(wg))
        return LLVMBuildICmp(b, LLVMIntEQ, LLVMBuildAnd(b, size0, lanes, ""),
                             LLVMConstNull(wg->i64), "");
    for (unsigned d = 0; d < 3; d++) {
        const LLVMValueRef size =
            LLVMBuildLoad2(b, wg->i64, size_address(wg, group, d), "");
        const LLVMValueRef same = LLVMBuildICmp(
            b, LLVMIntEQ, size, LLVMConstInt(wg->i64, wg->reqd_size[d], false), "");

        fits = fits ? LLVMBuildAnd(b, fits, same, "") : same;
    }
    return fits;
}

void tf_wg_emit_group_call(struct tf_wg *wg, LLVMValueRef group, LLVMValueRef fn)
{
    const LLVMValueRef worker = LLVMGetParam(wg->entry, TF_ITEM_WORKER);
    const LLVMValueRef scratch = tf_wg_load_fixed(
        wg, wg->ptr, worker, offsetof(struct tf_worker, scratch), 8, "scratch");
    LLVMValueRef args[] = {LLVMGetParam(wg->entry, TF_ITEM_LAUNCH), worker, group,
                           scratch, scratch};

    // The same once more, as constants: loops over the items have known ends.
    for (unsigned d = 0; fn == wg->group_gang && has_known_size(wg) && d < 3; d++)
        LLVMBuildStore(wg->builder, LLVMConstInt(wg->i64, wg->reqd_size[d], false),
                       size_address(wg, group, d));
    LLVMBuildCall2(wg->builder, LLVMGlobalGetValueType(fn), fn, args, 5, "");
    if (fn != wg->group_masked) // the only call
        tf_ir_add_attribute(fn, "alwaysinline");
}
