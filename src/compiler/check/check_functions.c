// SPDX-License-Identifier: MIT
// Functions that very large kernels keep (lower/kept/kept_functions.h). Where values are
// followed, a mask of each of their parameters comes with it, and the mask of the result
// goes back in the record of the work-item.
#include <string.h>

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>

#include "base/alloc.h"
#include "compiler/check/checks.h"
#include "compiler/ir/ir_util.h"
#include "compiler/lower/kept/kept_functions.h"
#include "compiler/lower/kept/kept_parameters.h"

// The first is the record, masks follow.
enum { MOST_MORE = 1 + TF_KEPT_MOST_PARAMS };

static bool has_masks(const struct tf_checks *c)
{
    return c->modes & TF_CHECK_UNINITIALIZED;
}

unsigned tf_check_own_param_count(const struct tf_checks *c, LLVMValueRef function)
{
    const unsigned count = LLVMCountParams(function) - 1;

    return has_masks(c) ? count / 2 : count;
}

LLVMValueRef tf_check_param_mask(const struct tf_checks *c, LLVMValueRef function,
                                 unsigned index)
{
    return has_masks(c) ? LLVMGetParam(function, 1 + index) : NULL;
}

LLVMValueRef tf_check_own_param(const struct tf_checks *c, LLVMValueRef function,
                                unsigned index)
{
    const unsigned count = tf_check_own_param_count(c, function);

    return LLVMGetParam(function, LLVMCountParams(function) - count + index);
}

LLVMValueRef tf_check_behind_variables(LLVMValueRef function)
{
    LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));

    while (LLVMIsAAllocaInst(i))
        i = LLVMGetNextInstruction(i);
    return i;
}

// ---- Structs by value ----

// What stands there of a parameter holds for the copy, or of its address.
static const char *const of_copies[] = {
    "byval", "align", "noalias", "dereferenceable", "readonly", "readnone", "writeonly"};
enum { OF_COPIES = sizeof(of_copies) / sizeof(of_copies[0]) };

static unsigned kind_of(const char *name)
{
    return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

static LLVMAttributeRef by_value(LLVMValueRef function, unsigned index)
{
    return LLVMGetEnumAttributeAtIndex(function, index + 1, kind_of("byval"));
}

static bool is_copied(LLVMValueRef function, unsigned index)
{
    return by_value(function, index) &&
           LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetParam(function, index))) == 0;
}

static void set_line(struct tf_checks *c, LLVMValueRef function)
{
    const LLVMMetadataRef known = LLVMGetSubprogram(function);

    LLVMSetCurrentDebugLocation2(
        c->b, known ? LLVMDIBuilderCreateDebugLocation(
                          c->context, LLVMDISubprogramGetLine(known), 0, known, NULL)
                    : NULL);
}

// The copy is made by the function, as a variable of its own: so its bytes are followed
// from the caller's on, and it has a size.
static void copy_param(struct tf_checks *c, LLVMValueRef function, unsigned index)
{
    const LLVMAttributeRef attribute = by_value(function, index);
    const LLVMValueRef param = LLVMGetParam(function, index);
    const LLVMTypeRef type = LLVMGetTypeAttributeValue(attribute);
    const unsigned align = LLVMABIAlignmentOfType(c->layout, type);
    LLVMValueRef copy;

    LLVMPositionBuilderBefore(c->b,
                              LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
    copy = LLVMBuildAlloca(c->b, type, tf_ir_name(param));
    LLVMReplaceAllUsesWith(param, copy);
    LLVMPositionBuilderBefore(c->b, tf_check_behind_variables(function));
    set_line(c, function);
    LLVMBuildMemCpy(c->b, copy, align, param, 1,
                    tf_check_number(c, LLVMABISizeOfType(c->layout, type)));
    for (unsigned i = 0; i < OF_COPIES; i++)
        LLVMRemoveEnumAttributeAtIndex(function, index + 1, kind_of(of_copies[i]));
}

static void pass_address(LLVMValueRef call, unsigned index)
{
    for (unsigned i = 0; i < OF_COPIES; i++)
        LLVMRemoveCallSiteEnumAttribute(call, index + 1, kind_of(of_copies[i]));
}

static void copy_params(struct tf_checks *c, LLVMValueRef function)
{
    for (unsigned k = 0; k < LLVMCountParams(function); k++) {
        if (!is_copied(function, k))
            continue;
        for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use))
            pass_address(LLVMGetUser(use), k);
        copy_param(c, function, k);
    }
}

// ---- Parameters ----

static LLVMValueRef widen(struct tf_checks *c, LLVMValueRef old)
{
    const unsigned own = has_masks(c) ? LLVMCountParams(old) : 0;
    LLVMTypeRef types[MOST_MORE];

    types[0] = c->ptr;
    for (unsigned i = 0; i < own; i++)
        types[1 + i] = c->i64;
    return tf_kept_function_widen(old, "checked.", types, 1 + own);
}

// The record is that of the caller. Masks are nothing until they are known.
static void replace_call(struct tf_checks *c, LLVMValueRef call, LLVMValueRef made)
{
    const LLVMValueRef caller = tf_ir_function_of(call);
    const unsigned own = has_masks(c) ? LLVMGetNumArgOperands(call) : 0;
    LLVMValueRef args[MOST_MORE];

    args[0] = caller == c->kernel ? c->functions->item : LLVMGetParam(caller, 0);
    for (unsigned i = 0; i < own; i++)
        args[1 + i] = tf_check_number(c, 0);
    tf_kept_function_call(c->b, call, made, args, 1 + own);
}

bool tf_check_functions_find(struct tf_checks *c)
{
    LLVMValueRef *kept;
    size_t count;

    if (!tf_kept_functions_of(c->kernel, &kept, &count))
        return false;
    c->functions = tf_zalloc((1 + count) * sizeof(*c->functions));
    if (c->functions) {
        c->function_count = 1 + count;
        c->functions->function = c->kernel;
        for (size_t i = 0; i < count; i++)
            c->functions[1 + i].function = kept[i];
    }
    tf_free(kept);
    return c->functions != NULL;
}

void tf_check_functions_widen(struct tf_checks *c)
{
    for (size_t i = 1; i < c->function_count; i++) {
        struct tf_check_function *const f = &c->functions[i];

        copy_params(c, f->function);
        f->old = f->function;
        f->function = widen(c, f->old);
        f->item = LLVMGetParam(f->function, 0);
    }
    for (size_t i = 1; i < c->function_count; i++) {
        struct tf_check_function *const f = &c->functions[i];
        LLVMUseRef use;

        while ((use = LLVMGetFirstUse(f->old)))
            replace_call(c, LLVMGetUser(use), f->function);
        LLVMDeleteFunction(f->old);
        f->old = NULL;
    }
}
