// SPDX-License-Identifier: MIT
// One kernel from bitcode to object: pick the kernel out of its program, give it its
// work-group form, retarget, optimize, emit, check.
#include "compiler/codegen/codegen.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include <llvm-c/BitReader.h>
#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Linker.h>
#include <llvm-c/Target.h>

#include "base/alloc.h"
#include "base/time.h"
#include "compiler/check/kernel_checks.h"
#include "compiler/clang/debug_info.h"
#include "compiler/clang/emitter.h"
#include "compiler/codegen/arithmetic/contraction.h"
#include "compiler/codegen/arithmetic/estimates.h"
#include "compiler/codegen/arithmetic/minima.h"
#include "compiler/codegen/arithmetic/ways.h"
#include "compiler/codegen/codegen_target.h"
#include "compiler/codegen/constants/scaled.h"
#include "compiler/codegen/constants/splats.h"
#include "compiler/codegen/convert/conversion.h"
#include "compiler/codegen/convert/directed.h"
#include "compiler/codegen/convert/long_conversion.h"
#include "compiler/codegen/convert/long_product.h"
#include "compiler/codegen/convert/masks.h"
#include "compiler/codegen/elements.h"
#include "compiler/codegen/huge.h"
#include "compiler/codegen/long_blocks.h"
#include "compiler/codegen/memory/forward.h"
#include "compiler/codegen/memory/gathers.h"
#include "compiler/codegen/memory/one_lane.h"
#include "compiler/codegen/memory/searches.h"
#include "compiler/codegen/memory/short_indices.h"
#include "compiler/codegen/object_seal.h"
#include "compiler/codegen/optimize.h"
#include "compiler/codegen/unroll_limit.h"
#include "compiler/front/frontend.h"
#include "compiler/ir/budget.h"
#include "compiler/ir/dump.h"
#include "compiler/ir/kernel_metadata.h"
#include "compiler/ir/llvm_version.h"
#include "compiler/job/crash.h"
#include "compiler/workgroup/check/check_gang.h"
#include "compiler/workgroup/pipeline.h"
#include "compiler/workgroup/target/target.h"

// Realignment of a frame for the widest vector type, and the return address.
// Checks write their messages where they are.
enum {
    FRAME_EXTRA_BYTES = 256,
    CALLEE_STACK_BYTES = 32 * 1024,
    CHECKS_STACK_BYTES = 64 * 1024,
};

struct job {
    const struct tf_generate_in *in;
    struct tf_generate_out *out;
    struct tf_str *log;
    LLVMContextRef context;
    LLVMModuleRef module;
    struct tf_machine *machine;
    enum tf_wg_code code;
    struct tf_wg_times times;
    bool for_debugger; // lines and variables go into the object
    bool lines;        // only the lines, into code like any other
    bool is_checked;   // it calls tf_checked_services.check
    bool failed;       // by a diagnostic
    bool no_memory;
};

// Frame sizes come as warnings of the form "stack frame size (N) exceeds limit (0) in
// ..", asked for by an attribute: LLVM-C has no other way to them.
static bool take_frame_size(struct job *job, const char *text)
{
    const char *report = strstr(text, "stack frame size ("); // after a source position
    unsigned long long bytes;

    if (!report || sscanf(report, "stack frame size (%llu)", &bytes) != 1)
        return false;
    job->out->stack_bytes += bytes + FRAME_EXTRA_BYTES;
    return true;
}

static void take_diagnostic(LLVMDiagnosticInfoRef info, void *user)
{
    struct job *job = user;
    const LLVMDiagnosticSeverity severity = LLVMGetDiagInfoSeverity(info);
    char *text;

    if (severity != LLVMDSError && severity != LLVMDSWarning)
        return;
    text = LLVMGetDiagInfoDescription(info);
    if (severity == LLVMDSError) {
        tf_str_printf(job->log, "error: %s\n", text);
        job->failed = true;
    } else if (!take_frame_size(job, text)) {
        tf_str_printf(job->log, "warning: %s\n", text);
    }
    LLVMDisposeMessage(text);
}

// Emitting changes the module: the text comes from a copy.
static void dump_assembly(const struct job *job)
{
    LLVMMemoryBufferRef text = NULL;
    LLVMModuleRef copy;
    char *message = NULL;

    if (!tf_dump_on(TF_DUMP_ASM))
        return;
    copy = LLVMCloneModule(job->module);
    if (LLVMTargetMachineEmitToMemoryBuffer(job->machine->llvm, copy, LLVMAssemblyFile,
                                            &message, &text)) {
        LLVMDisposeMessage(message);
    } else {
        fwrite(LLVMGetBufferStart(text), 1, LLVMGetBufferSize(text), stderr);
        LLVMDisposeMemoryBuffer(text);
    }
    LLVMDisposeModule(copy);
}

// Local definitions are linked only where something that is linked names them.
static void hide_others(LLVMModuleRef program, LLVMValueRef kernel)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(program); f; f = LLVMGetNextFunction(f)) {
        if (f != kernel && !LLVMIsDeclaration(f))
            LLVMSetLinkage(f, LLVMInternalLinkage);
    }
    for (LLVMValueRef g = LLVMGetFirstGlobal(program); g; g = LLVMGetNextGlobal(g)) {
        if (!LLVMIsDeclaration(g))
            LLVMSetLinkage(g, LLVMInternalLinkage);
    }
    LLVMSetLinkage(kernel, LLVMExternalLinkage);
}

// Bitcode, of which only what is needed is read, or text. NULL: it is not what it should
// be.
static LLVMModuleRef read_program(struct job *job)
{
    const struct tf_generate_in *in = job->in;
    LLVMModuleRef program = NULL;
    LLVMMemoryBufferRef buffer;
    char *message = NULL;

    if (!in->is_text) {
        buffer = LLVMCreateMemoryBufferWithMemoryRange(
            in->bitcode.data, in->bitcode.bytes, "program", false);
        if (LLVMGetBitcodeModuleInContext2(job->context, buffer, &program)) {
            LLVMDisposeMemoryBuffer(buffer);
            return NULL;
        }
        return program;
    }
    buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(in->bitcode.data,
                                                       in->bitcode.bytes, "program");
    if (LLVMParseIRInContext(job->context, buffer, &program, &message)) { // takes it
        tf_str_printf(job->log, "error: %s\n", message);
        LLVMDisposeMessage(message);
        return NULL;
    }
    return program;
}

static bool is_x86(const struct tf_generate_in *in)
{
    return strncmp(in->triple, "x86_64", strlen("x86_64")) == 0;
}

// Of reals to integers: all but x86 below AVX-512.
static bool has_unsigned_conversions(const struct tf_generate_in *in)
{
    return !is_x86(in) || in->vector_bits >= 512;
}

static struct tf_directed directed_conversions(const struct tf_generate_in *in)
{
    return (struct tf_directed){
        .float_to_half = is_x86(in) && in->vector_bits >= 256 && in->has_fma,
        .double_to_float = is_x86(in) && in->vector_bits >= 512,
    };
}

// Of vectors: all but x86 below AVX-512; below AVX2 roundings are missing, too.
static bool lacks_long_conversions(const struct tf_generate_in *in)
{
    return is_x86(in) && in->vector_bits == 256;
}

static bool permutes(const struct tf_generate_in *in)
{
    return is_x86(in) && in->vector_bits >= 256;
}

static bool blends_bytes(const struct tf_generate_in *in)
{
    return is_x86(in) && in->vector_bits >= 512 && in->has_fma;
}

// Of inverse roots.
static unsigned estimate_bits(const struct tf_generate_in *in)
{
    if (!is_x86(in))
        return 0;
    return in->vector_bits >= 512 ? 14 : 12;
}

// Of the levels with registers for masks.
static bool truncates_under_masks(const struct tf_generate_in *in)
{
    return is_x86(in) && in->vector_bits >= 512;
}

// Without registers for masks, blends and masked accesses go by signs.
static bool masks_by_signs(const struct tf_generate_in *in)
{
    return is_x86(in) && in->vector_bits == 256;
}

// Operations take vectors from memory, but not one element for all lanes.
static bool wants_whole_vectors(const struct tf_generate_in *in)
{
    return is_x86(in) && in->vector_bits == 256;
}

static bool has_metadata(LLVMModuleRef module, const char *name)
{
    return LLVMGetNamedMetadataNumOperands(module, name) > 0;
}

// Lanes and loops over work-items take variables apart: debuggers get work-items that are
// fibers, each with its own frame.
static bool is_for_debugger(const struct job *job)
{
    return TF_LLVM_HAS_DEBUG_RECORDS && job->in->form == TF_WG_FIBERS &&
           !job->is_checked && has_metadata(job->module, TF_DEBUG_FORM_METADATA) &&
           has_metadata(job->module, "llvm.dbg.cu");
}

// Reads the program lazily and links it into an empty module: only the kernel and what it
// names is parsed, however many kernels the program has.
static bool load_kernel(struct job *job)
{
    const struct tf_generate_in *in = job->in;
    const LLVMModuleRef program = read_program(job);
    LLVMValueRef kernel;

    if (!program)
        return false;
    kernel = LLVMGetNamedFunction(program, in->kernel);
    if (!kernel || LLVMIsDeclaration(kernel)) {
        tf_str_printf(job->log, "error: the program has no kernel %s\n", in->kernel);
        LLVMDisposeModule(program);
        return false;
    }
    hide_others(program, kernel);
    job->module = LLVMModuleCreateWithNameInContext(in->kernel, job->context);
    LLVMSetTarget(job->module, LLVMGetTarget(program));
    LLVMSetDataLayout(job->module, LLVMGetDataLayoutStr(program));
    if (LLVMLinkModules2(job->module, program)) // takes `program`
        return false;
    job->is_checked = tf_check_modes_of(job->module) != 0;
    if (job->is_checked &&
        !tf_kernel_checks_add(job->module, LLVMGetNamedFunction(job->module, in->kernel),
                              job->log))
        return false;
    job->for_debugger = is_for_debugger(job);
    job->lines = !job->for_debugger && has_metadata(job->module, TF_LINES_METADATA);
    if (job->lines)
        tf_debug_info_keep_lines(job->module,
                                 LLVMGetNamedFunction(job->module, in->kernel));
    else if (!in->report && !job->for_debugger) // whose lines come from it
        LLVMStripModuleDebugInfo(job->module);
    if (job->for_debugger)
        tf_debug_info_settle(job->module);
    tf_contraction_settle(job->module, in->has_fma);
    if (!tf_ways_decide(job->module, &(struct tf_ways){estimate_bits(in), in->has_fma},
                        job->log))
        return false;
    tf_long_product_settle(job->module);
    if (!has_unsigned_conversions(in))
        tf_conversion_settle(job->module);
    tf_unroll_limit(job->module);
    return !job->failed;
}

static char host_name[64];

static void find_host(void)
{
    char *const name = LLVMGetHostCPUName();

    snprintf(host_name, sizeof(host_name), "%s", name);
    LLVMDisposeMessage(name);
}

// Asked once: of some thirty questions to the processor each leaves a virtual machine.
static const char *host_cpu(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, find_host);
    return host_name;
}

static const char *model_of(const struct tf_generate_in *in)
{
    return in->tune ? in->tune : host_cpu();
}

// LLVM has none for levels of instructions without them, nor with AVX2, where they are
// slow; and some processors have only slow ones.
static bool lacks_gathers(const struct tf_generate_in *in)
{
    return is_x86(in) &&
           !tf_target_of(model_of(in), (unsigned)in->vector_bits).gathers_fast;
}

static bool form_group(struct job *job)
{
    struct tf_str lines = {0};
    const struct tf_wg_in in = {
        .module = job->module,
        .kernel = job->in->kernel,
        // The second attempt takes the form that needs least of LLVM.
        .form =
            job->in->plain && job->in->form != TF_WG_FIBERS ? TF_WG_LOOPS : job->in->form,
        .vector_bits = job->in->vector_bits,
        .cpu = model_of(job->in),
        .width = job->in->width,
        .pack_rows = job->in->pack_rows,
        .fixed_args = job->in->fixed_args,
        .fixed_arg_bytes = job->in->fixed_arg_bytes,
        .local_size = job->in->local_size,
        .for_debugger = job->for_debugger,
        .lines = job->in->report ? &lines : NULL,
    };
    struct tf_wg_out out;
    const bool ok = tf_wg_run(&in, &out);

    if (!ok) {
        tf_str_printf(job->log, "error: %s\n", out.text);
        return false;
    }
    job->out->form = out.form;
    if (job->in->report) {
        tf_str_printf(job->log, "kernel %s: %s\n%s", job->in->kernel, out.report,
                      lines.text ? lines.text : "");
        tf_str_finish(&lines);
        if (!job->for_debugger && !job->lines)
            LLVMStripModuleDebugInfo(job->module);
    }
    job->lines |= job->for_debugger && !out.for_debugger;
    job->for_debugger = out.for_debugger;
    job->code = out.code;
    job->times = out.times;
    job->out->scratch = out.scratch;
    job->out->fibers = out.fibers;
    job->out->fit = out.fit;
    tf_dump(TF_DUMP_WG, job->module);
    return true;
}

static bool optimize(struct job *job)
{
    const enum tf_optimize how = job->in->plain   ? TF_OPTIMIZE_NOTHING
                                 : job->in->quick ? TF_OPTIMIZE_QUICKLY
                                                  : TF_OPTIMIZE_FULLY;

    tf_crash_step("optimization");
    if (!tf_codegen_optimize(job->module, job->machine->llvm, how, job->code, job->log) ||
        job->failed)
        return false;
    if (job->in->budget_ms && tf_codegen_is_huge(job->module, job->in->vector_bits)) {
        tf_str_add(job->log, "error: takes too long to optimize: too much code\n");
        return false;
    }
    tf_conversion_widen_roundings(job->module);
    tf_directed_settle(job->module, directed_conversions(job->in));
    tf_estimates_settle(job->module, estimate_bits(job->in));
    if (lacks_long_conversions(job->in))
        tf_long_conversion_settle(job->module);
    if (how == TF_OPTIMIZE_FULLY && permutes(job->in))
        tf_elements_settle(job->module, (unsigned)job->in->vector_bits);
    if (how == TF_OPTIMIZE_FULLY && blends_bytes(job->in))
        tf_scaled_settle(job->module);
    if (how == TF_OPTIMIZE_FULLY &&
        (job->code == TF_WG_PARTS || job->code == TF_WG_STEPS))
        tf_forward_settle(job->module);
    if (how == TF_OPTIMIZE_FULLY && lacks_gathers(job->in))
        tf_gathers_settle(job->module, job->in->vector_bits >= 512);
    if (how == TF_OPTIMIZE_FULLY && job->code == TF_WG_ITEMS)
        tf_searches_settle(job->module);
    if (truncates_under_masks(job->in))
        tf_one_lane_settle(job->module);
    if (how == TF_OPTIMIZE_FULLY)
        tf_short_indices_settle(job->module);
    if (how == TF_OPTIMIZE_FULLY && is_x86(job->in))
        tf_minima_settle(job->module);
    if (how == TF_OPTIMIZE_FULLY && masks_by_signs(job->in))
        tf_masks_settle(job->module, (unsigned)job->in->vector_bits);
    if (how == TF_OPTIMIZE_FULLY && wants_whole_vectors(job->in))
        tf_splats_settle(job->module);
    if (how == TF_OPTIMIZE_FULLY && !job->for_debugger)
        tf_long_blocks_cut(job->module);
    if (tf_budget_is_spent())
        tf_str_printf(job->log, "note: optimization was cut short after %u ms\n",
                      (unsigned)job->in->budget_ms);
    return true;
}

static bool emit(struct job *job)
{
    struct tf_compiler_bytes *object = &job->out->object;
    const void *made;
    bool ok;

    tf_crash_step("machine code");
    tf_codegen_calm_shuffles(job->module, job->in);
    if (job->lines)
        tf_debug_info_own_lines(job->module);
    dump_assembly(job);
    job->out->stack_bytes =
        CALLEE_STACK_BYTES + (job->is_checked ? CHECKS_STACK_BYTES : 0);
    made = tf_emitter_object(job->machine->emitter, job->module, &object->bytes);
    object->data = tf_memdup(made, object->bytes);
    job->no_memory = !object->data;
    ok = !job->failed && object->data &&
         tf_object_seal(object->data, object->bytes, job->log);
    if (!ok) {
        tf_free(object->data);
        *object = (struct tf_compiler_bytes){0};
    }
    return ok;
}

// One line, in microseconds, for scripts.
static void write_times(const struct job *job, const uint64_t at_ns[5])
{
    const struct tf_wg_times *t = &job->times;

    tf_str_printf(
        job->log,
        "times %s: instructions %u, fixpoints %u, load %.0f, form %.0f (llvm %.0f",
        job->in->kernel, t->instructions, t->fixpoints, (at_ns[1] - at_ns[0]) / 1e3,
        (at_ns[2] - at_ns[1]) / 1e3, t->llvm_ns / 1e3);
    for (size_t i = 0; i < sizeof(t->passes) / sizeof(t->passes[0]); i++) {
        if (t->passes[i].name)
            tf_str_printf(job->log, ", %s %.0f", t->passes[i].name,
                          t->passes[i].own_ns / 1e3);
    }
    tf_str_printf(job->log, "), optimize %.0f, emit %.0f us\n",
                  (at_ns[3] - at_ns[2]) / 1e3, (at_ns[4] - at_ns[3]) / 1e3);
}

static bool run(struct job *job)
{
    uint64_t at_ns[5] = {tf_time_cpu_ns()};

    if (!load_kernel(job))
        return false;
    at_ns[1] = tf_time_cpu_ns();
    if (!form_group(job))
        return false;
    // The emitter of one that was used before holds what it knew of other programs'
    // lines.
    job->machine = job->for_debugger || job->lines
                       ? tf_codegen_new_machine(job->in, job->log)
                       : tf_codegen_take_machine(job->in, job->log);
    if (!job->machine)
        return false;
    tf_codegen_retarget(job->module, job->machine, job->in);
    at_ns[2] = tf_time_cpu_ns();
    if (!optimize(job))
        return false;
    at_ns[3] = tf_time_cpu_ns();
    if (!emit(job))
        return false;
    at_ns[4] = tf_time_cpu_ns();
    if (job->in->times)
        write_times(job, at_ns);
    return true;
}

enum tf_compiler_status tf_codegen_kernel(const struct tf_generate_in *in,
                                          struct tf_generate_out *out, struct tf_str *log)
{
    struct job job = {.in = in, .out = out, .log = log};
    bool ok;

    tf_budget_begin((uint64_t)in->budget_ms * 1000000);
    *out = (struct tf_generate_out){.form = in->form};
    job.context = LLVMContextCreate();
    // As in front/llvm_init.c. Text is read with names only, the checks go by some.
    LLVMContextSetDiscardValueNames(job.context, !in->is_text && !tf_dump_any_on() &&
                                                     !tf_check_is_on());
    LLVMContextSetDiagnosticHandler(job.context, take_diagnostic, &job);
    ok = run(&job);
    tf_budget_end();
    if (job.for_debugger || job.lines)
        tf_codegen_free_machine(job.machine);
    else
        tf_codegen_keep_machine(job.machine);
    if (job.module)
        LLVMDisposeModule(job.module);
    LLVMContextDispose(job.context);
    if (!ok)
        return job.no_memory ? TF_COMPILER_NO_MEMORY : TF_COMPILER_INTERNAL;
    return TF_COMPILER_OK;
}
