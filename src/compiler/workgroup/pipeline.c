// SPDX-License-Identifier: MIT
// The order of the passes, all of it.
#include "compiler/workgroup/pipeline.h"

#include <stdio.h>
#include <string.h>

#include <llvm-c/Analysis.h>
#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>

#include "base/alloc.h"
#include "base/time.h"
#include "compiler/clang/debug_info.h"
#include "compiler/ir/budget.h"
#include "compiler/ir/dump.h"
#include "compiler/ir/ir_util.h"
#include "compiler/job/crash.h"
#include "compiler/workgroup/check/check_gang.h"
#include "compiler/workgroup/kernel/wg.h"
#include "compiler/workgroup/lanes.h"
#include "compiler/workgroup/prepare/prepare.h"
#include "compiler/workgroup/prepare/scopes.h"
#include "compiler/workgroup/prepare/space_scopes.h"
#include "compiler/workgroup/prepare/waits/group_order.h"
#include "compiler/workgroup/prepare/waits/wait.h"
#include "compiler/workgroup/report/report.h"

// One kernel on its way: what is given from room to room. Each pass is handed what it
// writes, and finds the rest as constants in struct tf_wg.
struct way {
    struct tf_wg wg;
    struct tf_wishes wishes;
    struct tf_item item;
    struct tf_lanes lanes;
    struct tf_group_forms forms;
    struct tf_lane_steps steps;
};

static bool item(struct way *w)
{
    return tf_wg_item(&w->wg, &w->item);
}

static bool kept_calls(struct way *w)
{
    return !w->item.calls || tf_wg_kept_calls(&w->wg);
}

static bool traps(struct way *w)
{
    return tf_wg_traps(&w->wg);
}

static bool ids(struct way *w)
{
    const bool ok = tf_wg_ids(&w->wg, &w->item);

    w->lanes.width = w->item.sub_groups ? w->item.sub_group_size : w->wishes.width;
    return ok;
}

static bool locals(struct way *w)
{
    return tf_wg_locals(&w->wg);
}

static bool waits(struct way *w)
{
    w->item.in_order = w->item.calls || tf_group_order_matters(w->item.function);
    if (!tf_prepare_yields(&w->wg, &w->item, &w->lanes))
        return false;
    if (!w->item.sub_groups && !w->wishes.for_debugger)
        tf_prepare_volatiles(w->item.function);
    return true;
}

static bool delays(struct way *w)
{
    return tf_wg_delays(&w->wg);
}

static bool check_gang(struct tf_wg *wg, LLVMValueRef gang, unsigned width)
{
    struct tf_str faults = {0};
    const bool ok = !wg->checks || !gang || tf_check_gang(gang, width, &faults);

    if (!ok)
        tf_wg_fail(wg, "kernel %s: broken lanes: %s", wg->kernel_name,
                   faults.text ? faults.text : "");
    tf_str_finish(&faults);
    return ok;
}

// With sub-groups the linear gang takes the place of the item function.
static bool linear(struct way *w)
{
    tf_prepare_scopes(w->item.function); // in every form
    if (!w->item.sub_groups)
        tf_prepare_space_scopes(w->item.function);
    if (w->item.sub_groups && w->wishes.for_debugger) {
        tf_debug_info_keep_lines(w->wg.module,
                                 w->item.function); // lanes take variables apart
        w->wishes.for_debugger = false;
    }

    if (!tf_lanes_linear(&w->steps))
        return false;
    if (!w->lanes.linear)
        return true;
    LLVMDeleteFunction(w->item.function);
    w->item.function = w->lanes.linear;
    tf_dump(TF_DUMP_GANG, w->wg.module);
    return check_gang(&w->wg, w->lanes.linear, w->item.sub_group_size);
}

static bool prepare(struct way *w)
{
    return tf_lanes_prepare(&w->steps);
}

static bool facts(struct way *w)
{
    return tf_lanes_facts(&w->steps);
}

static bool strips(struct way *w)
{
    return tf_lanes_strips(&w->steps);
}

static bool narrow(struct way *w)
{
    return tf_lanes_narrow(&w->steps);
}

static bool distribute(struct way *w)
{
    return tf_lanes_distribute(&w->steps);
}

static bool components(struct way *w)
{
    return tf_lanes_components(&w->steps);
}

static bool check_loops(struct tf_wg *wg, LLVMValueRef fn)
{
    struct tf_str faults = {0};
    const bool ok = !wg->checks || !fn || tf_check_loops(fn, &faults);

    if (!ok)
        tf_wg_fail(wg, "kernel %s: broken loops: %s", wg->kernel_name,
                   faults.text ? faults.text : "");
    tf_str_finish(&faults);
    return ok;
}

static bool choose(struct way *w)
{
    return check_loops(&w->wg, w->steps.wanted ? w->item.wide : NULL) &&
           tf_lanes_choose(&w->steps);
}

static bool gang(struct way *w)
{
    return tf_lanes_emit(&w->steps) &&
           check_gang(&w->wg, w->lanes.gang, w->lanes.width) &&
           check_gang(&w->wg, w->lanes.gang_masked, w->lanes.width);
}

// Packs that disagree and gangs at borders call the function with masks: then it is one
// of its own.
static bool settle_whole_gangs(struct way *w)
{
    struct tf_lanes *l = &w->lanes;

    if (!l->masks_suffice)
        return true;
    l->masks_suffice = !l->gang_pack;
    if (l->gang_pack)
        tf_lanes_emit_whole(&w->steps);
    else
        l->gang = l->gang_masked;
    return !l->gang_pack || check_gang(&w->wg, l->gang, l->width);
}

static bool pack(struct way *w)
{
    if (!tf_lanes_pack(&w->steps) || !settle_whole_gangs(w))
        return false;
    if (w->lanes.gang)
        tf_dump(TF_DUMP_GANG, w->wg.module);
    if (w->item.wide)
        LLVMDeleteFunction(w->item.wide);
    w->item.wide = NULL;
    // What lanes do not serve is code of its own, made when a launch needs it
    // (abi/launch_fit.h).
    if (w->lanes.gang && !w->item.sub_groups) {
        LLVMDeleteFunction(w->item.function);
        w->item.function = NULL;
    }
    return check_gang(&w->wg, w->lanes.gang_pack, w->lanes.pack_width);
}

static bool unroll(struct way *w)
{
    return tf_wg_unroll(&w->wg);
}

static bool split(struct way *w)
{
    if (!tf_wg_barrier_loops(&w->wg, &w->forms))
        return false;
    if (w->forms.no_rows) {
        snprintf(w->lanes.refusal, sizeof(w->lanes.refusal),
                 "too many ways between barriers");
        w->lanes.gang = w->lanes.gang_masked = NULL;
    }
    tf_dump(TF_DUMP_SPLIT, w->wg.module);
    return true;
}

static bool barriers(struct way *w)
{
    return tf_wg_barriers(&w->wg);
}

static bool group(struct way *w)
{
    return tf_wg_group(&w->wg, &w->forms);
}

static bool rows(struct way *w)
{
    return tf_wg_rows(&w->wg, &w->forms);
}

static bool atomics(struct way *w)
{
    return tf_wg_local_atomics(&w->wg);
}

static bool seal(struct way *w)
{
    return tf_wg_seal(&w->wg);
}

static const struct pass {
    const char *name;
    bool (*run)(struct way *);
} passes[] = {
    {"item", item},
    {"kept_calls", kept_calls}, // where there are some
    {"traps", traps},
    {"ids", ids},
    {"locals", locals},
    {"waits", waits},
    // Lanes (lanes.h).
    {"linear", linear},
    {"prepare", prepare},
    {"delays", delays},
    {"facts", facts},
    {"strips", strips},
    {"narrow", narrow},
    {"distribute", distribute},
    {"components", components},
    {"choose", choose},
    {"gang", gang},
    {"pack", pack},
    // The functions that run groups.
    {"unroll", unroll},
    {"split", split},
    {"barriers", barriers},
    {"group", group},
    {"rows", rows},
    {"atomics", atomics},
    {"seal", seal},
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

    TF_FOR_EACH_INSTRUCTION(i, fn)
    {
        count++;
    }
    return count;
}

static bool run_pass(struct way *w, size_t pass, struct tf_wg_times *times)
{
    const uint64_t start_ns = tf_time_cpu_ns(), llvm_ns = w->wg.llvm_ns;
    tf_crash_step(passes[pass].name);
    LLVMSetCurrentDebugLocation2(w->wg.builder, NULL); // of nothing yet
    const bool ok = passes[pass].run(w);
    const uint64_t own_ns = tf_time_cpu_ns() - start_ns - (w->wg.llvm_ns - llvm_ns);

    times->passes[pass].name = passes[pass].name;
    times->passes[pass].own_ns = own_ns;
    times->own_ns += own_ns;
    times->llvm_ns = w->wg.llvm_ns;
    return ok;
}

static bool run_passes(struct way *w, struct tf_wg_times *times)
{
#ifdef TF_DEBUG
    const bool verify_each = true;
#else
    const bool verify_each = false;
#endif

    for (size_t i = 0; i < pass_count; i++) {
        if (!run_pass(w, i, times))
            return false;
        if (tf_budget_is_spent())
            return tf_wg_fail(&w->wg,
                              "takes too long to optimize: given up after pass %s",
                              passes[i].name);
        if ((verify_each || i + 1 == pass_count) && !verify(&w->wg, passes[i].name))
            return false;
    }
    return true;
}

static bool lay_out_args(struct tf_wg *wg, struct tf_item *made)
{
    const LLVMTargetDataRef layout = LLVMGetModuleDataLayout(wg->module);
    const unsigned count = LLVMCountParams(made->kernel);

    made->args = tf_zalloc((count + 1) * sizeof(*made->args));
    if (!made->args)
        return tf_wg_fail(wg, "out of memory");
    made->arg_count = count;
    if (wg->wishes->fixed_args &&
        tf_arg_layout(made->kernel, layout, made->args) != wg->wishes->fixed_arg_bytes)
        return tf_wg_fail(wg, "the arguments of %s are not these", wg->kernel_name);
    tf_arg_layout(made->kernel, layout, made->args);
    return true;
}

static bool find_kernel(struct tf_wg *wg, struct tf_item *made)
{
    made->kernel = LLVMGetNamedFunction(wg->module, wg->kernel_name);
    if (!made->kernel || LLVMIsDeclaration(made->kernel))
        return tf_wg_fail(wg, "the program has no kernel %s", wg->kernel_name);
    tf_wg_read_attributes(wg, made);
    return lay_out_args(wg, made);
}

static void write_report(const struct way *w, struct tf_wg_out *out)
{
    static const char *const names[] = {
        [TF_WG_LOOPS] = "loops", [TF_WG_FIBERS] = "fibers", [TF_WG_SIMT] = "simt"};
    const struct tf_lanes *l = &w->lanes;

    if (l->gang)
        snprintf(out->report, sizeof(out->report), "simt%s%s%s: %s",
                 l->long_rows ? ", rows through groups" : "",
                 l->turned ? " along dimension 1" : "",
                 w->forms.gang_fibers ? ", gang fibers" : "", l->report);
    else
        snprintf(out->report, sizeof(out->report), "%s%s%s",
                 out->form == TF_WG_AUTO ? "none" : names[out->form],
                 l->refusal[0] ? ": not widened: " : "", l->refusal);
}

static void give_out(const struct way *w, struct tf_wg_out *out)
{
    out->form = w->lanes.gang ? TF_WG_SIMT : w->forms.form;
    if (w->lanes.gang && w->forms.group_gang)
        out->code = w->forms.is_straight ? TF_WG_STEPS : TF_WG_PARTS;
    else
        out->code = !w->lanes.gang       ? TF_WG_ITEMS
                    : w->lanes.has_loops ? TF_WG_GANG_LOOPS
                                         : TF_WG_GANGS;
    out->scratch = w->forms.scratch;
    out->times.fixpoints = w->lanes.fixpoints;
    out->fibers = (struct tf_fibers){
        .row_width = w->forms.gang_fibers ? w->lanes.width : 0,
        .width = w->forms.form != TF_WG_FIBERS ? 0
                 : w->item.sub_groups          ? w->item.sub_group_size
                                               : 1,
    };
    out->fit = tf_wg_fit(&w->wg);
    out->for_debugger = w->wishes.for_debugger;
    write_report(w, out);
}

static struct tf_wishes wishes_of(const struct tf_wg_in *in)
{
    const unsigned bits = in->vector_bits >= 128 ? in->vector_bits : 128;

    return (struct tf_wishes){
        .form = in->form,
        .target = tf_target_of(in->cpu, bits),
        .width = in->width ? in->width : bits / 32,
        .width_given = in->width != 0,
        .pack_rows = in->pack_rows,
        .fixed_args = in->fixed_args,
        .fixed_arg_bytes = in->fixed_arg_bytes,
        .local_size = {in->local_size[0], in->local_size[1], in->local_size[2]},
        .for_debugger = in->for_debugger,
        .lanes_forced = in->form == TF_WG_SIMT || in->form == TF_WG_GANG_FIBERS,
        .gang_fibers_forced = in->form == TF_WG_GANG_FIBERS,
    };
}

// What the environment asks for goes before what the kernel does.
static void take_hint(struct tf_wishes *wishes, unsigned lanes)
{
    if (wishes->form != TF_WG_AUTO || wishes->width_given || !lanes)
        return;
    if (lanes == 1) {
        wishes->form = TF_WG_LOOPS;
        return;
    }
    wishes->width = lanes;
    wishes->width_given = wishes->lanes_preferred = true;
}

// Kept functions run one work-item.
static bool settle_calls(struct way *w)
{
    struct tf_wishes *const wishes = &w->wishes;

    if (!tf_wg_settle_calls(&w->wg, &w->item.calls))
        return false;
    if (!w->item.calls)
        return true;
    wishes->form = wishes->form == TF_WG_FIBERS ? TF_WG_FIBERS : TF_WG_LOOPS;
    wishes->lanes_forced = wishes->lanes_preferred = wishes->gang_fibers_forced = false;
    wishes->for_debugger = false;
    w->forms.form = wishes->form;
    snprintf(w->lanes.refusal, sizeof(w->lanes.refusal), "it calls functions");
    return true;
}

bool tf_wg_run(const struct tf_wg_in *in, struct tf_wg_out *out)
{
    struct tf_wg_notes notes = {0};
    struct way w = {.wg = {.module = in->module,
                           .kernel_name = in->kernel,
                           .wishes = &w.wishes,
                           .item = &w.item,
                           .lanes = &w.lanes,
                           .forms = &w.forms,
                           .checks = tf_check_is_on(),
                           .text = out->text,
                           .text_bytes = sizeof(out->text)},
                    .wishes = wishes_of(in),
                    .forms = {.form = in->form},
                    .steps = {.wg = &w.wg, .lanes = &w.lanes}};
    bool ok;

    w.wishes.notes = in->lines ? &notes : NULL;
    out->text[0] = '\0';
    tf_wg_init(&w.wg);
    out->times = (struct tf_wg_times){0};
    ok = find_kernel(&w.wg, &w.item);
    if (ok) {
        take_hint(&w.wishes, w.item.hint_lanes);
        ok = settle_calls(&w);
    }
    if (ok) {
        out->times.instructions = count_instructions(w.item.kernel);
        ok = run_passes(&w, &out->times);
    }
    tf_lane_steps_finish(&w.steps);
    give_out(&w, out);
    if (ok && in->lines)
        tf_wg_notes_write(&notes, in->lines);
    tf_wg_notes_finish(&notes);
    tf_free(w.item.args);
    LLVMDisposeBuilder(w.wg.builder);
    return ok;
}
