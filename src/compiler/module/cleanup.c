// SPDX-License-Identifier: MIT
#include "compiler/module/cleanup.h"

#include <string.h>

#include <llvm-c/Analysis.h>
#include <llvm-c/Core.h>
#include <llvm-c/Error.h>

#include "compiler/front/build_log.h"
#include "compiler/front/frontend.h"
#include "compiler/ir/call_graph.h"
#include "compiler/ir/flow/known_ways.h"
#include "compiler/ir/flow/merged_stores.h"
#include "compiler/ir/ir_util.h"
#include "compiler/ir/passes.h"
#include "compiler/ir/roots.h"
#include "compiler/lower/events.h"
#include "compiler/lower/kept/kept_functions.h"
#include "compiler/lower/spaces.h"
#include "compiler/module/kernel_bodies.h"

// Inlining copies; a program may ask for 2^n copies with n functions.
#define MAX_KERNEL_INSTRUCTIONS 4000000

// Bottom up, each function made small before its callers take it in; not the kernels,
// which come next. GVN is left to code generation: its cost grows with the square of a
// long kernel.
static const char take_in[] =
    "cgscc(inline<only-mandatory>,function<eager-inv>("
    "sroa<modify-cfg>,early-cse,simplifycfg,instcombine<no-verify-fixpoint>))";
static const char optimize[] =
    "always-inline,globaldce,function("
    "sroa<modify-cfg>,early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>,"
    "early-cse<memssa>,adce,simplifycfg),"
    "globaldce,strip-dead-prototypes";
// Behind changes of our own, and between rounds of tf_spaces_resolve().
static const char simplify[] =
    "function(sroa<modify-cfg>,early-cse<memssa>,instcombine<no-verify-fixpoint>,"
    "simplifycfg,adce),globaldce,strip-dead-prototypes";
static const char keep_shape[] = "always-inline,globaldce,strip-dead-prototypes";

// They touch no memory, but who comes there is part of the result: they may not be moved
// to where others do.
static void describe_sub_group_roots(LLVMModuleRef module)
{
    TF_FOR_EACH_FUNCTION(f, module)
    {
        const enum tf_root root = tf_root_named(tf_ir_name(f));

        if (!tf_root_is_sub_group(root) || root <= TF_ROOT_SUB_GROUP_LANE)
            continue;
        tf_ir_add_attribute(f, "convergent");
        tf_ir_add_attribute(f, "nounwind");
        tf_ir_add_attribute(f, "willreturn");
        if (root != TF_ROOT_SUB_GROUP_BARRIER)
            tf_ir_add_attribute(f, "memory");
    }
}

// What LLVM may assume of the roots. Set here for all: their declarations come from
// OpenCL C, where every function counts as convergent.
static void describe_roots(LLVMModuleRef module)
{
    static const enum tf_root pure[] = {
        TF_ROOT_LOCAL_ID,        TF_ROOT_GLOBAL_ID,    TF_ROOT_LAUNCH,
        TF_ROOT_WORKER,          TF_ROOT_GROUP,        TF_ROOT_SPACE,
        TF_ROOT_SUB_GROUP_WIDTH, TF_ROOT_SUB_GROUP_ID, TF_ROOT_SUB_GROUP_LANE,
        TF_ROOT_ESTIMATE_BITS,   TF_ROOT_HAS_FMA};
    static const char *const given[] = {"nounwind", "willreturn",   "nosync",
                                        "nofree",   "speculatable", "memory"};

    for (size_t i = 0; i < sizeof pure / sizeof *pure; i++) {
        const LLVMValueRef root = LLVMGetNamedFunction(module, tf_root_name(pure[i]));

        if (!root)
            continue;
        tf_ir_remove_attribute(root, "convergent");
        for (size_t k = 0; k < sizeof given / sizeof *given; k++)
            tf_ir_add_attribute(root, given[k]);
        for (LLVMUseRef use = LLVMGetFirstUse(root); use; use = LLVMGetNextUse(use)) {
            const LLVMValueRef call = LLVMGetUser(use);

            if (LLVMIsACallInst(call))
                LLVMRemoveCallSiteEnumAttribute(
                    call, LLVMAttributeFunctionIndex,
                    LLVMGetEnumAttributeKindForName("convergent", strlen("convergent")));
        }
    }
    static const enum tf_root single[] = {TF_ROOT_BARRIER, TF_ROOT_NAMED_BARRIER};
    for (size_t i = 0; i < sizeof single / sizeof *single; i++) {
        const LLVMValueRef root = LLVMGetNamedFunction(module, tf_root_name(single[i]));

        if (!root)
            continue;
        tf_ir_add_attribute(root, "convergent");
        tf_ir_add_attribute(root, "noduplicate");
        tf_ir_add_attribute(root, "nounwind");
    }
    describe_sub_group_roots(module);
}

static void allow_inlining(LLVMValueRef function)
{
    static const char *const against[] = {"noinline", "optnone", "naked",
                                          "optsize",  "minsize", "noreturn"};
    const unsigned noinline =
        LLVMGetEnumAttributeKindForName("noinline", strlen("noinline"));

    for (size_t i = 0; i < sizeof against / sizeof *against; i++)
        tf_ir_remove_attribute(function, against[i]);
    if (!tf_ir_is_kernel(function)) {
        LLVMSetLinkage(function, LLVMInternalLinkage);
        tf_ir_add_attribute(function, "alwaysinline");
    }
    LLVMSetSection(function, NULL);
    TF_FOR_EACH_INSTRUCTION(inst, function)
    {
        if (tf_ir_is_call(inst))
            LLVMRemoveCallSiteEnumAttribute(inst, LLVMAttributeFunctionIndex, noinline);
    }
}

static enum tf_compiler_status check_sizes(const struct tf_call_graph *graph,
                                           const struct tf_compile_in *source,
                                           struct tf_str *log)
{
    enum tf_compiler_status status = TF_COMPILER_OK;

    for (size_t i = 0; i < graph->node_count; i++) {
        const struct tf_call_node *const node = &graph->nodes[i];

        if (!tf_ir_is_kernel(node->function) || node->inlined <= MAX_KERNEL_INSTRUCTIONS)
            continue;
        tf_build_log_kernel_error(log, source, tf_ir_name(node->function),
                                  "kernel '%s' is too large: %llu instructions",
                                  tf_ir_name(node->function),
                                  (unsigned long long)node->inlined);
        status = TF_COMPILER_BAD_SOURCE;
    }
    return status;
}

// Settles what is inlined: all, but in very large kernels.
static enum tf_compiler_status settle_calls(LLVMModuleRef module,
                                            const struct tf_compile_in *source,
                                            struct tf_str *log)
{
    struct tf_call_graph graph;
    enum tf_compiler_status status;

    if (!tf_call_graph_init(&graph, module))
        return TF_COMPILER_NO_MEMORY;
    status = tf_kept_functions_mark(module, &graph) ? check_sizes(&graph, source, log)
                                                    : TF_COMPILER_NO_MEMORY;
    tf_call_graph_finish(&graph);
    return status;
}

// Each kernel is verified before its code is made (workgroup/pipeline.c); here where a
// fault shall be found near its cause.
static enum tf_compiler_status verify(LLVMModuleRef module, struct tf_str *log)
{
    enum tf_compiler_status status = TF_COMPILER_OK;
#ifdef TF_DEBUG
    char *text = NULL;

    if (LLVMVerifyModule(module, LLVMReturnStatusAction, &text)) {
        tf_build_log_error(log, NULL, "clean-up made an invalid module: %s", text);
        status = TF_COMPILER_INTERNAL;
    }
    LLVMDisposeMessage(text);
#else
    (void)module;
    (void)log;
#endif
    return status;
}

#define OTHER_TYPES "tf.other-types" // of a function whose calls have other types

// Parts of a program may not agree about a function that one of them calls. LLVM's passes
// leave such calls, but may give them the right types.
static void mark_other_types(LLVMValueRef function)
{
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
        const LLVMValueRef call = LLVMGetUser(use);

        if (LLVMIsACallInst(call) && LLVMGetCalledValue(call) == function &&
            LLVMGetCalledFunctionType(call) != LLVMGlobalGetValueType(function))
            LLVMAddTargetDependentFunctionAttr(function, OTHER_TYPES, "");
    }
}

// After the passes: nothing is left to call but roots, intrinsics and kept functions.
static enum tf_compiler_status check_result(LLVMModuleRef module, struct tf_str *log)
{
    enum tf_compiler_status status = TF_COMPILER_OK;

    TF_FOR_EACH_FUNCTION(f, module)
    {
        if (tf_ir_is_kernel(f) || tf_ir_is_intrinsic(f) || !LLVMGetFirstUse(f) ||
            tf_root_named(tf_ir_name(f)) || tf_kept_function(f))
            continue;
        if (LLVMGetStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, OTHER_TYPES,
                                          sizeof OTHER_TYPES - 1)) {
            tf_build_log_error(log, NULL,
                               "function '%s' has other types where it is called",
                               tf_ir_name(f));
            if (status == TF_COMPILER_OK)
                status = TF_COMPILER_BAD_SOURCE;
            continue;
        }
        tf_build_log_error(log, NULL, "function '%s' could not be inlined",
                           tf_ir_name(f));
        status = TF_COMPILER_INTERNAL;
    }
    return status == TF_COMPILER_OK ? verify(module, log) : status;
}

static enum tf_compiler_status run_passes(LLVMModuleRef module, const char *passes,
                                          struct tf_str *log)
{
    char *const text = tf_ir_run_passes(module, passes, NULL);

    if (!text)
        return TF_COMPILER_OK;
    tf_build_log_error(log, NULL, "clean-up: %s", text);
    LLVMDisposeErrorMessage(text);
    return TF_COMPILER_INTERNAL;
}

// LLVM's passes leave such functions alone; what they call is inlined all the same.
static void set_apart_kernels(LLVMModuleRef module, bool apart)
{
    TF_FOR_EACH_FUNCTION(f, module)
    {
        if (!tf_ir_is_kernel(f))
            continue;
        if (apart)
            tf_ir_add_attribute(f, "optnone");
        else
            tf_ir_remove_attribute(f, "optnone");
    }
}

// A change of functions, and LLVM's passes behind it if there was any.
static enum tf_compiler_status change(LLVMModuleRef module, bool (*pass)(LLVMValueRef fn),
                                      struct tf_str *log)
{
    bool any = false;

    TF_FOR_EACH_FUNCTION(f, module)
    {
        if (!LLVMIsDeclaration(f))
            any |= pass(f);
    }
    return any ? run_passes(module, simplify, log) : TF_COMPILER_OK;
}

static enum tf_compiler_status inline_all(LLVMModuleRef module, struct tf_str *log)
{
    enum tf_compiler_status status;

    set_apart_kernels(module, true);
    status = run_passes(module, take_in, log);
    set_apart_kernels(module, false);
    if (status == TF_COMPILER_OK)
        status = run_passes(module, optimize, log);
    if (status == TF_COMPILER_OK)
        status = change(module, tf_ir_take_known_ways, log);
    return status == TF_COMPILER_OK ? change(module, tf_ir_merge_stores, log) : status;
}

enum tf_compiler_status tf_cleanup(LLVMModuleRef module,
                                   const struct tf_compile_in *source, struct tf_str *log)
{
    enum { MAX_ROUNDS = 4 };
    const bool debug_form =
        LLVMGetNamedMetadataNumOperands(module, TF_DEBUG_FORM_METADATA) > 0;
    enum tf_compiler_status status;

    tf_kernel_bodies_join(module);
    describe_roots(module);
    TF_FOR_EACH_FUNCTION(f, module)
    {
        if (!LLVMIsDeclaration(f)) {
            allow_inlining(f);
            mark_other_types(f);
        }
    }
    status = settle_calls(module, source, log);
    if (status == TF_COMPILER_OK)
        status =
            debug_form ? run_passes(module, keep_shape, log) : inline_all(module, log);
    if (status == TF_COMPILER_OK)
        tf_events_remove(module);
    for (int i = 0; status == TF_COMPILER_OK && !debug_form && i < MAX_ROUNDS; i++) {
        if (!tf_spaces_resolve(module))
            break;
        status = run_passes(module, simplify, log);
    }
    return status == TF_COMPILER_OK ? check_result(module, log) : status;
}
