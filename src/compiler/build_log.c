// SPDX-License-Identifier: MIT
#include "compiler/build_log.h"

#include <stdarg.h>
#include <stdio.h>

#include <llvm-c/Core.h>

void tf_build_log_error(struct tf_str *log, LLVMValueRef at, const char *fmt, ...)
{
    char text[400];
    unsigned line = 0, bytes = 0;
    va_list args;

    if (at && (LLVMIsAInstruction(at) || LLVMIsAFunction(at)))
        line = LLVMGetDebugLocLine(at);
    if (line) {
        const char *const file = LLVMGetDebugLocFilename(at, &bytes);
        const unsigned column = LLVMIsAInstruction(at) ? LLVMGetDebugLocColumn(at) : 1;

        tf_str_printf(log, "%.*s:%u:%u: ", (int)bytes, file ? file : "", line, column);
    }
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    tf_str_printf(log, "error: %s\n", text);
}
