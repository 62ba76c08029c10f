// SPDX-License-Identifier: MIT
#include "compiler/front/build_log.h"

#include <stdarg.h>
#include <stdio.h>

#include <llvm-c/Core.h>

#include "compiler/front/frontend.h"
#include "compiler/front/llvm_init.h"

// Adds "file:line:column: " if `at` knows.
static void add_position(struct tf_str *log, LLVMValueRef at)
{
    unsigned line = 0, bytes = 0;

    if (at && (LLVMIsAInstruction(at) || LLVMIsAFunction(at)))
        line = LLVMGetDebugLocLine(at);
    if (line) {
        const char *const file = LLVMGetDebugLocFilename(at, &bytes);
        const unsigned column = LLVMIsAInstruction(at) ? LLVMGetDebugLocColumn(at) : 1;

        tf_str_printf(log, "%.*s:%u:%u: ", (int)bytes, file ? file : "", line, column);
    }
}

TF_PRINTF(2, 0)
static void add_text(struct tf_str *log, const char *fmt, va_list args)
{
    char text[400];

    vsnprintf(text, sizeof text, fmt, args);
    tf_str_printf(log, "error: %s\n", text);
}

void tf_build_log_error(struct tf_str *log, LLVMValueRef at, const char *fmt, ...)
{
    va_list args;

    add_position(log, at);
    va_start(args, fmt);
    add_text(log, fmt, args);
    va_end(args);
}

void tf_build_log_kernel_error(struct tf_str *log, const struct tf_compile_in *source,
                               const char *kernel, const char *fmt, ...)
{
    va_list args;

    if (source) {
        struct tf_str ignored = {0};
        struct tf_llvm_diagnostics diagnostics = {.log = &ignored};
        const LLVMContextRef context = tf_llvm_context(&diagnostics);
        enum tf_compiler_status status;
        const LLVMModuleRef module =
            tf_frontend_module(context, source, true, NULL, &status, &ignored);

        if (module) {
            add_position(log, LLVMGetNamedFunction(module, kernel));
            LLVMDisposeModule(module);
        }
        LLVMContextDispose(context);
        tf_str_finish(&ignored);
    }
    va_start(args, fmt);
    add_text(log, fmt, args);
    va_end(args);
}
