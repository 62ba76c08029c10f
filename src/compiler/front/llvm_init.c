// SPDX-License-Identifier: MIT
#include "compiler/front/llvm_init.h"

#include <pthread.h>

#include <llvm-c/Core.h>
#include <llvm-c/ErrorHandling.h>
#include <llvm-c/Support.h>
#include <llvm-c/Target.h>

#include "compiler/clang/clang_frontend.h"
#include "compiler/ir/dump.h"
#include "compiler/job/compile_job.h"

static void leave_on_fatal(const char *reason)
{
    tf_compile_job_leave(TF_COMPILER_INTERNAL, "error: compiler failure: %s\n", reason);
}

static void leave_without_memory(void)
{
    tf_compile_job_leave(TF_COMPILER_NO_MEMORY, "error: out of memory\n");
}

// Options of LLVM are the process's: only a copy of our own may have some.
static void set_options(void)
{
#ifdef TF_LLVM_IS_OURS
    // Part of the lists of codegen/optimize.c, where it pays.
    static const char *const words[] = {"trefoil", "-disable-lsr"};

    LLVMParseCommandLineOptions(2, words, "");
#endif
}

static void init_once(void)
{
    set_options();
    LLVMInitializeNativeTarget();
    LLVMInitializeNativeAsmPrinter();
    LLVMInstallFatalErrorHandler(leave_on_fatal);
    tf_clang_on_no_memory(leave_without_memory);
}

void tf_llvm_init(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, init_once);
}

static void take_diagnostic(LLVMDiagnosticInfoRef info, void *user)
{
    struct tf_llvm_diagnostics *const diagnostics = user;
    const LLVMDiagnosticSeverity severity = LLVMGetDiagInfoSeverity(info);

    if (severity != LLVMDSError && severity != LLVMDSWarning)
        return;
    char *const text = LLVMGetDiagInfoDescription(info);
    tf_str_printf(diagnostics->log, "%s: %s\n",
                  severity == LLVMDSError ? "error" : "warning", text);
    LLVMDisposeMessage(text);
    if (severity == LLVMDSError)
        diagnostics->failed = true;
}

LLVMContextRef tf_llvm_context(struct tf_llvm_diagnostics *diagnostics)
{
    const LLVMContextRef context = LLVMContextCreate();

    // Names of values are for readers: 7 % of the time of a small kernel.
    LLVMContextSetDiscardValueNames(context, !tf_dump_any_on());
    // Without a handler LLVM calls exit(1) at the first error.
    LLVMContextSetDiagnosticHandler(context, take_diagnostic, diagnostics);
    return context;
}
