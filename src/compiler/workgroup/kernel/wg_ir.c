// SPDX-License-Identifier: MIT
// Small tools over LLVM-C for the passes of this folder.
#include "compiler/workgroup/kernel/wg.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <llvm-c/Core.h>
#include <llvm-c/Error.h>

#include "abi/cpu_abi.h"
#include "base/time.h"
#include "compiler/ir/ir_util.h"
#include "compiler/ir/passes.h"

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
    wg->entry_type = LLVMFunctionType(wg->void_type, params, TF_ENTRY_PARAMS, false);
}

bool tf_wg_fail(struct tf_wg *wg, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    vsnprintf(wg->text, wg->text_bytes, fmt, args);
    va_end(args);
    return false;
}

static bool take_error(struct tf_wg *wg, const char *passes, char *message)
{
    if (!message)
        return true;
    tf_wg_fail(wg, "passes %s: %s", passes, message);
    LLVMDisposeErrorMessage(message);
    return false;
}

bool tf_wg_run_llvm(struct tf_wg *wg, const char *passes)
{
    const uint64_t start_ns = tf_time_cpu_ns();
    char *const message = tf_ir_run_passes(wg->module, passes, NULL);

    wg->llvm_ns += tf_time_cpu_ns() - start_ns;
    return take_error(wg, passes, message);
}

bool tf_wg_run_on(struct tf_wg *wg, LLVMValueRef fn, const char *passes)
{
    const uint64_t start_ns = tf_time_cpu_ns();
    char *const message = tf_ir_run_passes_on(fn, passes, NULL);

    wg->llvm_ns += tf_time_cpu_ns() - start_ns;
    return take_error(wg, passes, message);
}

LLVMValueRef tf_wg_number(struct tf_wg *wg, uint64_t n)
{
    return LLVMConstInt(wg->i64, n, false);
}

LLVMValueRef tf_wg_min(struct tf_wg *wg, LLVMValueRef a, LLVMValueRef b)
{
    const LLVMValueRef less = LLVMBuildICmp(wg->builder, LLVMIntULT, a, b, "");

    return LLVMBuildSelect(wg->builder, less, a, b, "");
}

LLVMValueRef tf_wg_address(struct tf_wg *wg, LLVMValueRef base, uint64_t offset_bytes)
{
    LLVMValueRef index = LLVMConstInt(wg->i64, offset_bytes, false);

    return LLVMBuildInBoundsGEP2(wg->builder, wg->i8, base, &index, 1, "");
}

static unsigned kind_of(const struct tf_wg *wg, const char *name)
{
    return LLVMGetMDKindIDInContext(wg->context, name, (unsigned)strlen(name));
}

static LLVMValueRef make_mark(const struct tf_wg *wg)
{
    return LLVMMetadataAsValue(wg->context, LLVMMDNodeInContext2(wg->context, NULL, 0));
}

void tf_wg_load_dimensions(struct tf_wg *wg, unsigned parameter, size_t offset_bytes,
                           LLVMValueRef out[3])
{
    const LLVMValueRef from = LLVMGetParam(wg->forms->entry, parameter);

    for (size_t d = 0; d < 3; d++)
        out[d] =
            tf_wg_load_fixed(wg, wg->i64, from, offset_bytes + d * sizeof(tf_u64), 8, "");
}

void tf_wg_load_sizes(struct tf_wg *wg, struct tf_wg_sizes *out)
{
    tf_wg_load_dimensions(wg, TF_ENTRY_LAUNCH, offsetof(struct tf_launch, global_size),
                          out->global);
    tf_wg_load_dimensions(wg, TF_ENTRY_LAUNCH, offsetof(struct tf_launch, global_offset),
                          out->offset);
    tf_wg_load_dimensions(wg, TF_ENTRY_LAUNCH, offsetof(struct tf_launch, local_size),
                          out->local);
    tf_wg_load_dimensions(wg, TF_ENTRY_LAUNCH, offsetof(struct tf_launch, group_count),
                          out->groups);
}

void tf_wg_mark_fixed(struct tf_wg *wg, LLVMValueRef load)
{
    if (!wg->fixed_mark) {
        wg->fixed_kind = kind_of(wg, "invariant.load");
        wg->fixed_mark = make_mark(wg);
    }
    LLVMSetMetadata(load, wg->fixed_kind, wg->fixed_mark);
}

void tf_wg_mark_one(struct tf_wg *wg, LLVMValueRef access)
{
    if (wg->checks)
        LLVMSetMetadata(access, kind_of(wg, TF_WG_ONE_METADATA), make_mark(wg));
}

// No load and no store of the program depends on it.
static void promise_no_effect(struct tf_wg *wg, LLVMValueRef call)
{
    // LLVM's encoding of what no pointer reaches, read and written.
    enum { NO_MEMORY_OF_THE_PROGRAM = 3 << 2 };
    const unsigned memory = LLVMGetEnumAttributeKindForName("memory", strlen("memory"));

    LLVMAddCallSiteAttribute(
        call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
        LLVMCreateEnumAttribute(wg->context, memory, NO_MEMORY_OF_THE_PROGRAM));
}

void tf_wg_fetch(struct tf_wg *wg, LLVMValueRef address)
{
    enum { TO_READ = 0, ALL_CACHES = 3, DATA = 1 };
    static const char name[] = "llvm.prefetch";
    const LLVMTypeRef i32 = LLVMInt32TypeInContext(wg->context);
    LLVMTypeRef type = LLVMTypeOf(address);
    const LLVMValueRef fn = LLVMGetIntrinsicDeclaration(
        wg->module, LLVMLookupIntrinsicID(name, strlen(name)), &type, 1);
    LLVMValueRef args[] = {address, LLVMConstInt(i32, TO_READ, false),
                           LLVMConstInt(i32, ALL_CACHES, false),
                           LLVMConstInt(i32, DATA, false)};

    promise_no_effect(
        wg, LLVMBuildCall2(wg->builder, LLVMGlobalGetValueType(fn), fn, args, 4, ""));
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

void tf_wg_add_function_attrs(LLVMValueRef from, LLVMValueRef to)
{
    const LLVMAttributeIndex on_function = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
    const LLVMAttributeIndex launch = TF_ITEM_LAUNCH + 1, worker = TF_ITEM_WORKER + 1;

    copy_string_attrs(from, to);
    tf_ir_add_attribute_at(to, on_function, "nounwind", 0);
    tf_ir_add_attribute_at(to, launch, "noalias", 0);
    tf_ir_add_attribute_at(to, launch, "readonly", 0);
    tf_ir_add_attribute_at(to, launch, "dereferenceable", sizeof(struct tf_launch));
    tf_ir_add_attribute_at(to, launch, "align", 8);
    tf_ir_add_attribute_at(to, worker, "dereferenceable", sizeof(struct tf_worker));
    tf_ir_add_attribute_at(to, worker, "align", 8);
}

void tf_wg_add_item_attrs(LLVMValueRef from, LLVMValueRef item)
{
    const LLVMAttributeIndex group = TF_ITEM_GROUP + 1;

    tf_wg_add_function_attrs(from, item);
    tf_ir_add_attribute_at(item, group, "noalias", 0);
    tf_ir_add_attribute_at(item, group, "readonly", 0);
    tf_ir_add_attribute_at(item, group, "dereferenceable", sizeof(struct tf_group));
    tf_ir_add_attribute_at(item, group, "align", 8);
}
