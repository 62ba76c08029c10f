// SPDX-License-Identifier: MIT
#include "compiler/codegen/codegen_target.h"

#include <stdio.h>
#include <string.h>

#include <llvm-c/Core.h>

#include "base/alloc.h"
#include "base/thread.h"
#include "compiler/clang/emitter.h"
#include "compiler/ir/ir_util.h"
#include "compiler/ir/passes.h"

// ---- machines that are kept

// A machine finds its subtarget again by the attributes of a function; a new one for each
// kernel costs 2 ms. As many as compile at a time are kept.
enum { MAX_KEPT = 16 };

static struct {
    struct tf_mutex lock;
    struct tf_machine *first TF_GUARDED_BY(&lock);
    unsigned count TF_GUARDED_BY(&lock);
} kept = {.lock = TF_MUTEX_INITIALIZER(TF_RANK_LEAF)};

// Whether code is to be fast: without that, LLVM's quick instruction selection.
static bool is_fast(const struct tf_generate_in *in)
{
    return !in->plain && !in->quick;
}

static bool fits(const struct tf_machine *machine, const struct tf_generate_in *in)
{
    return machine->is_fast == is_fast(in) && !strcmp(machine->triple, in->triple) &&
           !strcmp(machine->cpu, in->cpu) && !strcmp(machine->features, in->features);
}

static struct tf_machine *take_kept(const struct tf_generate_in *in)
{
    struct tf_machine **at, *machine = NULL;

    tf_lock(&kept.lock);
    for (at = &kept.first; *at && !fits(*at, in); at = &(*at)->next) {
    }
    if (*at) {
        machine = *at;
        *at = machine->next;
        kept.count--;
    }
    tf_unlock(&kept.lock);
    return machine;
}

void tf_codegen_free_machine(struct tf_machine *machine)
{
    if (!machine)
        return;
    tf_emitter_free(machine->emitter);
    if (machine->llvm) {
        tf_ir_forget_machine(machine->llvm);
        LLVMDisposeTargetMachine(machine->llvm);
    }
    if (machine->layout)
        LLVMDisposeTargetData(machine->layout);
    tf_free(machine->triple);
    tf_free(machine->cpu);
    tf_free(machine->features);
    tf_free(machine);
}

static LLVMTargetMachineRef make_llvm(const struct tf_generate_in *in, struct tf_str *log)
{
    const LLVMCodeGenOptLevel level =
        is_fast(in) ? LLVMCodeGenLevelDefault : LLVMCodeGenLevelNone;
    LLVMTargetMachineRef machine;
    LLVMTargetRef target;
    char *message = NULL;

    if (LLVMGetTargetFromTriple(in->triple, &target, &message)) {
        tf_str_printf(log, "error: target %s: %s\n", in->triple, message);
        LLVMDisposeMessage(message);
        return NULL;
    }
    machine = LLVMCreateTargetMachine(target, in->triple, in->cpu, in->features, level,
                                      LLVMRelocPIC, LLVMCodeModelSmall);
    if (!machine)
        tf_str_printf(log, "error: target %s: no code generator for %s\n", in->triple,
                      in->cpu);
    return machine;
}

struct tf_machine *tf_codegen_new_machine(const struct tf_generate_in *in,
                                          struct tf_str *log)
{
    struct tf_machine *machine = tf_zalloc(sizeof(*machine));

    if (!machine)
        return NULL;
    machine->is_fast = is_fast(in);
    machine->triple = tf_strdup(in->triple);
    machine->cpu = tf_strdup(in->cpu);
    machine->features = tf_strdup(in->features);
    if (machine->triple && machine->cpu && machine->features)
        machine->llvm = make_llvm(in, log);
    if (machine->llvm)
        machine->emitter = tf_emitter_new(machine->llvm);
    if (!machine->emitter) {
        tf_codegen_free_machine(machine);
        return NULL;
    }
    machine->layout = LLVMCreateTargetDataLayout(machine->llvm);
    return machine;
}

struct tf_machine *tf_codegen_take_machine(const struct tf_generate_in *in,
                                           struct tf_str *log)
{
    struct tf_machine *machine = take_kept(in);

    return machine ? machine : tf_codegen_new_machine(in, log);
}

void tf_codegen_keep_machine(struct tf_machine *machine)
{
    bool keep;

    if (!machine)
        return;
    tf_lock(&kept.lock);
    keep = kept.count < MAX_KEPT;
    if (keep) {
        machine->next = kept.first;
        kept.first = machine;
        kept.count++;
    }
    tf_unlock(&kept.lock);
    if (!keep)
        tf_codegen_free_machine(machine);
}

// ---- a module for the machine

static void add_text_attr(LLVMValueRef fn, const char *name, const char *value)
{
    const LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(fn));

    LLVMAddAttributeAtIndex(fn, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                            LLVMCreateStringAttribute(context, name,
                                                      (unsigned)strlen(name), value,
                                                      (unsigned)strlen(value)));
}

static bool has_attr(LLVMValueRef fn, const char *name)
{
    return LLVMGetStringAttributeAtIndex(fn,
                                         (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                         name, (unsigned)strlen(name)) != NULL;
}

static void add_machine_attrs(LLVMValueRef fn, const struct tf_generate_in *in)
{
    char width[16];

    snprintf(width, sizeof(width), "%u", (unsigned)in->vector_bits);
    add_text_attr(fn, "target-cpu", in->cpu);
    add_text_attr(fn, "target-features", in->features);
    // Both: without the second, the first makes wider types illegal and splits them. The
    // work-group form may have found less to be enough (workgroup/plan/stream.c).
    if (!has_attr(fn, "min-legal-vector-width")) {
        add_text_attr(fn, "prefer-vector-width", width);
        add_text_attr(fn, "min-legal-vector-width", width);
    }
    // Frames above a page touch each page in order, so that a guard page catches
    // overflow.
    add_text_attr(fn, "probe-stack", "inline-asm");
    add_text_attr(fn, "frame-pointer", "none");
    // Estimates of 1/x with a step of Newton's err by 3 ulp: more than 2.5, which
    // -cl-fast-relaxed-math allows a division, and are hardly faster than dividing.
    add_text_attr(fn, "reciprocal-estimates", "none");
    // No guessing that a loop means strlen or memcmp: kernels have no C library.
    add_text_attr(fn, "no-builtins", "");
    // Makes the code generator report the size of every frame (codegen.c reads it).
    add_text_attr(fn, "warn-stack-size", "0");
}

void tf_codegen_retarget(LLVMModuleRef module, const struct tf_machine *machine,
                         const struct tf_generate_in *in)
{
    LLVMSetTarget(module, in->triple);
    LLVMSetModuleDataLayout(module, machine->layout);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        if (!LLVMIsDeclaration(f))
            add_machine_attrs(f, in);
    }
}

// ---- a loop without end in LLVM

static bool is_odd_vector(LLVMTypeRef type)
{
    unsigned count;

    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind ||
        LLVMGetTypeKind(LLVMGetElementType(type)) != LLVMIntegerTypeKind)
        return false;
    count = LLVMGetVectorSize(type);
    return count > 16 && (count & (count - 1)) != 0 &&
           LLVMGetIntTypeWidth(LLVMGetElementType(type)) <= 16;
}

static bool has_odd_vectors(LLVMValueRef fn)
{
    TF_FOR_EACH_INSTRUCTION(i, fn)
    {
        if (is_odd_vector(LLVMTypeOf(i)))
            return true;
    }
    return false;
}

void tf_codegen_calm_shuffles(LLVMModuleRef module, const struct tf_generate_in *in)
{
    char features[512];

    snprintf(features, sizeof(features), "%s%s-fast-variable-crosslane-shuffle",
             in->features, in->features[0] ? "," : "");
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        if (strncmp(in->triple, "x86_64", strlen("x86_64")) != 0 ||
            LLVMIsDeclaration(f) || !has_odd_vectors(f))
            continue;
        add_text_attr(f, "target-features", features);
    }
}
