// SPDX-License-Identifier: MIT
#include "compiler/front/opaque_types.h"

#include <string.h>

#include <llvm-c/Core.h>
#include <llvm-c/IRReader.h>

#include "base/alloc.h"
#include "base/log.h"
#include "base/str.h"
#include "compiler/ir/ir_util.h"

static const struct {
    const char *name;
    const char *text; // as LLVM prints it, up to the closing bracket
    const char *plain;
} types[] = {
    {"spirv.Image", "target(\"spirv.Image\"", "ptr addrspace(2)"},
    {"spirv.Sampler", "target(\"spirv.Sampler\"", "i64"},
    {"spirv.Pipe", "target(\"spirv.Pipe\"", "ptr addrspace(1)"},
    {"spirv.ReserveId", "target(\"spirv.ReserveId\"", "i64"},
    {"spirv.Queue", "target(\"spirv.Queue\"", "i64"},
    {"spirv.DeviceEvent", "target(\"spirv.DeviceEvent\"", "i64"},
};

enum { TYPES = sizeof types / sizeof *types };

static bool is_opaque(LLVMTypeRef type)
{
    const char *name;

    if (LLVMGetTypeKind(type) != LLVMTargetExtTypeKind)
        return false;
    name = LLVMGetTargetExtTypeName(type);
    for (size_t i = 0; i < TYPES; i++)
        if (!strcmp(name, types[i].name))
            return true;
    return false;
}

// Values of these types come from parameters and calls only.
static bool names_opaque_type(LLVMTypeRef function)
{
    const unsigned count = LLVMCountParamTypes(function);
    LLVMTypeRef params[256];

    if (is_opaque(LLVMGetReturnType(function)))
        return true;
    if (count > sizeof params / sizeof *params)
        return true; // rare: let the text tell
    LLVMGetParamTypes(function, params);
    for (unsigned i = 0; i < count; i++)
        if (is_opaque(params[i]))
            return true;
    return false;
}

static bool uses_opaque_types(LLVMModuleRef module)
{
    TF_FOR_EACH_FUNCTION(f, module)
    {
        if (names_opaque_type(LLVMGlobalGetValueType(f)))
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

        for (size_t i = 0; i < TYPES; i++) {
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

// Clang makes samplers of the numbers of literal ones by a function.
static void open_samplers(LLVMModuleRef module)
{
    const LLVMValueRef translate =
        LLVMGetNamedFunction(module, "__translate_sampler_initializer");
    LLVMUseRef use;

    if (!translate)
        return;
    while ((use = LLVMGetFirstUse(translate))) {
        const LLVMValueRef call = LLVMGetUser(use);

        LLVMReplaceAllUsesWith(
            call, LLVMConstInt(LLVMTypeOf(call),
                               LLVMConstIntGetZExtValue(LLVMGetOperand(call, 0)), false));
        LLVMInstructionEraseFromParent(call);
    }
    LLVMDeleteFunction(translate);
}

// Types of values cannot be changed in place, and nothing in LLVM-C copies a module with
// other types: it goes through its text. Half of the
// time of a small program with an image is spent so.
LLVMModuleRef tf_opaque_types_plain(LLVMContextRef context, LLVMModuleRef module)
{
    struct tf_str plain = {0};
    const bool unnamed = LLVMContextShouldDiscardValueNames(context);
    LLVMModuleRef result = NULL;
    LLVMMemoryBufferRef buffer;
    char *text, *bytes, *message = NULL;

    if (!uses_opaque_types(module))
        return module;
    text = LLVMPrintModuleToString(module);
    LLVMDisposeModule(module);
    add_plain(&plain, text);
    LLVMDisposeMessage(text);
    bytes = tf_str_take(&plain);
    if (!bytes)
        return NULL;
    buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(bytes, strlen(bytes), "opaque");
    tf_free(bytes);
    LLVMContextSetDiscardValueNames(context, false);                // which text has
    if (LLVMParseIRInContext(context, buffer, &result, &message)) { // takes the buffer
        tf_log(TF_LOG_ERROR, "a program with opaque types: %s", message);
        result = NULL;
    }
    LLVMDisposeMessage(message);
    LLVMContextSetDiscardValueNames(context, unnamed);
    if (result)
        open_samplers(result);
    return result;
}
