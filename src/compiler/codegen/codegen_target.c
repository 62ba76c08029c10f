// SPDX-License-Identifier: MIT
#include "compiler/codegen/codegen_target.h"

#include <stdio.h>
#include <string.h>

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

LLVMTargetMachineRef tf_codegen_machine(const struct tf_generate_in *in,
                                        struct tf_str *log)
{
    const LLVMCodeGenOptLevel level =
        in->plain ? LLVMCodeGenLevelNone : LLVMCodeGenLevelDefault;
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

void tf_codegen_retarget(LLVMModuleRef module, LLVMTargetMachineRef machine,
                         const struct tf_generate_in *in)
{
    const LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(machine);

    LLVMSetTarget(module, in->triple);
    LLVMSetModuleDataLayout(module, layout);
    LLVMDisposeTargetData(layout);
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
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(fn); b;
         b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
             i = LLVMGetNextInstruction(i)) {
            if (is_odd_vector(LLVMTypeOf(i)))
                return true;
        }
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
