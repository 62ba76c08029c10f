// SPDX-License-Identifier: MIT
#include "compiler/lower/constructors.h"

#include <stdlib.h>
#include <string.h>

#include <llvm-c/Core.h>

#include "base/alloc.h"
#include "compiler/front/program_statics.h"
#include "compiler/ir/ir_util.h"
#include "compiler/lower/spaces.h"

struct constructor {
    LLVMValueRef function;
    uint64_t priority;
    size_t place; // in the list: qsort is not stable
};

struct lowering {
    LLVMModuleRef module;
    LLVMContextRef context;
    LLVMValueRef at_exit; // or NULL
    struct constructor *constructors;
    size_t constructor_count;
    LLVMValueRef *sites; // calls of at_exit, in the order in which they run
    size_t site_count;
};

static int by_priority(const void *left, const void *right)
{
    const struct constructor *const a = left, *const b = right;

    if (a->priority != b->priority)
        return a->priority < b->priority ? -1 : 1;
    return a->place < b->place ? -1 : 1;
}

static bool read_list(struct lowering *l, LLVMValueRef list)
{
    const LLVMValueRef entries = LLVMGetInitializer(list);
    const size_t count = (size_t)LLVMGetNumOperands(entries);

    l->constructors = tf_zalloc(count * sizeof *l->constructors);
    if (!l->constructors)
        return false;
    for (size_t i = 0; i < count; i++) {
        const LLVMValueRef entry = LLVMGetOperand(entries, (unsigned)i);

        l->constructors[l->constructor_count++] =
            (struct constructor){LLVMGetOperand(entry, 1),
                                 LLVMConstIntGetZExtValue(LLVMGetOperand(entry, 0)), i};
    }
    qsort(l->constructors, count, sizeof *l->constructors, by_priority);
    return true;
}

// ---- Destructors ----

static bool is_known(const struct lowering *l, LLVMValueRef site)
{
    for (size_t i = 0; i < l->site_count; i++)
        if (l->sites[i] == site)
            return true;
    return false;
}

static void note_site(struct lowering *l, LLVMValueRef call)
{
    const LLVMValueRef destructor = LLVMGetOperand(call, 0);

    if (LLVMIsAFunction(destructor) && LLVMCountParams(destructor) == 0 &&
        !is_known(l, call))
        l->sites[l->site_count++] = call;
}

// Clang's constructor functions call one function for each object, or are one.
static void note_sites_of(struct lowering *l, LLVMValueRef function, bool with_called)
{
    TF_FOR_EACH_INSTRUCTION(inst, function)
    {
        const LLVMValueRef callee = tf_ir_callee(inst);

        if (callee && callee == l->at_exit)
            note_site(l, inst);
        else if (callee && with_called)
            note_sites_of(l, callee, false);
    }
}

static bool find_sites(struct lowering *l)
{
    size_t uses = 0;

    if (!l->at_exit)
        return true;
    for (LLVMUseRef use = LLVMGetFirstUse(l->at_exit); use; use = LLVMGetNextUse(use))
        uses++;
    l->sites = tf_zalloc(uses * sizeof *l->sites);
    if (!l->sites)
        return false;
    for (size_t i = 0; i < l->constructor_count; i++)
        note_sites_of(l, l->constructors[i].function, true);
    // Static variables of functions, which are there when the function has run.
    for (LLVMUseRef use = LLVMGetFirstUse(l->at_exit); use; use = LLVMGetNextUse(use))
        if (tf_ir_callee(LLVMGetUser(use)) == l->at_exit)
            note_site(l, LLVMGetUser(use));
    return true;
}

// A kernel without arguments; the builder stands in its first block.
static LLVMValueRef new_kernel(struct lowering *l, const char *name,
                               LLVMBuilderRef builder)
{
    const LLVMTypeRef type =
        LLVMFunctionType(LLVMVoidTypeInContext(l->context), NULL, 0, false);
    const LLVMValueRef kernel = LLVMAddFunction(l->module, name, type);

    LLVMSetFunctionCallConv(kernel, LLVMSPIRKERNELCallConv);
    LLVMPositionBuilderAtEnd(builder,
                             LLVMAppendBasicBlockInContext(l->context, kernel, ""));
    return kernel;
}

static void call(LLVMBuilderRef builder, LLVMValueRef function)
{
    const LLVMValueRef inst =
        LLVMBuildCall2(builder, LLVMGlobalGetValueType(function), function, NULL, 0, "");

    LLVMSetInstructionCallConv(inst, LLVMGetFunctionCallConv(function));
}

// In place of the call a note that the object is there; returns where it stands.
static LLVMValueRef leave_note(struct lowering *l, LLVMBuilderRef builder,
                               LLVMValueRef site)
{
    const LLVMTypeRef i8 = LLVMInt8TypeInContext(l->context);
    const LLVMValueRef note =
        LLVMAddGlobalInAddressSpace(l->module, i8, "trefoil.built", TF_SPACE_GLOBAL);

    LLVMSetLinkage(note, LLVMInternalLinkage);
    LLVMSetInitializer(note, LLVMConstNull(i8));
    LLVMPositionBuilderBefore(builder, site);
    LLVMBuildStore(builder, LLVMConstInt(i8, 1, false), note);
    LLVMReplaceAllUsesWith(site, LLVMConstNull(LLVMTypeOf(site)));
    return note;
}

static void lower_destructors(struct lowering *l, LLVMBuilderRef builder)
{
    const LLVMTypeRef i8 = LLVMInt8TypeInContext(l->context);
    const LLVMValueRef kernel = new_kernel(l, TF_DESTROY_KERNEL, builder);
    LLVMBasicBlockRef at = LLVMGetInsertBlock(builder);

    for (size_t i = l->site_count; i-- > 0;) {
        const LLVMValueRef destructor = LLVMGetOperand(l->sites[i], 0);
        const LLVMValueRef note = leave_note(l, builder, l->sites[i]);
        const LLVMBasicBlockRef then =
            LLVMAppendBasicBlockInContext(l->context, kernel, "");
        const LLVMBasicBlockRef after =
            LLVMAppendBasicBlockInContext(l->context, kernel, "");

        LLVMPositionBuilderAtEnd(builder, at);
        const LLVMValueRef built = LLVMBuildLoad2(builder, i8, note, "");
        LLVMBuildCondBr(builder,
                        LLVMBuildICmp(builder, LLVMIntNE, built, LLVMConstNull(i8), ""),
                        then, after);
        LLVMPositionBuilderAtEnd(builder, then);
        call(builder, destructor);
        LLVMBuildBr(builder, after);
        LLVMInstructionEraseFromParent(l->sites[i]);
        at = after;
    }
    LLVMPositionBuilderAtEnd(builder, at);
    LLVMBuildRetVoid(builder);
}

static void lower(struct lowering *l, LLVMValueRef list)
{
    const LLVMBuilderRef builder = LLVMCreateBuilderInContext(l->context);

    new_kernel(l, TF_CONSTRUCT_KERNEL, builder);
    for (size_t i = 0; i < l->constructor_count; i++)
        call(builder, l->constructors[i].function);
    LLVMBuildRetVoid(builder);
    if (l->site_count)
        lower_destructors(l, builder);
    if (list)
        LLVMDeleteGlobal(list);
    LLVMDisposeBuilder(builder);
}

void tf_constructors_lower(LLVMModuleRef module)
{
    const LLVMValueRef list = LLVMGetNamedGlobal(module, TF_STATICS_LIST);
    struct lowering l = {.module = module,
                         .context = LLVMGetModuleContext(module),
                         .at_exit = LLVMGetNamedFunction(module, TF_STATICS_AT_EXIT)};

    if (list && !tf_program_statics_ok(list))
        return; // validation says what is wrong
    if ((list || l.at_exit) && (!list || read_list(&l, list)) && find_sites(&l))
        lower(&l, list);
    tf_free(l.constructors);
    tf_free(l.sites);
}
