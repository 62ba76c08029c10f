// SPDX-License-Identifier: MIT
// Pass "item": makes the item function. It fetches the arguments from the launch's block
// and holds the kernel's body. Where that is needed twice LLVM's inliner does the
// copying, and also where it has more to do: private copies of structs passed by value,
// what `restrict` says.
#include <string.h>

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>

#include "abi/cpu_abi.h"
#include "compiler/ir/ir_util.h"
#include "compiler/ir/kernel_metadata.h"
#include "compiler/lower/kept/kept_functions.h"
#include "compiler/workgroup/item/debugger.h"
#include "compiler/workgroup/item/fixed_args.h"
#include "compiler/workgroup/kernel/wg.h"

static const LLVMAttributeIndex on_function =
    (LLVMAttributeIndex)LLVMAttributeFunctionIndex;

enum { MAX_ARGS = 1024 };

static LLVMValueRef fetch_arg(struct tf_wg *wg, LLVMValueRef item, unsigned index,
                              LLVMValueRef block)
{
    // Blocks are 8-aligned only; one unaligned load a launch costs nothing.
    enum { BLOCK_ALIGN_BYTES = 8 };
    const struct tf_arg_slot *slot = &wg->item->args[index];
    const LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(wg->item->kernel, index));
    const unsigned align =
        slot->align_bytes < BLOCK_ALIGN_BYTES ? slot->align_bytes : BLOCK_ALIGN_BYTES;
    LLVMValueRef local, offset, address;

    if (slot->kind == TF_ARG_LOCAL) {
        local = tf_wg_load_fixed(wg, wg->ptr, LLVMGetParam(item, TF_ITEM_WORKER),
                                 offsetof(struct tf_worker, local), 8, "local");
        offset = tf_wg_load_fixed(wg, wg->i64, block, slot->block_offset_bytes, 8, "");
        if (tf_check_modes_of(wg->module)) // its size stands above
            offset = LLVMBuildAnd(wg->builder, offset, tf_wg_number(wg, UINT32_MAX), "");
        address = LLVMBuildInBoundsGEP2(wg->builder, wg->i8, local, &offset, 1, "");
        return LLVMBuildAddrSpaceCast(wg->builder, address, type, "");
    }
    if (slot->kind == TF_ARG_VALUE && LLVMGetTypeKind(type) == LLVMPointerTypeKind)
        return tf_wg_address(wg, block, slot->block_offset_bytes); // byval
    if (tf_fixed_sampler(wg, index))
        return tf_fixed_sampler(wg, index);
    if (slot->kind == TF_ARG_IMAGE)
        return LLVMBuildAddrSpaceCast(
            wg->builder, tf_wg_address(wg, block, slot->block_offset_bytes), type, "");
    return tf_wg_load_fixed(wg, type, block, slot->block_offset_bytes, align, "");
}

// NULL after tf_wg_fail.
static LLVMValueRef *fetch_args(struct tf_wg *wg, LLVMValueRef item, LLVMValueRef *args)
{
    const unsigned count = LLVMCountParams(wg->item->kernel);
    LLVMValueRef block;

    if (count > MAX_ARGS) {
        tf_wg_fail(wg, "kernel %s has %u arguments", wg->kernel_name, count);
        return NULL;
    }
    block = tf_wg_load_fixed(wg, wg->ptr, LLVMGetParam(item, TF_ITEM_LAUNCH),
                             offsetof(struct tf_launch, args), 8, "args");
    for (unsigned i = 0; i < count; i++)
        args[i] = fetch_arg(wg, item, i, block);
    return args;
}

static LLVMAttributeRef attribute_of_arg(const struct tf_wg *wg, unsigned index,
                                         const char *name)
{
    return LLVMGetEnumAttributeAtIndex(
        wg->item->kernel, index + 1, LLVMGetEnumAttributeKindForName(name, strlen(name)));
}

static bool call_kernel(struct tf_wg *wg, LLVMValueRef item)
{
    const LLVMTypeRef type = LLVMGlobalGetValueType(wg->item->kernel);
    const unsigned count = LLVMCountParams(wg->item->kernel);
    LLVMValueRef args[MAX_ARGS], call;

    if (!fetch_args(wg, item, args))
        return false;
    call = LLVMBuildCall2(wg->builder, type, wg->item->kernel, args, count, "");
    for (unsigned i = 0; i < count; i++) {
        const LLVMAttributeRef attr = attribute_of_arg(wg, i, "byval");

        if (attr)
            LLVMAddCallSiteAttribute(call, i + 1, attr);
    }
    LLVMSetFunctionCallConv(wg->item->kernel, LLVMCCallConv);
    LLVMSetInstructionCallConv(call, LLVMCCallConv);
    return true;
}

static bool is_other_definition(const struct tf_item *item, LLVMValueRef f)
{
    return f != item->function && f != item->wide && !LLVMIsDeclaration(f) &&
           !tf_kept_function(f);
}

// Inlines the kernel, and what it may still call, whatever the front end's options were.
static bool inline_all(struct tf_wg *wg, struct tf_item *item)
{
    LLVMValueRef f;
    size_t bytes;

    for (f = LLVMGetFirstFunction(wg->module); f; f = LLVMGetNextFunction(f)) {
        if (!is_other_definition(item, f))
            continue;
        LLVMSetLinkage(f, LLVMInternalLinkage);
        tf_ir_remove_attribute(f, "noinline");
        tf_ir_remove_attribute(f, "optnone");
        tf_ir_add_attribute_at(f, on_function, "alwaysinline", 0);
    }
    if (!tf_wg_run_llvm(wg, "always-inline,globaldce"))
        return false;
    item->kernel = NULL;
    for (f = LLVMGetFirstFunction(wg->module); f; f = LLVMGetNextFunction(f)) {
        if (is_other_definition(item, f))
            return tf_wg_fail(wg, "kernel %s: %s cannot be inlined: is it recursive?",
                              wg->kernel_name, LLVMGetValueName2(f, &bytes));
    }
    return true;
}

// A function of the item's type, without a body.
static LLVMValueRef declare_item(struct tf_wg *wg, const char *name)
{
    // External until the last pass: nothing calls it before it is wrapped.
    const LLVMValueRef item = LLVMAddFunction(wg->module, name, wg->item_type);

    tf_wg_add_item_attrs(wg->item->kernel, item);
    return item;
}

// One that calls the kernel with its arguments. NULL after tf_wg_fail.
static LLVMValueRef add_item(struct tf_wg *wg, const char *name)
{
    const LLVMValueRef item = declare_item(wg, name);

    LLVMPositionBuilderAtEnd(wg->builder,
                             LLVMAppendBasicBlockInContext(wg->context, item, "args"));
    if (!call_kernel(wg, item))
        return NULL;
    LLVMBuildRetVoid(wg->builder);
    return item;
}

// Whether the kernel's body can be the item function's as it stands.
static bool may_move(const struct tf_wg *wg)
{
    for (unsigned i = 0; i < LLVMCountParams(wg->item->kernel); i++) {
        if (attribute_of_arg(wg, i, "byval") || attribute_of_arg(wg, i, "noalias"))
            return false;
    }
    TF_FOR_EACH_FUNCTION(f, wg->module)
    {
        if (f != wg->item->kernel && is_other_definition(wg->item, f))
            return false;
    }
    return true;
}

static bool move_kernel(struct tf_wg *wg, struct tf_item *item)
{
    const LLVMValueRef kernel = item->kernel;
    LLVMValueRef args[MAX_ARGS] = {0};

    item->function = declare_item(wg, "tf_item");
    tf_ir_move_body(kernel, item->function);
    LLVMPositionBuilderBefore(wg->builder, tf_ir_first(item->function));
    if (!fetch_args(wg, item->function, args))
        return false;
    for (unsigned i = 0; i < LLVMCountParams(kernel); i++)
        LLVMReplaceAllUsesWith(LLVMGetParam(kernel, i), args[i]);
    LLVMDeleteFunction(kernel);
    item->kernel = NULL;
    return true;
}

static bool copy_kernel(struct tf_wg *wg, struct tf_item *item, bool wide)
{
    item->function = add_item(wg, "tf_item");
    if (!item->function)
        return false;
    if (wide) {
        item->wide = add_item(wg, "tf_wide");
        if (!item->wide)
            return false;
    }
    return inline_all(wg, item);
}

bool tf_wg_item(struct tf_wg *wg, struct tf_item *item)
{
    const bool wide = wg->wishes->form == TF_WG_AUTO || wg->wishes->lanes_forced;
    const LLVMMetadataRef known = LLVMGetSubprogram(item->kernel);

    tf_fixed_kernel(wg);
    if (!(!wide && may_move(wg) ? move_kernel(wg, item) : copy_kernel(wg, item, wide)))
        return false;
    if (wg->wishes->for_debugger && known)
        tf_wg_debug_item(wg, item->function, known);
    tf_fixed_images(wg, item->function);
    if (item->wide)
        tf_fixed_images(wg, item->wide);
    return true;
}
