// SPDX-License-Identifier: MIT
#include "compiler/module/validate.h"

#include <string.h>

#include <llvm-c/Core.h>

#include "base/alloc.h"
#include "builtins/builtins_table.h"
#include "compiler/front/build_log.h"
#include "compiler/front/frontend.h"
#include "compiler/front/llvm_init.h"
#include "compiler/front/program_statics.h"
#include "compiler/ir/ir_util.h"
#include "compiler/lower/blocks.h"
#include "compiler/lower/constructors.h"
#include "compiler/lower/pipes.h"
#include "compiler/lower/print.h"
#include "compiler/lower/spaces.h"
#include "compiler/module/keep_kernels.h"

// Enough to see what is wrong.
#define MAX_ERRORS 20

struct validation {
    LLVMModuleRef module;
    bool complete;
    struct tf_str *log;
    unsigned errors;
};

// What Clang makes of OpenCL C without a library call, by the second part of the name.
// Code for a named machine, traps, registers, stack and frame are not among them.
static bool intrinsic_ok(const char *name)
{
    static const char *const allowed[] = {
        "abs",        "annotation",   "arithmetic", "assume",       "bitreverse",
        "bswap",      "canonicalize", "ceil",       "copysign",     "ctlz",
        "ctpop",      "cttz",         "dbg",        "donothing",    "exp",
        "exp10",      "exp2",         "expect",     "experimental", "fabs",
        "fake",       "floor",        "fma",        "fmuladd",      "fptosi",
        "fptoui",     "fptrunc",      "frexp",      "fshl",         "fshr",
        "invariant",  "is",           "ldexp",      "lifetime",     "llrint",
        "llround",    "log",          "log10",      "log2",         "lrint",
        "lround",     "masked",       "matrix",     "maximum",      "maximumnum",
        "maxnum",     "memcpy",       "memmove",    "memset",       "minimum",
        "minimumnum", "minnum",       "nearbyint",  "objectsize",   "pow",
        "powi",       "ptrmask",      "rint",       "round",        "roundeven",
        "sadd",       "scmp",         "sideeffect", "sin",          "cos",
        "smax",       "smin",         "smul",       "sqrt",         "sshl",
        "ssub",       "tan",          "trunc",      "uadd",         "ucmp",
        "umax",       "umin",         "umul",       "ushl",         "usub",
        "vector",     "threadlocal",
    };
    const char *const part = name + strlen("llvm.");
    const size_t bytes = strcspn(part, ".");

    for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++)
        if (strlen(allowed[i]) == bytes && !memcmp(part, allowed[i], bytes))
            return true;
    return false;
}

static bool reserved(const char *symbol)
{
    char name[64];

    return symbol[0] == '\1' ||
           !strncmp(tf_ir_source_name(symbol, name, sizeof name), "__tf_", 5);
}

// What a program may call without defining it.
static bool provided(const char *symbol)
{
    return !strcmp(symbol, TF_PRINT_FUNCTION) || tf_spaces_is_cast(symbol) ||
           tf_pipes_is_call(symbol) || tf_blocks_is_call(symbol) ||
           tf_builtin_find(symbol) >= 0;
}

// The kernel from which `function` is reached first, or NULL.
static LLVMValueRef kernel_above(LLVMValueRef function)
{
    // Callers are followed breadth first up to a bound: this only dresses a message.
    LLVMValueRef queue[256] = {function};
    size_t count = 1;

    for (size_t i = 0; i < count; i++) {
        if (tf_ir_is_kernel(queue[i]))
            return queue[i];
        for (LLVMUseRef use = LLVMGetFirstUse(queue[i]); use; use = LLVMGetNextUse(use)) {
            const LLVMValueRef user = LLVMGetUser(use);
            size_t seen = 0;

            if (!LLVMIsAInstruction(user) || count == sizeof queue / sizeof *queue)
                continue;
            const LLVMValueRef caller = tf_ir_function_of(user);
            while (seen < count && queue[seen] != caller)
                seen++;
            if (seen == count)
                queue[count++] = caller;
        }
    }
    return NULL;
}

static void fault(struct validation *v, LLVMValueRef at, const char *what,
                  const char *symbol)
{
    LLVMValueRef function = NULL;
    char name[128], in[128];

    if (++v->errors > MAX_ERRORS)
        return;
    if (at && LLVMIsAInstruction(at))
        function = tf_ir_function_of(at);
    const LLVMValueRef kernel = function ? kernel_above(function) : NULL;
    if (kernel)
        function = kernel;
    tf_build_log_error(v->log, at, "%s%s%s%s%s%s%s", what, *symbol ? " '" : "",
                       tf_ir_source_name(symbol, name, sizeof name), *symbol ? "'" : "",
                       kernel     ? " in kernel '"
                       : function ? " in function '"
                                  : "",
                       function ? tf_ir_source_name(tf_ir_name(function), in, sizeof in)
                                : "",
                       function ? "'" : "");
}

// An instruction that uses `value`, for the position of a message; NULL if only data
// does.
static LLVMValueRef use_of(LLVMValueRef value)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use))
        if (LLVMIsAInstruction(LLVMGetUser(use)))
            return LLVMGetUser(use);
    return NULL;
}

static void check_declaration(struct validation *v, LLVMValueRef function)
{
    const char *const name = tf_ir_name(function);

    if (!strncmp(name, "llvm.", 5)) {
        if (!tf_ir_is_intrinsic(function) || !intrinsic_ok(name))
            fault(v, use_of(function), "call of unsupported function", name);
    } else if (reserved(name)) {
        fault(v, use_of(function), "use of reserved name", name);
    }
}

// Of a declaration that check_declaration finds nothing wrong with.
static bool is_missing(LLVMValueRef function)
{
    const char *const name = tf_ir_name(function);

    return LLVMIsDeclaration(function) && LLVMGetFirstUse(function) &&
           strncmp(name, "llvm.", 5) != 0 && !reserved(name) && !provided(name);
}

static void check_instruction(struct validation *v, LLVMValueRef inst)
{
    if (tf_ir_is_call(inst)) {
        const LLVMValueRef callee = LLVMGetCalledValue(inst);

        if (LLVMIsAInlineAsm(callee))
            fault(v, inst, "inline assembly is not supported", "");
    } else if (LLVMIsAAllocaInst(inst) && !LLVMIsAConstantInt(LLVMGetOperand(inst, 0))) {
        fault(v, inst, "memory of variable size is not supported", "");
    } else if (LLVMIsAIndirectBrInst(inst)) {
        fault(v, inst, "jump through a pointer is not supported", "");
    }
}

static void check_globals(struct validation *v)
{
    size_t bytes;
    const char *const text = LLVMGetModuleInlineAsm(v->module, &bytes);

    (void)text;
    if (bytes)
        fault(v, NULL, "inline assembly is not supported", "");
    if (LLVMGetFirstGlobalAlias(v->module) || LLVMGetFirstGlobalIFunc(v->module))
        fault(v, NULL, "aliases of functions are not supported", "");
    TF_FOR_EACH_GLOBAL(g, v->module)
    {
        const char *const name = tf_ir_name(g);

        if (!strcmp(name, TF_STATICS_LIST) && tf_program_statics_ok(g))
            continue;
        if (!strcmp(name, TF_STATICS_LIST) || !strcmp(name, "llvm.global_dtors"))
            fault(v, NULL, "constructor functions are not supported", "");
        else if (reserved(name))
            fault(v, use_of(g), "use of reserved name", name);
        else if (LLVMIsThreadLocal(g))
            fault(v, use_of(g), "thread-local variable", name);
    }
}

static bool lacks_something(LLVMModuleRef module)
{
    TF_FOR_EACH_FUNCTION(f, module)
    {
        if (is_missing(f))
            return true;
    }
    TF_FOR_EACH_GLOBAL(g, module)
    {
        if (LLVMIsDeclaration(g) && !reserved(tf_ir_name(g)))
            return true;
    }
    return false;
}

// What no kernel reaches may use what is not there.
static void check_missing(struct validation *v)
{
    if (!v->complete || !lacks_something(v->module))
        return;
    tf_keep_kernels(v->module);
    TF_FOR_EACH_FUNCTION(f, v->module)
    {
        if (is_missing(f))
            fault(v, use_of(f), "call of undefined function", tf_ir_name(f));
    }
    TF_FOR_EACH_GLOBAL(g, v->module)
    {
        if (LLVMIsDeclaration(g) && !reserved(tf_ir_name(g)))
            fault(v, use_of(g), "undefined variable", tf_ir_name(g));
    }
}

static bool check_module(LLVMModuleRef module, bool complete, struct tf_str *log)
{
    struct validation v = {.module = module, .complete = complete, .log = log};

    check_globals(&v);
    TF_FOR_EACH_FUNCTION(f, module)
    {
        if (LLVMIsDeclaration(f)) {
            check_declaration(&v, f);
            continue;
        }
        if (reserved(tf_ir_name(f)))
            fault(&v, f, "definition of reserved name", tf_ir_name(f));
        TF_FOR_EACH_INSTRUCTION(inst, f)
        {
            check_instruction(&v, inst);
        }
    }
    check_missing(&v);
    return v.errors == 0;
}

// Repeats the compilation with line tables; true if that showed the faults again.
static bool check_with_lines(const struct tf_validate_in *in, struct tf_str *log)
{
    struct tf_str ignored = {0};
    struct tf_llvm_diagnostics diagnostics = {.log = &ignored};
    const LLVMContextRef context = tf_llvm_context(&diagnostics);
    enum tf_compiler_status status;
    const LLVMModuleRef module =
        tf_frontend_module(context, in->source, true, NULL, &status, &ignored);
    if (module && in->complete)
        tf_constructors_lower(module);
    const bool found = module && !check_module(module, in->complete, log);

    if (module)
        LLVMDisposeModule(module);
    LLVMContextDispose(context);
    tf_str_finish(&ignored);
    return found;
}

enum tf_compiler_status tf_validate_module(const struct tf_validate_in *in,
                                           struct tf_str *log)
{
    struct tf_str without_lines = {0};
    enum tf_compiler_status status = TF_COMPILER_OK;

    if (!check_module(in->module, in->complete, &without_lines)) {
        status = TF_COMPILER_BAD_SOURCE;
        if (!in->source || !check_with_lines(in, log)) {
            char *const text = tf_str_take(&without_lines);

            tf_str_add(log, text ? text : "error: out of memory\n");
            tf_free(text);
        }
    }
    tf_str_finish(&without_lines);
    return status;
}
