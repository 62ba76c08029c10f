// SPDX-License-Identifier: MIT
#include "compiler/workgroup/group/sub_group.h"

#include <string.h>

#include <llvm-c/Core.h>

#include "abi/cpu_abi.h"
#include "compiler/workgroup/kernel/wg.h"

static const char prefix[] = "__tf_sub_group_";

// The type of the value follows the names that end with a line.
static const char *const names[] = {
    [TF_SUB_GROUP_WIDTH] = "width",      [TF_SUB_GROUP_ID] = "id",
    [TF_SUB_GROUP_LANE] = "lane",        [TF_SUB_GROUP_BARRIER] = "barrier",
    [TF_SUB_GROUP_BALLOT] = "ballot",    [TF_SUB_GROUP_BROADCAST] = "broadcast_",
    [TF_SUB_GROUP_SHUFFLE] = "shuffle_", [TF_SUB_GROUP_REDUCE] = "reduce_",
    [TF_SUB_GROUP_CLUSTER] = "cluster_", [TF_SUB_GROUP_SCAN] = "scan_",
};

static enum tf_sub_group_root root_named(const char *name)
{
    if (!name || strncmp(name, prefix, sizeof(prefix) - 1))
        return TF_SUB_GROUP_NONE;
    name += sizeof(prefix) - 1;
    for (size_t i = 1; i < sizeof(names) / sizeof(names[0]); i++) {
        const size_t length = strlen(names[i]);

        if (names[i][length - 1] == '_' ? !strncmp(name, names[i], length)
                                        : !strcmp(name, names[i]))
            return (enum tf_sub_group_root)i;
    }
    return TF_SUB_GROUP_NONE;
}

enum tf_sub_group_root tf_sub_group_root(LLVMValueRef call)
{
    return root_named(tf_wg_called_name(call));
}

bool tf_sub_group_is_uniform(enum tf_sub_group_root root)
{
    return root == TF_SUB_GROUP_ID || root == TF_SUB_GROUP_BALLOT ||
           root == TF_SUB_GROUP_BROADCAST || root == TF_SUB_GROUP_REDUCE;
}

bool tf_wg_uses_sub_groups(struct tf_wg *wg)
{
    size_t bytes;

    for (LLVMValueRef f = LLVMGetFirstFunction(wg->module); f;
         f = LLVMGetNextFunction(f)) {
        if (LLVMGetFirstUse(f) && root_named(LLVMGetValueName2(f, &bytes)))
            return true;
    }
    return false;
}

void tf_wg_read_sub_group_size(struct tf_wg *wg)
{
    static const char name[] = "intel_reqd_sub_group_size";
    const unsigned kind =
        LLVMGetMDKindIDInContext(wg->context, name, (unsigned)sizeof(name) - 1);
    size_t count;
    LLVMValueMetadataEntry *const entries = LLVMGlobalCopyAllMetadata(wg->kernel, &count);

    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef node, size = NULL;

        if (LLVMValueMetadataEntriesGetKind(entries, i) != kind)
            continue;
        node = LLVMMetadataAsValue(wg->context,
                                   LLVMValueMetadataEntriesGetMetadata(entries, i));
        if (LLVMGetMDNodeNumOperands(node) == 1)
            LLVMGetMDNodeOperands(node, &size);
        if (size && LLVMIsAConstantInt(size))
            wg->sub_group_size = (unsigned)LLVMConstIntGetZExtValue(size);
    }
    LLVMDisposeValueMetadataEntries(entries);
}

// ---- ids from the linear id

static LLVMValueRef local_size(struct tf_wg *wg, unsigned dim)
{
    return LLVMBuildLoad2(
        wg->builder, wg->i64,
        tf_wg_address(wg, LLVMGetParam(wg->item, TF_ITEM_GROUP),
                      offsetof(struct tf_group, local_size) + dim * sizeof(tf_u64)),
        "");
}

// a / b of i32, exact for 0 <= a < 2^22 and b > 0, which local ids and sizes are: (a +
// 1/2) / b is at least 1 / 2b away from an integer, more than a rounding in 24 bits moves
// it. Vectors of floats are divided at once, integers one by one.
static LLVMValueRef quotient(struct tf_wg *wg, LLVMValueRef a, LLVMValueRef b)
{
    const LLVMBuilderRef build = wg->builder;
    const LLVMTypeRef real = LLVMFloatTypeInContext(wg->context);
    const LLVMValueRef middle = LLVMBuildFAdd(build, LLVMBuildSIToFP(build, a, real, ""),
                                              LLVMConstReal(real, 0.5), "");

    return LLVMBuildFPToSI(
        build, LLVMBuildFDiv(build, middle, LLVMBuildSIToFP(build, b, real, ""), ""),
        LLVMTypeOf(a), "");
}

static LLVMValueRef remainder_of(struct tf_wg *wg, LLVMValueRef a, LLVMValueRef b)
{
    const LLVMBuilderRef build = wg->builder;

    return LLVMBuildSub(build, a, LLVMBuildMul(build, quotient(wg, a, b), b, ""), "");
}

LLVMValueRef tf_wg_linear_local_id(struct tf_wg *wg, LLVMValueRef linear, unsigned dim)
{
    const LLVMBuilderRef build = wg->builder;
    const LLVMTypeRef i32 = LLVMTypeOf(linear);
    LLVMValueRef size[2], id = linear;

    for (unsigned d = 0; d < 2; d++)
        size[d] = LLVMBuildTrunc(build, local_size(wg, d), i32, "");
    if (dim == 0)
        id = remainder_of(wg, id, size[0]);
    else
        id = quotient(wg, id, size[0]);
    if (dim == 1)
        id = remainder_of(wg, id, size[1]);
    else if (dim == 2)
        id = quotient(wg, id, size[1]);
    id = LLVMBuildZExt(build, id, wg->i64, "");
    LLVMSetNNeg(id, true);
    return id;
}

// ---- running the linear gangs of a group

static LLVMValueRef number(struct tf_wg *wg, uint64_t n)
{
    return LLVMConstInt(wg->i64, n, false);
}

static LLVMValueRef count_items(struct tf_wg *wg, const LLVMValueRef size[3])
{
    const LLVMValueRef plane = LLVMBuildNUWMul(wg->builder, size[0], size[1], "");

    return LLVMBuildNUWMul(wg->builder, plane, size[2], "items");
}

// Calls the gang at linear id `first` of a group of `items`.
static void call_gang(struct tf_wg *wg, LLVMValueRef fn, LLVMValueRef group,
                      LLVMValueRef first, LLVMValueRef items)
{
    const LLVMBuilderRef b = wg->builder;
    const LLVMValueRef left = LLVMBuildNUWSub(b, items, first, "");
    const LLVMValueRef size = number(wg, wg->sub_group_size);
    const LLVMValueRef is_last = LLVMBuildICmp(b, LLVMIntULT, left, size, "");
    LLVMValueRef args[TF_ITEM_PARAMS + 1] = {
        LLVMGetParam(fn, TF_ITEM_LAUNCH),
        LLVMGetParam(fn, TF_ITEM_WORKER),
        group,
        first,
        number(wg, 0),
        number(wg, 0),
        LLVMBuildSelect(b, is_last, left, size, "lanes"),
    };

    LLVMBuildCall2(b, LLVMGlobalGetValueType(wg->item), wg->item, args,
                   TF_ITEM_PARAMS + 1, "");
}

void tf_wg_emit_gang_loop(struct tf_wg *wg, LLVMValueRef group,
                          const LLVMValueRef size[3])
{
    const LLVMBuilderRef b = wg->builder;
    LLVMBasicBlockRef before = LLVMGetInsertBlock(b);
    LLVMBasicBlockRef head =
        LLVMAppendBasicBlockInContext(wg->context, wg->entry, "gangs");
    const LLVMBasicBlockRef done =
        LLVMAppendBasicBlockInContext(wg->context, wg->entry, "gangs_done");
    const LLVMValueRef items = count_items(wg, size);
    LLVMValueRef zero = number(wg, 0), first, next;

    LLVMBuildBr(b, head);
    LLVMPositionBuilderAtEnd(b, head);
    first = LLVMBuildPhi(b, wg->i64, "first");
    LLVMAddIncoming(first, &zero, &before, 1);
    call_gang(wg, wg->entry, group, first, items);
    next = LLVMBuildNUWAdd(b, first, number(wg, wg->sub_group_size), "");
    LLVMAddIncoming(first, &next, &head, 1);
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntULT, next, items, ""), head, done);
    LLVMPositionBuilderAtEnd(b, done);
}

// What the service runs on each fiber: the gang with the number `lid0`. It is given the
// second struct, whose local size is the number of gangs.
static LLVMValueRef add_fiber_function(struct tf_wg *wg)
{
    const LLVMBuilderRef b = wg->builder;
    const LLVMBasicBlockRef here = LLVMGetInsertBlock(b);
    const LLVMValueRef fn = LLVMAddFunction(wg->module, "tf_gang_fiber", wg->item_type);
    LLVMValueRef group, size[3], first;

    tf_wg_add_function_attrs(wg, wg->item, fn);
    LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(wg->context, fn, "gang"));
    group = tf_wg_address(wg, LLVMGetParam(fn, TF_ITEM_GROUP),
                          (uint64_t) - (int64_t)sizeof(struct tf_group));
    for (unsigned d = 0; d < 3; d++)
        size[d] = LLVMBuildLoad2(
            b, wg->i64,
            tf_wg_address(wg, group,
                          offsetof(struct tf_group, local_size) + d * sizeof(tf_u64)),
            "");
    first = LLVMBuildNUWMul(b, LLVMGetParam(fn, TF_ITEM_LID),
                            number(wg, wg->sub_group_size), "");
    call_gang(wg, fn, group, first, count_items(wg, size));
    LLVMBuildRetVoid(b);
    LLVMPositionBuilderAtEnd(b, here);
    return fn;
}

void tf_wg_emit_gang_fibers(struct tf_wg *wg, LLVMValueRef group,
                            const LLVMValueRef size[3])
{
    const LLVMBuilderRef b = wg->builder;
    const LLVMValueRef fibers = tf_wg_address(wg, group, sizeof(struct tf_group));
    const LLVMValueRef items = count_items(wg, size);
    const LLVMValueRef fn = add_fiber_function(wg);
    LLVMValueRef gangs =
        LLVMBuildNUWAdd(b, items, number(wg, wg->sub_group_size - 1), "");

    gangs = LLVMBuildUDiv(b, gangs, number(wg, wg->sub_group_size), "");
    for (unsigned d = 0; d < 3; d++)
        LLVMBuildStore(
            b, d == 0 ? gangs : number(wg, 1),
            tf_wg_address(wg, fibers,
                          offsetof(struct tf_group, local_size) + d * sizeof(tf_u64)));
    tf_wg_emit_fibers(wg, fibers, fn);
}
