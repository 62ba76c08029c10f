// SPDX-License-Identifier: MIT
#include "compiler/front/pipe_types.h"

#include <string.h>

#include <llvm-c/Core.h>
#include <llvm-c/IRReader.h>

#include "base/alloc.h"
#include "base/log.h"
#include "base/str.h"
#include "compiler/ir/ir_util.h"

static const struct {
    const char *text; // as LLVM prints it, up to the closing bracket
    const char *plain;
} types[] = {
    {"target(\"spirv.Pipe\"", "ptr addrspace(1)"},
    {"target(\"spirv.ReserveId\"", "i64"},
};

static bool is_pipe_type(LLVMTypeRef type)
{
    const char *name;

    if (LLVMGetTypeKind(type) != LLVMTargetExtTypeKind)
        return false;
    name = LLVMGetTargetExtTypeName(type);
    return !strcmp(name, "spirv.Pipe") || !strcmp(name, "spirv.ReserveId");
}

// Values of these types come from parameters and calls only.
static bool names_pipe_type(LLVMTypeRef function)
{
    const unsigned count = LLVMCountParamTypes(function);
    LLVMTypeRef params[256];

    if (is_pipe_type(LLVMGetReturnType(function)))
        return true;
    if (count > sizeof params / sizeof *params)
        return true; // rare: let the text tell
    LLVMGetParamTypes(function, params);
    for (unsigned i = 0; i < count; i++)
        if (is_pipe_type(params[i]))
            return true;
    return false;
}

static bool uses_pipes(LLVMModuleRef module)
{
    TF_FOR_EACH_FUNCTION(f, module)
    {
        if (names_pipe_type(LLVMGlobalGetValueType(f)))
            return true;
    }
    return false;
}

// Adds the text with plain types in place of the opaque ones. No string of the program
// looks like one: quotes are escaped there.
static void add_plain(struct tf_str *out, const char *text)
{
    while (*text) {
        const char *at = NULL, *plain = NULL;

        for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
            const char *const found = strstr(text, types[i].text);

            if (found && (!at || found < at)) {
                at = found;
                plain = types[i].plain;
            }
        }
        if (!at) {
            tf_str_add(out, text);
            return;
        }
        tf_str_add_bytes(out, text, (size_t)(at - text));
        tf_str_add(out, plain);
        text = strchr(at, ')') + 1;
    }
}

// Types of values cannot be changed in place, and nothing in LLVM-C copies a module with
// other types: it goes through its text. Programs with pipes are rare.
LLVMModuleRef tf_pipe_types_plain(LLVMContextRef context, LLVMModuleRef module)
{
    struct tf_str plain = {0};
    LLVMModuleRef result = NULL;
    LLVMMemoryBufferRef buffer;
    char *text, *bytes, *message = NULL;

    if (!uses_pipes(module))
        return module;
    text = LLVMPrintModuleToString(module);
    LLVMDisposeModule(module);
    add_plain(&plain, text);
    LLVMDisposeMessage(text);
    bytes = tf_str_take(&plain);
    if (!bytes)
        return NULL;
    buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(bytes, strlen(bytes), "pipes");
    tf_free(bytes);
    if (LLVMParseIRInContext(context, buffer, &result, &message)) { // takes the buffer
        tf_log(TF_LOG_ERROR, "a program with pipes: %s", message);
        result = NULL;
    }
    LLVMDisposeMessage(message);
    return result;
}
