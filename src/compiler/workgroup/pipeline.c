// SPDX-License-Identifier: MIT
// The order of the passes. Each works on the item function until "group" wraps it.
#include "compiler/workgroup/pipeline.h"

#include <stdio.h>
#include <string.h>

#include <llvm-c/Analysis.h>
#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#include "base/alloc.h"
#include "base/time.h"
#include "compiler/ir/dump.h"
#include "compiler/workgroup/check/check_gang.h"
#include "compiler/workgroup/item/sub_group.h"
#include "compiler/workgroup/kernel/wg.h"
#include "compiler/workgroup/report/report.h"

struct pass {
    const char *name;
    bool (*run)(struct tf_wg *);
};

static const struct pass passes[] = {
    {"item", tf_wg_item},
    {"traps", tf_wg_traps},
    {"ids", tf_wg_ids},
    {"locals", tf_wg_locals},
    {"gang", tf_wg_lanes},
    {"unroll", tf_wg_unroll},
    {"split", tf_wg_barrier_loops},
    {"barriers", tf_wg_barriers},
    {"group", tf_wg_group},
    {"rows", tf_wg_rows},
    {"atomics", tf_wg_local_atomics},
    {"seal", tf_wg_seal},
};

static const size_t pass_count = sizeof(passes) / sizeof(passes[0]);

_Static_assert(sizeof(passes) / sizeof(passes[0]) <=
                   sizeof(((struct tf_wg_times *)0)->passes) /
                       sizeof(((struct tf_wg_times *)0)->passes[0]),
               "a time for each pass");

static bool verify(struct tf_wg *wg, const char *pass)
{
    char *message = NULL;
    const bool broken = LLVMVerifyModule(wg->module, LLVMReturnStatusAction, &message);

    if (broken)
        tf_wg_fail(wg, "kernel %s: broken after pass %s: %s", wg->kernel_name, pass,
                   message);
    LLVMDisposeMessage(message);
    return !broken;
}

static unsigned count_instructions(LLVMValueRef fn)
{
    unsigned count = 0;

    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(fn); b;
         b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
             i = LLVMGetNextInstruction(i))
            count++;
    }
    return count;
}

static bool check_gang(struct tf_wg *wg, LLVMValueRef gang, unsigned width)
{
    struct tf_str faults = {0};
    const bool ok = !gang || tf_check_gang(gang, width, &faults);

    if (!ok)
        tf_wg_fail(wg, "kernel %s: broken lanes: %s", wg->kernel_name,
                   faults.text ? faults.text : "");
    tf_str_finish(&faults);
    return ok;
}

// Before any other pass touches them.
static bool check_gangs(struct tf_wg *wg)
{
    return !wg->checks ||
           (check_gang(wg, wg->gang, wg->width) &&
            check_gang(wg, wg->gang_masked, wg->width) &&
            check_gang(wg, wg->gang_pack, wg->pack_width) &&
            check_gang(wg, wg->sub_groups ? wg->item : NULL, wg->sub_group_size));
}

static bool run_pass(struct tf_wg *wg, size_t pass, struct tf_wg_times *times)
{
    const uint64_t start_ns = tf_time_cpu_ns(), llvm_ns = wg->llvm_ns;
    const bool ok = passes[pass].run(wg);
    const uint64_t own_ns = tf_time_cpu_ns() - start_ns - (wg->llvm_ns - llvm_ns);

    times->passes[pass].name = passes[pass].name;
    times->passes[pass].own_ns = own_ns;
    times->own_ns += own_ns;
    times->llvm_ns = wg->llvm_ns;
    return ok;
}

static bool run_passes(struct tf_wg *wg, struct tf_wg_times *times)
{
#ifdef TF_DEBUG
    const bool verify_each = true;
#else
    const bool verify_each = false;
#endif

    for (size_t i = 0; i < pass_count; i++) {
        if (!run_pass(wg, i, times))
            return false;
        if (passes[i].run == tf_wg_lanes && !check_gangs(wg))
            return false;
        if (passes[i].run == tf_wg_barrier_loops)
            tf_dump(TF_DUMP_SPLIT, wg->module);
        if ((verify_each || i + 1 == pass_count) && !verify(wg, passes[i].name))
            return false;
    }
    return true;
}

static bool lay_out_args(struct tf_wg *wg)
{
    const LLVMTargetDataRef layout = LLVMGetModuleDataLayout(wg->module);
    const unsigned count = LLVMCountParams(wg->kernel);

    wg->args = tf_zalloc((count + 1) * sizeof(*wg->args));
    if (!wg->args)
        return tf_wg_fail(wg, "out of memory");
    tf_arg_layout(wg->kernel, layout, wg->args);
    for (unsigned i = 0; i < count; i++) {
        if (wg->args[i].kind == TF_ARG_IMAGE)
            return tf_wg_fail(wg, "kernel %s: images are not supported", wg->kernel_name);
    }
    return true;
}

static bool find_kernel(struct tf_wg *wg)
{
    wg->kernel = LLVMGetNamedFunction(wg->module, wg->kernel_name);
    if (!wg->kernel || LLVMIsDeclaration(wg->kernel))
        return tf_wg_fail(wg, "the program has no kernel %s", wg->kernel_name);
    tf_wg_read_sub_group_size(wg);
    tf_wg_read_reqd_size(wg);
    return true;
}

static void write_report(const struct tf_wg *wg, struct tf_wg_out *out)
{
    static const char *const names[] = {
        [TF_WG_LOOPS] = "loops", [TF_WG_FIBERS] = "fibers", [TF_WG_SIMT] = "simt"};

    if (wg->gang)
        snprintf(out->report, sizeof(out->report), "simt%s%s%s: %s",
                 wg->long_rows ? ", rows through groups" : "",
                 wg->turned ? " along dimension 1" : "",
                 wg->gang_fibers ? ", gang fibers" : "", wg->report);
    else
        snprintf(out->report, sizeof(out->report), "%s%s%s",
                 out->form == TF_WG_AUTO ? "none" : names[out->form],
                 wg->refusal[0] ? ": not widened: " : "", wg->refusal);
}

bool tf_wg_run(const struct tf_wg_in *in, struct tf_wg_out *out)
{
    struct tf_wg_notes notes = {0};
    struct tf_wg wg = {
        .module = in->module,
        .kernel_name = in->kernel,
        .form = in->form,
        .width = in->width                ? in->width
                 : in->vector_bits >= 128 ? in->vector_bits / 32
                                          : 4,
        .width_given = in->width != 0,
        .pack_rows_wanted = in->pack_rows,
        .target = tf_target_of(in->cpu, in->vector_bits >= 128 ? in->vector_bits : 128),
        .lanes_forced = in->form == TF_WG_SIMT || in->form == TF_WG_GANG_FIBERS,
        .gang_fibers_forced = in->form == TF_WG_GANG_FIBERS,
        .checks = tf_check_is_on(),
        .text = out->text,
        .text_bytes = sizeof(out->text),
        .notes = in->lines ? &notes : NULL,
    };
    bool ok;

    out->text[0] = '\0';
    tf_wg_init(&wg);
    out->times = (struct tf_wg_times){0};
    ok = find_kernel(&wg) && lay_out_args(&wg);
    if (ok) {
        out->times.instructions = count_instructions(wg.kernel);
        ok = run_passes(&wg, &out->times);
    }
    out->form = wg.gang ? TF_WG_SIMT : wg.form;
    out->code = !wg.gang ? TF_WG_ITEMS : wg.group_gang ? TF_WG_PARTS : TF_WG_GANGS;
    out->scratch = wg.scratch;
    out->times.fixpoints = wg.fixpoints;
    out->fibers = (struct tf_fibers){
        .row_width = wg.gang_fibers ? wg.width : 0,
        .width = wg.form != TF_WG_FIBERS ? 0
                 : wg.sub_groups         ? wg.sub_group_size
                                         : 1,
    };
    out->fit = tf_wg_fit(&wg);
    write_report(&wg, out);
    if (ok && in->lines)
        tf_wg_notes_write(&notes, in->lines);
    tf_wg_notes_finish(&notes);
    tf_free(wg.args);
    LLVMDisposeBuilder(wg.builder);
    return ok;
}
