// SPDX-License-Identifier: MIT
#include "compiler/module/pipes.h"

#include <stddef.h>
#include <string.h>

#include <llvm-c/Core.h>
#include <llvm-c/IRReader.h>

#include "base/alloc.h"
#include "base/log.h"
#include "base/str.h"
#include "compiler/ir/ir_util.h"

// ---- Types ----

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
LLVMModuleRef tf_pipes_retype(LLVMContextRef context, LLVMModuleRef module)
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

// ---- Calls ----

#define PACKET "_uint_uint"      // size and align
#define POINTER "_p4void" PACKET // packet
static const struct {
    const char *clang, *library;
} calls[] = {
    {"__read_pipe_2", "__tf_b_pipe_read_p1void" POINTER},
    {"__write_pipe_2", "__tf_b_pipe_write_p1void" POINTER},
    {"__read_pipe_4", "__tf_b_pipe_read_reserved_p1void_ulong_uint" POINTER},
    {"__write_pipe_4", "__tf_b_pipe_write_reserved_p1void_ulong_uint" POINTER},
    {"__reserve_read_pipe", "__tf_b_pipe_reserve_read_p1void_uint" PACKET},
    {"__reserve_write_pipe", "__tf_b_pipe_reserve_write_p1void_uint" PACKET},
    {"__commit_read_pipe", "__tf_b_pipe_commit_read_p1void_ulong" PACKET},
    {"__commit_write_pipe", "__tf_b_pipe_commit_write_p1void_ulong" PACKET},
    {"__work_group_reserve_read_pipe",
     "__tf_b_pipe_group_reserve_read_p1void_uint" PACKET},
    {"__work_group_reserve_write_pipe",
     "__tf_b_pipe_group_reserve_write_p1void_uint" PACKET},
    {"__work_group_commit_read_pipe",
     "__tf_b_pipe_group_commit_read_p1void_ulong" PACKET},
    {"__work_group_commit_write_pipe",
     "__tf_b_pipe_group_commit_write_p1void_ulong" PACKET},
    {"_Z19is_valid_reserve_id13ocl_reserveid", "__tf_b_pipe_reservation_is_valid_ulong"},
    {"__get_pipe_num_packets_ro", "__tf_b_pipe_packets_p1void" PACKET},
    {"__get_pipe_num_packets_wo", "__tf_b_pipe_packets_p1void" PACKET},
    {"__get_pipe_max_packets_ro", "__tf_b_pipe_max_packets_p1void" PACKET},
    {"__get_pipe_max_packets_wo", "__tf_b_pipe_max_packets_p1void" PACKET},
};
enum { CALL_COUNT = sizeof calls / sizeof *calls };

bool tf_pipes_is_call(const char *symbol)
{
    for (size_t i = 0; i < CALL_COUNT; i++)
        if (!strcmp(symbol, calls[i].clang))
            return true;
    return false;
}

void tf_pipes_lower(LLVMModuleRef module)
{
    for (size_t i = 0; i < CALL_COUNT; i++) {
        LLVMValueRef const function = LLVMGetNamedFunction(module, calls[i].clang);
        LLVMValueRef same;

        if (!function || !LLVMIsDeclaration(function))
            continue;
        // Two of Clang's names may be one of the library's.
        same = LLVMGetNamedFunction(module, calls[i].library);
        if (same)
            LLVMReplaceAllUsesWith(function, same);
        else
            LLVMSetValueName2(function, calls[i].library, strlen(calls[i].library));
    }
}
