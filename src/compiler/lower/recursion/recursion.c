// SPDX-License-Identifier: MIT
#include "compiler/lower/recursion/recursion.h"

#include <string.h>

#include <llvm-c/Core.h>

#include "compiler/front/build_log.h"
#include "compiler/front/frontend.h"
#include "compiler/ir/ir_util.h"
#include "compiler/job/arena.h"
#include "compiler/lower/recursion/cut.h"
#include "compiler/lower/recursion/cycles.h"
#include "compiler/lower/recursion/frame_loop.h"

// Each has a way to each call at the head of the loop: the product of the two is what
// LLVM's time goes by.
enum { MAX_FUNCTIONS = 256 };

// ---- Types of accesses ----

static void add_function(struct tf_map *seen, LLVMValueRef *functions, unsigned *count,
                         LLVMValueRef function)
{
    if (LLVMIsDeclaration(function) || tf_map_get(seen, function) != TF_MAP_NONE)
        return;
    tf_map_put(seen, function, *count);
    functions[(*count)++] = function;
}

// Variables of different types lie in the same bytes of the stack by turns, without
// anything that says when the one ends and the other begins: what accesses promise of
// their types does not hold there. In the functions of the cycles and all that they call.
static void forget_types(LLVMModuleRef module, const struct tf_cycles *cycles,
                         struct tf_arena *arena)
{
    const LLVMContextRef context = LLVMGetModuleContext(module);
    const unsigned tbaa = LLVMGetMDKindIDInContext(context, "tbaa", 4);
    const unsigned of_struct = LLVMGetMDKindIDInContext(context, "tbaa.struct", 11);
    struct tf_map seen = {.arena = arena};
    unsigned count = 0;
    LLVMValueRef *functions;

    TF_FOR_EACH_FUNCTION(f, module)
    {
        count++;
    }
    functions = TF_ARENA_NEW(arena, LLVMValueRef, count);
    count = 0;
    for (unsigned i = 0; i < cycles->count; i++)
        for (unsigned k = 0; k < cycles->cycles[i].count; k++)
            add_function(&seen, functions, &count, cycles->cycles[i].functions[k]);
    for (unsigned i = 0; i < count; i++) {
        TF_FOR_EACH_INSTRUCTION(inst, functions[i])
        {
            const LLVMValueRef callee = tf_ir_callee(inst);

            if (callee)
                add_function(&seen, functions, &count, callee);
            LLVMSetMetadata(inst, tbaa, NULL);
            LLVMSetMetadata(inst, of_struct, NULL);
        }
    }
}

// ---- All cycles ----

static bool simplify(const struct tf_cycles *cycles, struct tf_str *log)
{
    for (unsigned i = 0; i < cycles->count; i++)
        if (!tf_recursion_simplify(&cycles->cycles[i], log))
            return false;
    return true;
}

static bool lower(LLVMModuleRef module, const struct tf_cycle *cycle, struct tf_str *log)
{
    char name[128];

    if (cycle->count > MAX_FUNCTIONS) {
        tf_build_log_error(
            log, NULL, "%u functions call each other in a circle, more than %d: '%s', ..",
            cycle->count, MAX_FUNCTIONS,
            tf_ir_source_name(tf_ir_name(cycle->functions[0]), name, sizeof name));
        return false;
    }
    for (unsigned i = 0; i < cycle->count; i++)
        if (!tf_recursion_cut(cycle->functions[i], cycle, log))
            return false;
    return tf_recursion_loop(module, cycle, log);
}

enum tf_compiler_status tf_recursion_lower(LLVMModuleRef module, struct tf_str *log)
{
    const bool keep_shape =
        LLVMGetNamedMetadataNumOperands(module, TF_DEBUG_FORM_METADATA) > 0;
    enum tf_compiler_status status = TF_COMPILER_OK;
    struct tf_arena arena = {0};
    struct tf_cycles cycles;

    if (!tf_cycles_find(module, &arena, &cycles))
        status = TF_COMPILER_NO_MEMORY;
    if (status == TF_COMPILER_OK && cycles.count && !keep_shape) {
        if (!simplify(&cycles, log))
            status = TF_COMPILER_INTERNAL;
        else if (!tf_cycles_find(module, &arena, &cycles))
            status = TF_COMPILER_NO_MEMORY;
    }
    if (status == TF_COMPILER_OK && cycles.count)
        forget_types(module, &cycles, &arena);
    for (unsigned i = 0; i < cycles.count && status == TF_COMPILER_OK; i++)
        if (!lower(module, &cycles.cycles[i], log))
            status = TF_COMPILER_BAD_SOURCE;
    tf_arena_finish(&arena);
    return status;
}
