// SPDX-License-Identifier: MIT
// Pass "seal": the module ends with the entry function as its only external definition
// and calls nothing but itself, intrinsics and the run-time's services. Symbols that the
// code generator adds are checked after it has run (codegen/object_seal.h).
#include <stdio.h>
#include <string.h>

#include <llvm-c/Core.h>

#include "compiler/ir/ir_util.h"
#include "compiler/workgroup/item/delay.h"
#include "compiler/workgroup/kernel/wg.h"

static void inline_items(struct tf_wg *wg)
{
    if (wg->forms->form != TF_WG_LOOPS || !wg->item->function)
        return;
    tf_ir_add_attribute(wg->item->function, "alwaysinline");
}

// What profilers and debuggers show where fibers run it (loader/perf_map.c).
static void name_item(struct tf_wg *wg)
{
    char name[256];
    int bytes;

    if (wg->forms->form != TF_WG_FIBERS || !wg->item->function)
        return;
    bytes = snprintf(name, sizeof(name), "tf_item_%s", wg->kernel_name);
    if (bytes < (int)sizeof(name))
        LLVMSetValueName2(wg->item->function, name, (size_t)bytes);
}

static void hide_definitions(struct tf_wg *wg)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(wg->module); f;
         f = LLVMGetNextFunction(f)) {
        if (f != wg->forms->entry && !LLVMIsDeclaration(f))
            LLVMSetLinkage(f, LLVMInternalLinkage);
    }
    for (LLVMValueRef g = LLVMGetFirstGlobal(wg->module); g; g = LLVMGetNextGlobal(g)) {
        if (!LLVMIsDeclaration(g))
            LLVMSetLinkage(g, LLVMInternalLinkage);
    }
}

static bool check_functions(struct tf_wg *wg)
{
    size_t bytes;

    for (LLVMValueRef f = LLVMGetFirstFunction(wg->module); f;
         f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f) && LLVMGetFirstUse(f) && !tf_ir_is_intrinsic(f))
            return tf_wg_fail(wg, "kernel %s calls the undefined function %s",
                              wg->kernel_name, LLVMGetValueName2(f, &bytes));
    }
    return true;
}

static bool check_globals(struct tf_wg *wg)
{
    size_t bytes;

    for (LLVMValueRef g = LLVMGetFirstGlobal(wg->module); g; g = LLVMGetNextGlobal(g)) {
        const char *name = LLVMGetValueName2(g, &bytes);

        if (LLVMIsDeclaration(g) && LLVMGetFirstUse(g))
            return tf_wg_fail(wg, "kernel %s uses the undefined variable %s",
                              wg->kernel_name, name);
        if (!LLVMIsGlobalConstant(g))
            return tf_wg_fail(wg, "kernel %s: the variable %s has no place",
                              wg->kernel_name, name);
    }
    return true;
}

static void set_bits(struct tf_wg *wg, LLVMValueRef fn, const char *name)
{
    char bits[16];

    snprintf(bits, sizeof(bits), "%u", wg->lanes->narrow_bits);
    LLVMAddAttributeAtIndex(fn, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                            LLVMCreateStringAttribute(wg->context, name,
                                                      (unsigned)strlen(name), bits,
                                                      (unsigned)strlen(bits)));
}

// The lanes do with narrower registers (workgroup/plan/stream.c): LLVM is told.
static void narrow_functions(struct tf_wg *wg)
{
    LLVMValueRef f = LLVMGetFirstFunction(wg->module);

    for (; wg->lanes->narrow_bits && f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f))
            continue;
        set_bits(wg, f, "prefer-vector-width");
        set_bits(wg, f, "min-legal-vector-width");
    }
}

bool tf_wg_seal(struct tf_wg *wg)
{
    tf_wg_services(wg);
    inline_items(wg);
    name_item(wg);
    narrow_functions(wg);
    hide_definitions(wg);
    // Variables first: one that no gang fills would be carried through all loops round
    // it.
    return tf_wg_run_llvm(wg, wg->wishes->for_debugger
                                  ? "always-inline,globaldce"
                                  : "function(mem2reg),always-inline,globaldce") &&
           tf_delay_changes(wg) && tf_wg_extremes(wg) && check_functions(wg) &&
           check_globals(wg);
}
