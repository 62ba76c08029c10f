// SPDX-License-Identifier: MIT
#include "compiler/lower/arithmetic/sine_pairs.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Error.h>

#include "compiler/ir/ir_util.h"
#include "compiler/ir/passes.h"

struct pair {
    LLVMValueRef sine, cosine; // declarations
    LLVMTypeRef type;          // of what both take and give
    char both[64];             // the library's name for sincos of that type
};

static LLVMValueRef called(LLVMModuleRef module, const char *name)
{
    const LLVMValueRef f = LLVMGetNamedFunction(module, name);

    // A function of the program has a body and may do anything.
    return f && LLVMIsDeclaration(f) && LLVMGetFirstUse(f) && LLVMCountParams(f) == 1 &&
                   LLVMTypeOf(LLVMGetParam(f, 0)) ==
                       LLVMGetReturnType(LLVMGlobalGetValueType(f))
               ? f
               : NULL;
}

static bool find_pair(LLVMModuleRef module, const char *prefix, const char *element,
                      unsigned width, struct pair *pair)
{
    char suffix[16] = "", number[12] = "", name[64];

    if (width > 1) {
        snprintf(suffix, sizeof suffix, "Dv%u_", width);
        snprintf(number, sizeof number, "%u", width);
    }
    snprintf(name, sizeof name, "_Z%zu%ssin%s%c", strlen(prefix) + 3, prefix, suffix,
             element[0]);
    pair->sine = called(module, name);
    snprintf(name, sizeof name, "_Z%zu%scos%s%c", strlen(prefix) + 3, prefix, suffix,
             element[0]);
    pair->cosine = called(module, name);
    if (!pair->sine || !pair->cosine)
        return false;
    pair->type = LLVMTypeOf(LLVMGetParam(pair->sine, 0));
    snprintf(pair->both, sizeof pair->both, "__tf_b_sincos_%s%s_p0%s%s", element, number,
             element, number);
    return LLVMTypeOf(LLVMGetParam(pair->cosine, 0)) == pair->type;
}

static bool is_call_of(LLVMValueRef instruction, LLVMValueRef callee)
{
    return tf_ir_callee(instruction) == callee &&
           LLVMGetCalledFunctionType(instruction) == LLVMGlobalGetValueType(callee);
}

static bool calls(LLVMValueRef function, LLVMValueRef callee)
{
    for (LLVMUseRef use = LLVMGetFirstUse(callee); use; use = LLVMGetNextUse(use)) {
        const LLVMValueRef call = LLVMGetUser(use);

        if (is_call_of(call, callee) && tf_ir_function_of(call) == function)
            return true;
    }
    return false;
}

static LLVMValueRef declare_both(LLVMModuleRef module, const struct pair *pair)
{
    const LLVMTypeRef pointer = LLVMPointerTypeInContext(LLVMGetModuleContext(module), 0);
    const LLVMTypeRef type =
        LLVMFunctionType(pair->type, (LLVMTypeRef[]){pair->type, pointer}, 2, false);
    LLVMValueRef both = LLVMGetNamedFunction(module, pair->both);

    if (!both) {
        both = LLVMAddFunction(module, pair->both, type);
        LLVMSetFunctionCallConv(both, LLVMGetFunctionCallConv(pair->sine));
        tf_ir_add_attribute(both, "nounwind");
    }
    return both;
}

// The first call of the two gives way to sincos, which nothing keeps from standing there.
static void join(const struct pair *pair, LLVMValueRef first, LLVMValueRef second)
{
    const LLVMValueRef function = tf_ir_function_of(first);
    const LLVMValueRef both = declare_both(LLVMGetGlobalParent(function), pair);
    const LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetTypeContext(pair->type));

    LLVMPositionBuilderBefore(b, tf_ir_first(function));
    const LLVMValueRef kept = LLVMBuildAlloca(b, pair->type, "");
    LLVMPositionBuilderBefore(b, first);
    LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(first));
    const LLVMValueRef sine =
        LLVMBuildCall2(b, LLVMGlobalGetValueType(both), both,
                       (LLVMValueRef[]){LLVMGetOperand(first, 0), kept}, 2, "");
    LLVMSetInstructionCallConv(sine, LLVMGetFunctionCallConv(both));
    const LLVMValueRef cosine = LLVMBuildLoad2(b, pair->type, kept, "");
    const bool sine_first = tf_ir_callee(first) == pair->sine;

    LLVMDisposeBuilder(b);
    tf_ir_replace(first, sine_first ? sine : cosine);
    tf_ir_replace(second, sine_first ? cosine : sine);
}

// The next call behind `first`, in its block, that goes with it.
static LLVMValueRef partner(const struct pair *pair, LLVMValueRef first)
{
    const LLVMValueRef wanted =
        tf_ir_callee(first) == pair->sine ? pair->cosine : pair->sine;

    for (LLVMValueRef i = LLVMGetNextInstruction(first); i; i = LLVMGetNextInstruction(i))
        if (is_call_of(i, wanted) && LLVMGetOperand(i, 0) == LLVMGetOperand(first, 0))
            return i;
    return NULL;
}

static void join_in_block(const struct pair *pair, LLVMBasicBlockRef block)
{
    LLVMValueRef next;

    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = next) {
        const LLVMValueRef second =
            is_call_of(i, pair->sine) || is_call_of(i, pair->cosine) ? partner(pair, i)
                                                                     : NULL;

        next = LLVMGetNextInstruction(i);
        if (!second)
            continue;
        if (next == second)
            next = LLVMGetNextInstruction(next);
        join(pair, i, second);
    }
}

void tf_sine_pairs_lower(LLVMModuleRef module)
{
    static const char *const prefixes[] = {"", "native_"};
    static const char *const elements[] = {"float", "double"};
    static const unsigned widths[] = {1, 2, 3, 4, 8, 16};
    enum { KINDS = 2 * 2 * 6 };
    struct pair pairs[KINDS];
    unsigned count = 0;

    for (unsigned k = 0; k < KINDS; k++)
        count += find_pair(module, prefixes[k / 12], elements[k / 6 % 2], widths[k % 6],
                           &pairs[count]);
    TF_FOR_EACH_FUNCTION(f, module)
    {
        bool in_ssa = false;

        for (unsigned k = 0; k < count && !LLVMIsDeclaration(f); k++) {
            if (!calls(f, pairs[k].sine) || !calls(f, pairs[k].cosine))
                continue;
            if (!in_ssa) {
                LLVMDisposeErrorMessage(
                    tf_ir_run_passes_on(f, "mem2reg,early-cse", NULL));
                in_ssa = true;
            }
            TF_FOR_EACH_BLOCK(block, f)
            join_in_block(&pairs[k], block);
        }
    }
}
