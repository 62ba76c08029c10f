// SPDX-License-Identifier: MIT
// Pass "group": the entry function. It walks the groups of the range [first, first +
// count) with their three-dimensional numbers, cuts the last group of a row to what is
// left of the global size, fills struct tf_group and runs the group's work-items in the
// kernel's form.
#include <stdio.h>
#include <string.h>

#include <llvm-c/Core.h>

#include "abi/cpu_abi.h"
#include "base/alloc.h"
#include "base/str.h"
#include "compiler/workgroup/group/linear_gangs.h"
#include "compiler/workgroup/kernel/wg.h"

enum {
    // Work-items of groups that run as one: enough for the loops. In longer rows what
    // LLVM looks at before it vectorizes (whether the memory of a row overlaps) fails
    // more often.
    ITEMS_AT_A_TIME = 256,
};

static LLVMValueRef no_wrap(LLVMValueRef value)
{
    if (LLVMIsAInstruction(value)) {
        LLVMSetNUW(value, true);
        LLVMSetNSW(value, true);
    }
    return value;
}

// But for addresses and values that nobody needs: those go later.
static bool is_needed(LLVMValueRef value)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        const LLVMValueRef user = LLVMGetUser(use);

        if ((!LLVMIsALoadInst(user) && !LLVMIsAGetElementPtrInst(user)) ||
            is_needed(user))
            return true;
    }
    return false;
}

// Whether the work-items of groups side by side can run as those of one group: nobody can
// tell, and nobody has anything in common with the others of a group.
static bool can_join_groups(const struct tf_wg *wg)
{
    return wg->forms->form == TF_WG_LOOPS && !wg->item->has_barrier &&
           !wg->item->sub_groups && !wg->item->asked.group &&
           !wg->item->asked.local_id[0] &&
           !is_needed(LLVMGetParam(wg->item->function, TF_ITEM_WORKER));
}

// How many groups run as one at most.
static LLVMValueRef most_groups(struct tf_wg *wg, const struct tf_wg_sizes *s)
{
    const LLVMValueRef one = LLVMConstInt(wg->i64, 1, false);
    const LLVMValueRef items = LLVMConstInt(wg->i64, ITEMS_AT_A_TIME, false);
    LLVMValueRef large;

    if (!can_join_groups(wg))
        return one;
    large = LLVMBuildICmp(wg->builder, LLVMIntUGT, s->local[0], items, "");
    return LLVMBuildSelect(wg->builder, large, one,
                           LLVMBuildUDiv(wg->builder, items, s->local[0], ""), "");
}

// How many do, of the row from `id` on and of the range.
static LLVMValueRef count_groups(struct tf_wg *wg, const struct tf_wg_sizes *s,
                                 LLVMValueRef id, LLVMValueRef left, LLVMValueRef most)
{
    if (LLVMIsAConstantInt(most))
        return most;
    return tf_wg_min(
        wg, most,
        tf_wg_min(wg, left, no_wrap(LLVMBuildSub(wg->builder, s->groups[0], id, ""))));
}

static void fill_group(struct tf_wg *wg, const struct tf_wg_sizes *s, LLVMValueRef group,
                       const LLVMValueRef id[3], LLVMValueRef count, LLVMValueRef size[3])
{
    const LLVMBuilderRef b = wg->builder;

    for (size_t d = 0; d < 3; d++) {
        const LLVMValueRef start = no_wrap(LLVMBuildMul(b, id[d], s->local[d], ""));
        const LLVMValueRef left = no_wrap(LLVMBuildSub(b, s->global[d], start, ""));
        // Of the last groups of a row this may be more than what is left.
        const LLVMValueRef full =
            d ? s->local[d] : LLVMBuildMul(b, count, s->local[d], "");
        const LLVMValueRef ragged = LLVMBuildICmp(b, LLVMIntULT, left, full, "");
        // The global id may pass 2^63 only where the offset does: unsigned.
        const LLVMValueRef base = LLVMBuildAdd(b, start, s->offset[d], "");

        size[d] = LLVMBuildSelect(b, ragged, left, full, "");
        LLVMBuildStore(b, id[d],
                       tf_wg_address(wg, group, TF_WG_GROUP_FIELD(group_id, d)));
        LLVMBuildStore(b, size[d],
                       tf_wg_address(wg, group, TF_WG_GROUP_FIELD(local_size, d)));
        LLVMBuildStore(b, base,
                       tf_wg_address(wg, group, TF_WG_GROUP_FIELD(global_base, d)));
    }
}

// The number after `count` groups of a row, without a division.
static void step(struct tf_wg *wg, const struct tf_wg_sizes *s, const LLVMValueRef id[3],
                 LLVMValueRef count, LLVMValueRef next[3])
{
    const LLVMBuilderRef b = wg->builder;
    LLVMValueRef carry = count, full;

    for (size_t d = 0; d < 3; d++) {
        next[d] = LLVMBuildAdd(b, id[d], carry, "");
        if (d == 2)
            break; // past the last group of the launch the value is not used
        full = LLVMBuildICmp(b, LLVMIntEQ, next[d], s->groups[d], "");
        next[d] = LLVMBuildSelect(b, full, LLVMConstNull(wg->i64), next[d], "");
        carry = LLVMBuildZExt(b, full, wg->i64, "");
    }
}

static LLVMValueRef add_phi(struct tf_wg *wg, LLVMValueRef value, LLVMBasicBlockRef from)
{
    const LLVMValueRef phi = LLVMBuildPhi(wg->builder, wg->i64, "");

    LLVMAddIncoming(phi, &value, &from, 1);
    return phi;
}

static void build_loop(struct tf_wg *wg, LLVMBasicBlockRef setup, LLVMBasicBlockRef done,
                       LLVMValueRef group)
{
    const LLVMBuilderRef b = wg->builder;
    LLVMBasicBlockRef head, latch;
    LLVMValueRef first[3], id[3], next[3], size[3], left, fewer, most, count;
    struct tf_wg_sizes s;

    LLVMPositionBuilderAtEnd(b, setup);
    tf_wg_load_sizes(wg, &s);
    tf_wg_load_dimensions(wg, TF_ENTRY_FIRST, 0, first);
    most = most_groups(wg, &s);
    head = LLVMAppendBasicBlockInContext(wg->context, wg->forms->entry, "group");
    LLVMBuildBr(b, head);
    LLVMPositionBuilderAtEnd(b, head);
    for (size_t d = 0; d < 3; d++)
        id[d] = add_phi(wg, first[d], setup);
    left = add_phi(wg, LLVMGetParam(wg->forms->entry, TF_ENTRY_COUNT), setup);
    count = count_groups(wg, &s, id[0], left, most);
    fill_group(wg, &s, group, id, count, size);
    if (wg->forms->form == TF_WG_FIBERS && wg->item->sub_groups)
        tf_wg_emit_gang_fibers(wg, group, size);
    else if (wg->forms->form == TF_WG_FIBERS)
        tf_wg_emit_fibers(wg, group, wg->item->function);
    else if (wg->forms->group_loops)
        tf_wg_emit_group_call(wg, group, wg->forms->group_loops);
    else if (wg->item->sub_groups)
        tf_wg_emit_gang_loop(wg, group, size);
    else
        tf_wg_emit_loops(wg, group, size);
    latch = LLVMGetInsertBlock(b);
    step(wg, &s, id, count, next);
    fewer = LLVMBuildSub(b, left, count, "");
    for (size_t d = 0; d < 3; d++)
        LLVMAddIncoming(id[d], &next[d], &latch, 1);
    LLVMAddIncoming(left, &fewer, &latch, 1);
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntEQ, fewer, LLVMConstNull(wg->i64), ""),
                    done, head);
}

bool tf_wg_add_entry(struct tf_wg *wg, struct tf_group_forms *forms, LLVMValueRef from)
{
    struct tf_str str = {0};
    LLVMValueRef other;
    char *name;

    tf_str_printf(&str, "tf_wg_%s", wg->kernel_name);
    name = tf_str_take(&str);
    if (!name)
        return tf_wg_fail(wg, "out of memory");
    other = LLVMGetNamedFunction(wg->module, name); // the user's choice of a name
    if (other)
        LLVMSetValueName2(other, "", 0);
    forms->entry = LLVMAddFunction(wg->module, name, wg->entry_type);
    tf_free(name);
    tf_wg_add_function_attrs(from, wg->forms->entry);
    return true;
}

bool tf_wg_group(struct tf_wg *wg, struct tf_group_forms *forms)
{
    const LLVMBuilderRef b = wg->builder;
    const unsigned group_words = sizeof(struct tf_group) / sizeof(tf_u64);
    LLVMBasicBlockRef start, setup, done;
    LLVMValueRef group, none;

    if (!wg->item->function) // lanes serve alone
        return true;
    if (!tf_wg_add_entry(wg, forms, wg->item->function))
        return false;
    start = LLVMAppendBasicBlockInContext(wg->context, wg->forms->entry, "start");
    setup = LLVMAppendBasicBlockInContext(wg->context, wg->forms->entry, "setup");
    done = LLVMAppendBasicBlockInContext(wg->context, wg->forms->entry, "done");
    LLVMPositionBuilderAtEnd(b, start);
    // Gangs on fibers have a struct of their own, behind the group's.
    group = LLVMBuildAlloca(
        b, LLVMArrayType2(wg->i64, wg->item->sub_groups ? 2 * group_words : group_words),
        "group");
    none = LLVMBuildICmp(b, LLVMIntEQ, LLVMGetParam(wg->forms->entry, TF_ENTRY_COUNT),
                         LLVMConstNull(wg->i64), "");
    LLVMBuildCondBr(b, none, done, setup);
    build_loop(wg, setup, done, group);
    LLVMPositionBuilderAtEnd(b, done);
    LLVMBuildRetVoid(b);
    return true;
}
