// SPDX-License-Identifier: MIT
#include "compiler/spir/spir_kernels.h"

#include <string.h>

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>

#include "base/alloc.h"
#include "compiler/ir/ir_util.h"
#include "compiler/ir/kernel_metadata.h"
#include "compiler/spir/spir_calls.h"

#define KERNELS "opencl.kernels"

struct kernels {
    LLVMContextRef context;
    LLVMModuleRef module;
    struct tf_str *log;
    bool failed;
};

static void fail(struct kernels *k, LLVMValueRef kernel, const char *what)
{
    if (!k->failed)
        tf_str_printf(k->log, "error: SPIR: %s of kernel '%.200s'\n", what,
                      kernel ? tf_ir_name(kernel) : "");
    k->failed = true;
}

static bool is_node(LLVMValueRef value)
{
    return value && LLVMIsAMDNode(value);
}

// The operands of a node, `*count` of them, in new memory; NULL when there is none.
static LLVMValueRef *operands_of(LLVMValueRef node, unsigned *count)
{
    LLVMValueRef *list;

    *count = (unsigned)LLVMGetMDNodeNumOperands(node);
    list = tf_zalloc((*count + 1) * sizeof *list);
    if (list)
        LLVMGetMDNodeOperands(node, list);
    return list;
}

// Words about each argument: as many as there are arguments.
static bool fits(LLVMValueRef kernel, const char *name, unsigned words)
{
    return strncmp(name, "kernel_arg_", strlen("kernel_arg_")) != 0 ||
           words == LLVMCountParams(kernel);
}

// {"reqd_work_group_size", i32 8, i32 1, i32 1} becomes metadata of that name.
static void attach(struct kernels *k, LLVMValueRef kernel, LLVMValueRef node)
{
    static const char *const known[] = {"kernel_arg_addr_space", "kernel_arg_access_qual",
                                        "kernel_arg_type",       "kernel_arg_base_type",
                                        "kernel_arg_type_qual",  "kernel_arg_name",
                                        "reqd_work_group_size",  "work_group_size_hint"};
    unsigned count, bytes = 0;
    LLVMValueRef *const values = operands_of(node, &count);
    LLVMMetadataRef *const words = tf_zalloc((count + 1) * sizeof *words);
    const char *const name =
        values && count > 0 && values[0] ? LLVMGetMDString(values[0], &bytes) : NULL;
    bool ok = name && words;

    for (unsigned i = 1; ok && i < count; i++) {
        ok = values[i] != NULL;
        if (ok)
            words[i - 1] = LLVMValueAsMetadata(values[i]);
    }
    for (size_t i = 0; ok && i < sizeof known / sizeof *known; i++) {
        if (strlen(known[i]) != bytes || memcmp(known[i], name, bytes) != 0)
            continue;
        if (!fits(kernel, known[i], count - 1))
            fail(k, kernel, "another number of arguments than parameters has metadata");
        else
            LLVMGlobalSetMetadata(kernel,
                                  LLVMGetMDKindIDInContext(k->context, known[i], bytes),
                                  LLVMMDNodeInContext2(k->context, words, count - 1));
    }
    if (!ok)
        fail(k, kernel, "metadata of an unknown form");
    tf_free(words);
    tf_free(values);
}

// Takes the metadata of the kernel that the node is for.
static void take_node(struct kernels *k, LLVMValueRef node)
{
    unsigned count;
    LLVMValueRef *values;

    if (!is_node(node)) {
        fail(k, NULL, "metadata of an unknown form");
        return;
    }
    values = operands_of(node, &count);
    if (!values || count == 0 || !values[0] || !LLVMIsAFunction(values[0]) ||
        !tf_ir_is_kernel(values[0]))
        fail(k, NULL, "metadata without a kernel, or lack of memory");
    for (unsigned i = 1; !k->failed && i < count; i++) {
        if (is_node(values[i]))
            attach(k, values[0], values[i]);
        else
            fail(k, values[0], "metadata of an unknown form");
    }
    tf_free(values);
}

static void take_nodes(struct kernels *k)
{
    const unsigned count = LLVMGetNamedMetadataNumOperands(k->module, KERNELS);
    LLVMValueRef *const nodes = tf_zalloc((count + 1) * sizeof *nodes);

    if (!nodes) {
        fail(k, NULL, "no memory for the metadata");
        return;
    }
    LLVMGetNamedMetadataOperands(k->module, KERNELS, nodes);
    for (unsigned i = 0; i < count; i++)
        take_node(k, nodes[i]);
    tf_free(nodes);
}

static LLVMTypeRef param_now(struct kernels *k, LLVMValueRef kernel, unsigned i)
{
    const LLVMTypeRef then = LLVMTypeOf(LLVMGetParam(kernel, i));
    const bool is_pointer = LLVMGetTypeKind(then) == LLVMPointerTypeKind;
    const unsigned byval = LLVMGetEnumAttributeKindForName("byval", strlen("byval"));

    if (tf_metadata_is_image(kernel, i) && is_pointer)
        return LLVMPointerTypeInContext(k->context, TF_SPIR_IMAGE_SPACE);
    if (tf_metadata_is_sampler(kernel, i) && LLVMGetTypeKind(then) == LLVMIntegerTypeKind)
        return LLVMInt64TypeInContext(k->context);
    if ((is_pointer && LLVMGetPointerAddressSpace(then) == 0 &&
         !LLVMGetEnumAttributeAtIndex(kernel, i + 1, byval)) ||
        (is_pointer && LLVMGetPointerAddressSpace(then) > 3) ||
        LLVMGetTypeKind(then) == LLVMStructTypeKind ||
        LLVMGetTypeKind(then) == LLVMArrayTypeKind)
        fail(k, kernel, "an argument of a type that no argument has");
    return then;
}

static void copy_metadata(LLVMValueRef from, LLVMValueRef to)
{
    size_t count;
    LLVMValueMetadataEntry *const all = LLVMGlobalCopyAllMetadata(from, &count);

    for (unsigned i = 0; i < count; i++)
        LLVMGlobalSetMetadata(to, LLVMValueMetadataEntriesGetKind(all, i),
                              LLVMValueMetadataEntriesGetMetadata(all, i));
    LLVMDisposeValueMetadataEntries(all);
    LLVMSetSubprogram(to, NULL); // of one function only
    LLVMGlobalClearMetadata(from);
}

static LLVMValueRef convert(LLVMBuilderRef builder, LLVMValueRef value, LLVMTypeRef then)
{
    if (LLVMTypeOf(value) == then)
        return value;
    return LLVMGetTypeKind(then) == LLVMPointerTypeKind
               ? LLVMBuildAddrSpaceCast(builder, value, then, "")
               : LLVMBuildTrunc(builder, value, then, "");
}

// A copy of the kernel's attributes at parameter i + 1 for a function and a call.
static void copy_attributes(LLVMValueRef from, unsigned at, LLVMValueRef to,
                            LLVMValueRef call)
{
    const unsigned count = LLVMGetAttributeCountAtIndex(from, at);
    LLVMAttributeRef *const list = tf_zalloc((count + 1) * sizeof *list);

    if (list)
        LLVMGetAttributesAtIndex(from, at, list);
    for (unsigned i = 0; list && i < count; i++) {
        LLVMAddAttributeAtIndex(to, at, list[i]);
        LLVMAddCallSiteAttribute(call, at, list[i]);
    }
    tf_free(list);
}

// The body stays what it is, a function that other kernels may call, too; the kernel of
// today calls it.
static LLVMValueRef wrap(struct kernels *k, LLVMValueRef body, LLVMTypeRef type)
{
    const unsigned count = LLVMCountParams(body);
    const LLVMBuilderRef builder = LLVMCreateBuilderInContext(k->context);
    LLVMValueRef *const args = tf_zalloc((count + 1) * sizeof *args);
    const LLVMValueRef kernel = LLVMAddFunction(k->module, "", type);
    char *const name = tf_strdup(tf_ir_name(body));

    if (args && name) {
        LLVMSetValueName2(body, "", 0);
        LLVMSetValueName2(kernel, name, strlen(name));
        copy_metadata(body, kernel);
        LLVMSetFunctionCallConv(kernel, LLVMSPIRKERNELCallConv);
        LLVMSetFunctionCallConv(body, LLVMSPIRFUNCCallConv);
        LLVMSetLinkage(body, LLVMInternalLinkage);
        LLVMSetValueName2(body, "spir.body", strlen("spir.body"));
        tf_ir_add_attribute(kernel, "convergent");
        tf_ir_add_attribute(kernel, "nounwind");
        LLVMPositionBuilderAtEnd(builder,
                                 LLVMAppendBasicBlockInContext(k->context, kernel, ""));
        for (unsigned i = 0; i < count; i++)
            args[i] = convert(builder, LLVMGetParam(kernel, i),
                              LLVMTypeOf(LLVMGetParam(body, i)));
        const LLVMValueRef call =
            LLVMBuildCall2(builder, LLVMGlobalGetValueType(body), body, args, count, "");
        LLVMSetInstructionCallConv(call, LLVMSPIRFUNCCallConv);
        LLVMBuildRetVoid(builder);
        for (unsigned i = 0; i < count; i++)
            if (args[i] == LLVMGetParam(kernel, i))
                copy_attributes(body, i + 1, kernel, call);
    } else {
        fail(k, body, "no memory for the metadata");
    }
    tf_free(name);
    tf_free(args);
    LLVMDisposeBuilder(builder);
    return kernel;
}

static bool is_called(LLVMValueRef kernel)
{
    return LLVMGetFirstUse(kernel) != NULL;
}

static void convert_kernel(struct kernels *k, LLVMValueRef kernel)
{
    const unsigned count = LLVMCountParams(kernel);
    const LLVMTypeRef then = LLVMGlobalGetValueType(kernel);
    LLVMTypeRef *const params = tf_zalloc((count + 1) * sizeof *params);
    LLVMTypeRef now;

    if (!params) {
        fail(k, kernel, "no memory for the metadata");
        return;
    }
    if (LLVMGetTypeKind(LLVMGetReturnType(then)) != LLVMVoidTypeKind)
        fail(k, kernel, "a result");
    for (unsigned i = 0; i < count; i++)
        params[i] = param_now(k, kernel, i);
    now = LLVMFunctionType(LLVMVoidTypeInContext(k->context), params, count, false);
    tf_free(params);
    if (!k->failed && (now != then || is_called(kernel)))
        kernel = wrap(k, kernel, now);
    // Groups of unequal size came later.
    LLVMAddTargetDependentFunctionAttr(kernel, "uniform-work-group-size", "true");
}

bool tf_spir_kernels(LLVMModuleRef module, struct tf_str *log)
{
    struct kernels k = {
        .context = LLVMGetModuleContext(module), .module = module, .log = log};
    const LLVMValueRef last = LLVMGetLastFunction(module);
    LLVMValueRef f, next;

    take_nodes(&k);
    for (f = LLVMGetFirstFunction(module); f && !k.failed; f = next) {
        next = f == last ? NULL : LLVMGetNextFunction(f); // new ones stand behind
        if (tf_ir_is_kernel(f))
            convert_kernel(&k, f);
    }
    return !k.failed;
}
