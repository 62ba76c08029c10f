// SPDX-License-Identifier: MIT
// Small tools over LLVM-C for the passes of this folder.
#include "compiler/workgroup/kernel/wg.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <llvm-c/Core.h>
#include <llvm-c/Error.h>
#include <llvm-c/Transforms/PassBuilder.h>

#include "abi/cpu_abi.h"
#include "base/time.h"

void tf_wg_init(struct tf_wg *wg)
{
    LLVMTypeRef params[TF_ITEM_PARAMS];

    wg->context = LLVMGetModuleContext(wg->module);
    wg->builder = LLVMCreateBuilderInContext(wg->context);
    wg->void_type = LLVMVoidTypeInContext(wg->context);
    wg->i8 = LLVMInt8TypeInContext(wg->context);
    wg->i64 = LLVMInt64TypeInContext(wg->context);
    wg->ptr = LLVMPointerTypeInContext(wg->context, TF_AS_PRIVATE);
    for (unsigned i = 0; i < TF_ITEM_PARAMS; i++)
        params[i] = i < TF_ITEM_LID ? wg->ptr : wg->i64;
    wg->item_type = LLVMFunctionType(wg->void_type, params, TF_ITEM_PARAMS, false);
    params[2] = wg->i64;
    wg->entry_type = LLVMFunctionType(wg->void_type, params, 4, false);
}

bool tf_wg_fail(struct tf_wg *wg, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    vsnprintf(wg->text, wg->text_bytes, fmt, args);
    va_end(args);
    return false;
}

bool tf_wg_run_llvm(struct tf_wg *wg, const char *passes)
{
    const uint64_t start_ns = tf_time_cpu_ns();
    const LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    const LLVMErrorRef error = LLVMRunPasses(wg->module, passes, NULL, options);

    LLVMDisposePassBuilderOptions(options);
    wg->llvm_ns += tf_time_cpu_ns() - start_ns;
    if (error) {
        char *message = LLVMGetErrorMessage(error);

        tf_wg_fail(wg, "passes %s: %s", passes, message);
        LLVMDisposeErrorMessage(message);
        return false;
    }
    return true;
}

LLVMValueRef tf_wg_address(struct tf_wg *wg, LLVMValueRef base, uint64_t offset_bytes)
{
    LLVMValueRef index = LLVMConstInt(wg->i64, offset_bytes, false);

    return LLVMBuildInBoundsGEP2(wg->builder, wg->i8, base, &index, 1, "");
}

void tf_wg_mark_fixed(struct tf_wg *wg, LLVMValueRef load)
{
    const unsigned kind = LLVMGetMDKindIDInContext(wg->context, "invariant.load",
                                                   (unsigned)strlen("invariant.load"));
    const LLVMMetadataRef node = LLVMMDNodeInContext2(wg->context, NULL, 0);

    LLVMSetMetadata(load, kind, LLVMMetadataAsValue(wg->context, node));
}

LLVMValueRef tf_wg_load_fixed(struct tf_wg *wg, LLVMTypeRef type, LLVMValueRef base,
                              uint64_t offset_bytes, unsigned align_bytes,
                              const char *name)
{
    const LLVMValueRef address = tf_wg_address(wg, base, offset_bytes);
    const LLVMValueRef load = LLVMBuildLoad2(wg->builder, type, address, name);

    LLVMSetAlignment(load, align_bytes);
    tf_wg_mark_fixed(wg, load);
    return load;
}

void tf_wg_add_attr(struct tf_wg *wg, LLVMValueRef fn, unsigned at, const char *name,
                    uint64_t value)
{
    const unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));

    LLVMAddAttributeAtIndex(fn, at, LLVMCreateEnumAttribute(wg->context, kind, value));
}

// Floating-point mode and whatever else the front end says of code in string form
// ("denormal-fp-math", ..).
static void copy_string_attrs(LLVMValueRef from, LLVMValueRef to)
{
    const LLVMAttributeIndex at = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
    enum { MAX_ATTRS = 64 };
    LLVMAttributeRef attrs[MAX_ATTRS];
    const unsigned count = LLVMGetAttributeCountAtIndex(from, at);

    if (count > MAX_ATTRS)
        return;
    LLVMGetAttributesAtIndex(from, at, attrs);
    for (unsigned i = 0; i < count; i++) {
        if (LLVMIsStringAttribute(attrs[i]))
            LLVMAddAttributeAtIndex(to, at, attrs[i]);
    }
}

void tf_wg_add_function_attrs(struct tf_wg *wg, LLVMValueRef from, LLVMValueRef to)
{
    const LLVMAttributeIndex on_function = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
    const LLVMAttributeIndex launch = TF_ITEM_LAUNCH + 1, worker = TF_ITEM_WORKER + 1;

    copy_string_attrs(from, to);
    tf_wg_add_attr(wg, to, on_function, "nounwind", 0);
    tf_wg_add_attr(wg, to, launch, "noalias", 0);
    tf_wg_add_attr(wg, to, launch, "readonly", 0);
    tf_wg_add_attr(wg, to, launch, "dereferenceable", sizeof(struct tf_launch));
    tf_wg_add_attr(wg, to, launch, "align", 8);
    tf_wg_add_attr(wg, to, worker, "dereferenceable", sizeof(struct tf_worker));
    tf_wg_add_attr(wg, to, worker, "align", 8);
}

void tf_wg_remove_attr(LLVMValueRef fn, const char *name)
{
    const unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));

    LLVMRemoveEnumAttributeAtIndex(fn, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                   kind);
}

const char *tf_wg_called_name(LLVMValueRef instruction)
{
    LLVMValueRef callee;
    size_t bytes;

    if (!LLVMIsACallInst(instruction))
        return NULL;
    callee = LLVMIsAFunction(LLVMGetCalledValue(instruction));
    return callee ? LLVMGetValueName2(callee, &bytes) : NULL;
}

bool tf_wg_is_intrinsic(LLVMValueRef fn)
{
    return LLVMGetIntrinsicID(fn) != 0;
}
