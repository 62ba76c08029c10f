// SPDX-License-Identifier: MIT
// Pass "ids": the roots that built-ins stand on (cpu_abi.h) become parameters of the item
// function, and the form of the kernel is settled.
//
// The gang pass needs to see what an id is, whatever LLVM makes of the arithmetic round
// it. In wg->item->wide an id is a call of a pure function without a body, tf_lid<d> or
// tf_gid<d>, of 32 bits: global ids in the range that small launches keep
// (workgroup/kernel/small.h), local ids in that of groups. LLVM then simplifies
// `(int)get_global_id(0)` to the call.
#include <string.h>

#include <llvm-c/Core.h>

#include "abi/cpu_abi.h"
#include "compiler/ir/ir_util.h"
#include "compiler/ir/roots.h"
#include "compiler/lower/kept/kept_functions.h"
#include "compiler/workgroup/item/known_sizes.h"
#include "compiler/workgroup/item/sub_group.h"
#include "compiler/workgroup/kernel/small.h"
#include "compiler/workgroup/kernel/wg.h"

// Loads through `pointer`, which points into the launch or the worker. Their fields do
// not change while the entry function runs.
static void mark_loads(struct tf_wg *wg, LLVMValueRef pointer)
{
    for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use)) {
        const LLVMValueRef user = LLVMGetUser(use);

        if (LLVMIsALoadInst(user))
            tf_wg_mark_fixed(wg, user);
        else if (LLVMIsAGetElementPtrInst(user) || LLVMIsAAddrSpaceCastInst(user))
            mark_loads(wg, user);
    }
}

// What the ids of a root are below. Local ids are small: a uint `5 * get_local_id(0) + 3`
// does not wrap, and is an index of 64 bits that counts up with the lanes, too.
static uint64_t end_of(const struct tf_wg *wg, enum tf_root root)
{
    const unsigned d = root - TF_ROOT_LID;
    uint64_t size = TF_GROUP_ITEMS_MAX;

    if (root >= TF_ROOT_GID)
        return TF_SMALL_END;
    if (!wg->item->sub_groups && wg->item->reqd_size[d])
        size = wg->item->reqd_size[d];
    return size + TF_SMALL_PAST;
}

static LLVMValueRef small_id_function(struct tf_wg *wg, enum tf_root root)
{
    const char *const name = tf_root_name(root);
    static const char *const given[] = {"nounwind", "willreturn",   "nosync",
                                        "nofree",   "speculatable", "memory"};
    const LLVMTypeRef i32 = LLVMInt32TypeInContext(wg->context);
    const uint64_t lower = 0, upper = end_of(wg, root);
    LLVMValueRef fn = LLVMGetNamedFunction(wg->module, name);

    if (fn)
        return fn;
    fn = LLVMAddFunction(wg->module, name, LLVMFunctionType(i32, NULL, 0, false));
    for (size_t i = 0; i < sizeof(given) / sizeof(given[0]); i++)
        tf_ir_add_attribute(fn, given[i]);
    LLVMAddAttributeAtIndex(fn, LLVMAttributeReturnIndex,
                            LLVMCreateConstantRangeAttribute(
                                wg->context,
                                LLVMGetEnumAttributeKindForName("range", strlen("range")),
                                32, &lower, &upper));
    return fn;
}

static LLVMValueRef small_id(struct tf_wg *wg, bool global, unsigned dim)
{
    LLVMValueRef fn, id, wide;

    fn = small_id_function(wg, (global ? TF_ROOT_GID : TF_ROOT_LID) + dim);
    id = LLVMBuildCall2(wg->builder, LLVMGlobalGetValueType(fn), fn, NULL, 0, "");
    wide = LLVMBuildZExt(wg->builder, id, wg->i64, "");
    LLVMSetNNeg(wide, true);
    return wide;
}

// In the function of the linear gang tf_lid0 is the linear id.
static LLVMValueRef local_id(struct tf_wg *wg, LLVMValueRef item, unsigned dim)
{
    LLVMValueRef fn;

    if (!wg->item->sub_groups)
        return LLVMGetParam(item, TF_ITEM_LID + dim);
    fn = small_id_function(wg, TF_ROOT_LID);
    return tf_wg_linear_local_id(
        wg, LLVMBuildCall2(wg->builder, LLVMGlobalGetValueType(fn), fn, NULL, 0, ""),
        dim);
}

static LLVMValueRef item_id(struct tf_wg *wg, struct tf_item *made, LLVMValueRef item,
                            bool global, unsigned dim)
{
    const LLVMValueRef local = local_id(wg, item, dim);
    LLVMValueRef base;

    if (!global) {
        made->asked.local_id[dim] = true;
        return local;
    }
    base = LLVMBuildLoad2(wg->builder, wg->i64,
                          tf_wg_address(wg, LLVMGetParam(item, TF_ITEM_GROUP),
                                        TF_WG_GROUP_FIELD(global_base, dim)),
                          "");
    return LLVMBuildAdd(wg->builder, base, local, "");
}

// The value that takes the place of a call of the root; NULL if that is unknown.
static LLVMValueRef root_value(struct tf_wg *wg, struct tf_item *made, LLVMValueRef item,
                               enum tf_root root, LLVMValueRef call)
{
    const bool global = root == TF_ROOT_GLOBAL_ID;
    LLVMValueRef dim;
    unsigned d;

    if (root == TF_ROOT_LAUNCH)
        return LLVMGetParam(item, TF_ITEM_LAUNCH);
    if (root == TF_ROOT_WORKER)
        return LLVMGetParam(item, TF_ITEM_WORKER);
    if (root == TF_ROOT_GROUP) {
        made->asked.group = true;
        return LLVMGetParam(item, TF_ITEM_GROUP);
    }
    if (root == TF_ROOT_SPACE)
        return tf_wg_space(wg, item, call);
    if (root == TF_ROOT_SUB_GROUP_WIDTH)
        return LLVMConstInt(LLVMTypeOf(call), wg->item->sub_group_size, false);
    if (root != TF_ROOT_LOCAL_ID && !global)
        return NULL;
    dim = LLVMGetOperand(call, 0);
    if (!LLVMIsAConstantInt(dim) || LLVMConstIntGetZExtValue(dim) > 2)
        return NULL;
    d = (unsigned)LLVMConstIntGetZExtValue(dim);
    LLVMPositionBuilderBefore(wg->builder, call);
    return item == wg->item->wide ? small_id(wg, global, d)
                                  : item_id(wg, made, item, global, d);
}

static void replace_root(struct tf_wg *wg, LLVMValueRef call, LLVMValueRef value)
{
    const LLVMTypeRef type = LLVMTypeOf(call);

    if (type != LLVMTypeOf(value)) { // OpenCL C 2.0 and later: a generic pointer
        LLVMPositionBuilderBefore(wg->builder, call);
        value = LLVMBuildAddrSpaceCast(wg->builder, value, type, "");
    }
    LLVMReplaceAllUsesWith(call, value);
    LLVMInstructionEraseFromParent(call);
}

static bool is_atomic(LLVMValueRef i)
{
    switch ((int)LLVMGetInstructionOpcode(i)) {
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        return true;
    case LLVMStore:
        return LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic;
    default:
        return false;
    }
}

static bool replace_roots(struct tf_wg *wg, struct tf_item *made, LLVMValueRef item,
                          LLVMBasicBlockRef block)
{
    LLVMValueRef next;

    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = next) {
        const enum tf_root root = tf_root_of(i);
        LLVMValueRef value;

        next = LLVMGetNextInstruction(i);
        made->has_barrier |= root == TF_ROOT_BARRIER;
        made->has_atomics |= is_atomic(i);
        if (root < TF_ROOT_LOCAL_ID || root == TF_ROOT_BARRIER || root == TF_ROOT_PRINT ||
            root == TF_ROOT_ENQUEUE || root == TF_ROOT_ASK || root == TF_ROOT_CHECK ||
            (tf_root_is_sub_group(root) && root != TF_ROOT_SUB_GROUP_WIDTH))
            continue;
        value = root_value(wg, made, item, root, i);
        if (!value)
            return tf_wg_fail(wg, "kernel %s: %s is called in an unknown way",
                              wg->kernel_name, tf_ir_called_name(i));
        replace_root(wg, i, value);
    }
    return true;
}

static bool lower_ids(struct tf_wg *wg, struct tf_item *made, LLVMValueRef item)
{
    LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(item);

    for (; block; block = LLVMGetNextBasicBlock(block)) {
        if (!replace_roots(wg, made, item, block))
            return false;
    }
    mark_loads(wg, LLVMGetParam(item, TF_ITEM_LAUNCH));
    mark_loads(wg, LLVMGetParam(item, TF_ITEM_WORKER));
    tf_known_sizes(wg, item);
    return true;
}

static bool settle_sub_groups(struct tf_wg *wg, struct tf_item *made)
{
    made->sub_groups = tf_wg_uses_sub_groups(wg);
    if (!wg->item->sub_groups)
        return true;
    if (wg->item->sub_group_size < 2 || wg->item->sub_group_size > 64 ||
        (wg->item->sub_group_size & (wg->item->sub_group_size - 1)))
        return tf_wg_fail(wg, "kernel %s: sub-groups of %u work-items", wg->kernel_name,
                          wg->item->sub_group_size);
    return true;
}

// What calls pass on.
static void ask_for_all(struct tf_item *made)
{
    for (unsigned d = 0; d < 3; d++)
        made->asked.local_id[d] = true;
    made->asked.group = true;
}

bool tf_wg_ids(struct tf_wg *wg, struct tf_item *made)
{
    if (!settle_sub_groups(wg, made))
        return false;
    if (!lower_ids(wg, made, wg->item->function) ||
        (wg->item->wide && !lower_ids(wg, made, wg->item->wide)))
        return false;
    TF_FOR_EACH_FUNCTION(f, wg->module)
    {
        if (tf_kept_function(f) && !lower_ids(wg, made, f))
            return false;
    }
    if (wg->item->calls)
        ask_for_all(made);
    made->form = wg->wishes->form == TF_WG_FIBERS ? TF_WG_FIBERS : TF_WG_LOOPS;
    return true;
}
