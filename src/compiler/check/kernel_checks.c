// SPDX-License-Identifier: MIT
#include "compiler/check/kernel_checks.h"

#include <string.h>

#include <llvm-c/Core.h>
#include <llvm-c/Error.h>

#include "base/alloc.h"
#include "compiler/check/check_values.h"
#include "compiler/check/checks.h"
#include "compiler/ir/ir_util.h"
#include "compiler/ir/kernel_metadata.h"
#include "compiler/ir/passes.h"
#include "compiler/ir/roots.h"
#include "compiler/lower/kept/kept_functions.h"

// ---- The work-item ----

static LLVMValueRef call_root(struct tf_checks *c, enum tf_root root, LLVMTypeRef result,
                              bool has_dim, unsigned dim)
{
    LLVMTypeRef param = LLVMInt32TypeInContext(c->context);
    const LLVMTypeRef type = LLVMFunctionType(result, &param, has_dim, false);
    const LLVMValueRef fn = tf_check_declare(c, root, type);
    LLVMValueRef arg = LLVMConstInt(param, dim, false);

    return LLVMBuildCall2(c->b, LLVMGlobalGetValueType(fn), fn, &arg, has_dim, "");
}

static void store(struct tf_checks *c, LLVMValueRef value, size_t offset_bytes)
{
    LLVMValueRef offset = tf_check_number(c, offset_bytes);
    const LLVMTypeRef i8 = LLVMInt8TypeInContext(c->context);

    LLVMBuildStore(c->b, value, LLVMBuildGEP2(c->b, i8, c->at->item, &offset, 1, ""));
}

// The record, and the call that begins with it, before all that is checked.
static void add_item(struct tf_checks *c)
{
    const unsigned words = sizeof(struct tf_check_item) / sizeof(uint64_t);
    const struct tf_check_site begin = {.op = TF_CHECK_BEGIN};
    const LLVMValueRef none = tf_check_number(c, 0);

    LLVMPositionBuilderBefore(c->b,
                              LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(c->kernel)));
    c->at->item = LLVMBuildAlloca(c->b, LLVMArrayType2(c->i64, words), "check");
    LLVMSetAlignment(c->at->item, 8);
    LLVMPositionBuilderBefore(c->b, tf_check_behind_variables(c->kernel));
    c->at->begin =
        tf_check_call(c, tf_check_add_site(c, c->at->item, &begin), none, none, none);
}

static void fill_item(struct tf_checks *c, LLVMValueRef table)
{
    const LLVMValueRef group_root =
        LLVMGetNamedFunction(c->module, tf_root_name(TF_ROOT_GROUP));
    const LLVMTypeRef group_type =
        group_root ? LLVMGetReturnType(LLVMGlobalGetValueType(group_root)) : c->ptr;
    LLVMValueRef group;

    LLVMPositionBuilderBefore(c->b, c->at->begin);
    store(c, LLVMBuildAddrSpaceCast(c->b, table, c->ptr, ""),
          offsetof(struct tf_check_item, table));
    group = call_root(c, TF_ROOT_GROUP, group_type, false, 0);
    if (group_type != c->ptr)
        group = LLVMBuildAddrSpaceCast(c->b, group, c->ptr, "");
    store(c, group, offsetof(struct tf_check_item, group));
    for (unsigned d = 0; d < 3; d++)
        store(c, call_root(c, TF_ROOT_LOCAL_ID, c->i64, true, d),
              offsetof(struct tf_check_item, local_id) + d * sizeof(uint64_t));
}

// ---- The kernel ----

static void call_at(struct tf_checks *c, LLVMValueRef instruction, enum tf_check_op op,
                    unsigned flags, LLVMValueRef address)
{
    const struct tf_check_site site = {.op = (uint8_t)op, .flags = (uint8_t)flags};

    tf_check_call(c, tf_check_add_site(c, instruction, &site),
                  address ? address : tf_check_number(c, 0), tf_check_number(c, 0),
                  tf_check_number(c, 0));
}

static bool follows_groups(const struct tf_checks *c)
{
    return c->modes & (TF_CHECK_RACES | TF_CHECK_DIVERGENCE);
}

// A call on each side of the barrier.
static void add_to_barrier(struct tf_checks *c, LLVMValueRef i)
{
    if (!follows_groups(c))
        return;
    call_at(c, i, TF_CHECK_BARRIER, 0, NULL);
    LLVMPositionBuilderBefore(c->b, LLVMGetNextInstruction(i));
    call_at(c, i, TF_CHECK_BARRIER_LEFT, 0, NULL);
}

static void add_to_image(struct tf_checks *c, LLVMValueRef call)
{
    enum { IMAGE, SAMPLER, FIRST, SECOND, WHAT };
    const LLVMValueRef image = LLVMGetOperand(call, IMAGE);
    const struct tf_check_origin origin = tf_check_origin(c, image);
    const struct tf_check_site site = {
        .op = TF_CHECK_IMAGE,
        .base = (uint8_t)origin.base,
        .arg = origin.arg,
        .object_bytes = LLVMConstIntGetZExtValue(LLVMGetOperand(call, WHAT))};

    tf_check_call_with(c, tf_check_add_site(c, call, &site),
                       LLVMBuildPtrToInt(c->b, image, c->i64, ""),
                       LLVMGetOperand(call, FIRST), LLVMGetOperand(call, SECOND),
                       LLVMGetOperand(call, SAMPLER));
    LLVMInstructionEraseFromParent(call);
}

static void add_to_root(struct tf_checks *c, LLVMValueRef i, enum tf_root root)
{
    if (root == TF_ROOT_BARRIER)
        add_to_barrier(c, i);
    if (root == TF_ROOT_ENQUEUE)
        call_at(c, i, TF_CHECK_ENQUEUE, 0, NULL);
    // Members of a sub-group go together: the library's own functions rely on it.
    if (root >= TF_ROOT_SUB_GROUP_BARRIER && root <= TF_ROOT_SUB_GROUP_SCAN &&
        c->modes & TF_CHECK_RACES) {
        LLVMPositionBuilderBefore(c->b, LLVMGetNextInstruction(i));
        call_at(c, i, TF_CHECK_SUB_GROUP, 0, NULL);
    }
    if (root == TF_ROOT_CHECK_FLAGS) {
        call_at(c, i, TF_CHECK_FLAGS, 0,
                LLVMBuildZExt(c->b, LLVMGetOperand(i, 0), c->i64, ""));
        LLVMInstructionEraseFromParent(i);
    }
    if (root == TF_ROOT_CHECK_IMAGE)
        add_to_image(c, i);
}

// Variables of a kept function are gone then.
static void add_to_return(struct tf_checks *c, LLVMValueRef i)
{
    const struct tf_check_site site = {.op = TF_CHECK_LEAVE};
    const LLVMValueRef none = tf_check_number(c, 0);

    if (c->at->begin)
        call_at(c, i, TF_CHECK_END, 0, NULL);
    else if (c->at->followed_count > 0)
        tf_check_call(c, tf_check_add_site(c, i, &site), none,
                      tf_check_number(c, c->at->followed_count), none);
}

// What was there before anything was added.
static void add_to(struct tf_checks *c, LLVMValueRef i)
{
    const enum tf_root root = tf_root_of(i);

    LLVMPositionBuilderBefore(c->b, i);
    if (root != TF_ROOT_NONE)
        add_to_root(c, i, root);
    else if (LLVMIsAReturnInst(i))
        add_to_return(c, i);
    else if (LLVMIsAFenceInst(i) && c->modes & TF_CHECK_RACES)
        call_at(c, i, TF_CHECK_FENCE, tf_check_order(LLVMGetOrdering(i)), NULL);
    else
        tf_check_access(c, i);
}

// The instructions are taken down first: what is added has no checks.
static bool add_calls(struct tf_checks *c)
{
    size_t count = 0, n = 0;
    LLVMValueRef *all;

    TF_FOR_EACH_INSTRUCTION(i, c->at->function)
    {
        count++;
    }
    all = tf_zalloc((count + 1) * sizeof(*all));
    if (!all)
        return false;
    TF_FOR_EACH_INSTRUCTION(i, c->at->function)
    {
        all[n++] = i;
    }
    for (size_t i = 0; i < count; i++)
        add_to(c, all[i]);
    tf_free(all);
    return true;
}

static bool has_run(char *text, struct tf_str *log)
{
    if (!text)
        return true;
    tf_str_printf(log, "error: checks: %s\n", text);
    LLVMDisposeErrorMessage(text);
    return false;
}

// What other kernels of the program keep is inlined into this one, as anything else.
static bool settle_calls(const struct tf_checks *c, struct tf_str *log)
{
    bool keeps;

    if (!tf_kept_functions_settle(c->kernel, &keeps))
        return false;
    if (keeps)
        return true;
    TF_FOR_EACH_FUNCTION(f, c->module)
    {
        if (f != c->kernel && !LLVMIsDeclaration(f))
            tf_ir_add_attribute(f, "alwaysinline");
    }
    return has_run(tf_ir_run_passes(c->module, "always-inline,globaldce", NULL), log);
}

// Pointers in variables would hide where they come from; sroa and its like would take an
// access past a variable's end for one that never happens.
static bool promote(LLVMValueRef function, struct tf_str *log)
{
    return has_run(tf_ir_run_passes_on(function, "mem2reg", NULL), log);
}

// Before any is given its calls: where an address comes from, all have to show.
static bool prepare(struct tf_checks *c, struct tf_str *log)
{
    if (c->modes & TF_CHECK_UNINITIALIZED && !tf_check_values(c))
        return false;
    if (!promote(c->at->function, log))
        return false;
    tf_check_values_settle(c);
    return true;
}

static bool add_all(struct tf_checks *c, struct tf_str *log)
{
    LLVMValueRef table;

    c->at = c->functions;
    add_item(c);
    tf_check_functions_widen(c);
    for (size_t i = 0; i < c->function_count; i++) {
        c->at = &c->functions[i];
        if (!prepare(c, log))
            return false;
    }
    for (size_t i = 0; i < c->function_count; i++) {
        c->at = &c->functions[i];
        if (!add_calls(c))
            return false;
    }
    c->at = c->functions;
    table = tf_check_table(c);
    if (!table)
        return false;
    fill_item(c, table);
    return true;
}

bool tf_kernel_checks_add(LLVMModuleRef module, LLVMValueRef kernel, struct tf_str *log)
{
    const LLVMContextRef context = LLVMGetModuleContext(module);
    struct tf_checks c = {
        .context = context,
        .module = module,
        .layout = LLVMGetModuleDataLayout(module),
        .b = LLVMCreateBuilderInContext(context),
        .kernel = kernel,
        .i64 = LLVMInt64TypeInContext(context),
        .ptr = LLVMPointerTypeInContext(context, 0),
        .arg_count = LLVMCountParams(kernel),
        .modes = tf_check_modes_of(module),
    };
    bool ok = false;

    c.args = tf_zalloc((c.arg_count + 1) * sizeof(*c.args));
    if (c.args && settle_calls(&c, log) && tf_check_functions_find(&c)) {
        tf_arg_layout(kernel, c.layout, c.args);
        ok = add_all(&c, log);
    }
    if (!ok)
        tf_str_add(log, "error: the kernel could not be given its checks\n");
    tf_free(c.args);
    tf_free(c.functions);
    tf_free(c.sites.data);
    tf_free(c.texts.data);
    LLVMDisposeBuilder(c.b);
    return ok;
}
