// SPDX-License-Identifier: MIT
// Changes that wait (delay.h) of the few words at the start of a buffer: a table has a
// place for each of them, and needs no addresses. At the end of the range it is looked
// through for places that have changed.
#include "compiler/workgroup/item/delay.h"

#include <llvm-c/Core.h>

#include "abi/cpu_abi.h"
#include "compiler/ir/ir_util.h"
#include "compiler/workgroup/item/atomic_change.h"
#include "compiler/workgroup/kernel/wg.h"

enum { LOOK_BYTES = 8 }; // at once for places that have changed

struct direct {
    struct tf_wg *wg;
    LLVMBuilderRef b;
    unsigned mark;
    LLVMAtomicRMWBinOp op;
    LLVMTypeRef word;
    struct tf_delay_reach reach; // of all changes
    LLVMValueRef at, base;       // the table; the buffer, a number
};

// The byte of which a number changes nothing.
static bool has_byte(LLVMAtomicRMWBinOp op, uint8_t *byte)
{
    *byte = op == LLVMAtomicRMWBinOpAnd || op == LLVMAtomicRMWBinOpUMin ? 0xff : 0;
    return *byte || op == LLVMAtomicRMWBinOpAdd || op == LLVMAtomicRMWBinOpOr ||
           op == LLVMAtomicRMWBinOpXor || op == LLVMAtomicRMWBinOpUMax;
}

static bool is_own(const struct direct *d, LLVMValueRef i)
{
    return tf_delay_is_marked(i, d->mark) && tf_delay_kind(i) == (int)d->op;
}

// The reach of all of them. Another kind stays where it is.
static bool find_reach(struct direct *d)
{
    bool has_one = false;

    TF_FOR_EACH_INSTRUCTION(i, d->wg->forms->entry)
    {
        struct tf_delay_reach reach;

        if (!tf_delay_is_marked(i, d->mark))
            continue;
        if (!tf_delay_read_reach(i, d->mark, &reach))
            return false;
        if (!has_one) {
            d->op = (LLVMAtomicRMWBinOp)tf_delay_kind(i);
            d->word = LLVMTypeOf(i);
            d->reach = reach;
            has_one = true;
        }
        if (reach.argument != d->reach.argument)
            return false;
        if (reach.bytes > d->reach.bytes)
            d->reach.bytes = reach.bytes;
    }
    d->reach.bytes = (d->reach.bytes + LOOK_BYTES - 1) / LOOK_BYTES * LOOK_BYTES;
    return has_one;
}

static LLVMValueRef number(const struct direct *d, uint64_t n)
{
    return tf_wg_number(d->wg, n);
}

static void open_table(struct direct *d, uint8_t byte)
{
    const LLVMValueRef entry = d->wg->forms->entry;
    const LLVMTypeRef global = LLVMPointerTypeInContext(d->wg->context, TF_AS_GLOBAL);
    LLVMValueRef args;

    LLVMPositionBuilderBefore(d->b,
                              LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(entry)));
    d->at = LLVMBuildAlloca(d->b, LLVMArrayType2(d->wg->i64, d->reach.bytes / LOOK_BYTES),
                            "delayed");
    LLVMSetAlignment(d->at, 64);
    LLVMBuildMemSet(d->b, d->at, LLVMConstInt(d->wg->i8, byte, false),
                    number(d, d->reach.bytes), 64);
    args = tf_wg_load_fixed(d->wg, d->wg->ptr, LLVMGetParam(entry, TF_ENTRY_LAUNCH),
                            offsetof(struct tf_launch, args), 8, "");
    args =
        tf_wg_load_fixed(d->wg, global, args,
                         d->wg->item->args[d->reach.argument].block_offset_bytes, 8, "");
    d->base = LLVMBuildPtrToInt(d->b, args, d->wg->i64, "");
}

static void replace(struct direct *d, LLVMValueRef atomic)
{
    LLVMValueRef offset, place, by = LLVMGetOperand(atomic, 1);

    LLVMPositionBuilderBefore(d->b, atomic);
    if (LLVMGetAtomicRMWBinOp(atomic) == LLVMAtomicRMWBinOpSub)
        by = LLVMBuildNeg(d->b, by, "");
    offset = LLVMBuildPtrToInt(d->b, LLVMGetOperand(atomic, 0), d->wg->i64, "");
    offset = LLVMBuildSub(d->b, offset, d->base, "");
    place = LLVMBuildInBoundsGEP2(d->b, d->wg->i8, d->at, &offset, 1, "");
    LLVMBuildStore(
        d->b,
        tf_atomic_changed(d->b, d->op, LLVMBuildLoad2(d->b, d->word, place, ""), by),
        place);
    LLVMReplaceAllUsesWith(atomic, LLVMGetPoison(LLVMTypeOf(atomic)));
    LLVMInstructionEraseFromParent(atomic);
}

static LLVMBasicBlockRef add_block(struct direct *d, LLVMValueRef fn, const char *name)
{
    return LLVMAppendBasicBlockInContext(d->wg->context, fn, name);
}

// Changes memory by the words from `offset` on that have changed. The builder is left
// where that is done.
static void settle(struct direct *d, LLVMValueRef fn, LLVMValueRef offset, uint8_t byte)
{
    const uint64_t bytes = LLVMGetIntTypeWidth(d->word) / 8;
    const LLVMTypeRef global = LLVMPointerTypeInContext(d->wg->context, TF_AS_GLOBAL);

    for (uint64_t at = 0; at < LOOK_BYTES; at += bytes) {
        const LLVMBasicBlockRef changed = add_block(d, fn, ""),
                                next = add_block(d, fn, "");
        LLVMValueRef place = LLVMBuildAdd(d->b, offset, number(d, at), ""), by, word;

        word = LLVMBuildAdd(d->b, LLVMGetParam(fn, 1), place, "");
        place =
            LLVMBuildInBoundsGEP2(d->b, d->wg->i8, LLVMGetParam(fn, 0), &place, 1, "");
        by = LLVMBuildLoad2(d->b, d->word, place, "");
        LLVMBuildCondBr(d->b,
                        LLVMBuildICmp(d->b, LLVMIntNE, by,
                                      LLVMConstInt(d->word, byte ? UINT64_MAX : 0, false),
                                      ""),
                        changed, next);
        LLVMPositionBuilderAtEnd(d->b, changed);
        LLVMBuildAtomicRMW(d->b, d->op, LLVMBuildIntToPtr(d->b, word, global, ""), by,
                           LLVMAtomicOrderingMonotonic, false);
        LLVMBuildBr(d->b, next);
        LLVMPositionBuilderAtEnd(d->b, next);
    }
}

// A function (table, buffer) that brings all changes to memory.
static LLVMValueRef add_end(struct direct *d, LLVMTypeRef *type, uint8_t byte)
{
    LLVMTypeRef types[] = {d->wg->ptr, d->wg->i64};
    LLVMBasicBlockRef start, head, look, next, done;
    LLVMValueRef fn, offset, more, place, zero = number(d, 0);

    *type = LLVMFunctionType(d->wg->void_type, types, 2, false);
    fn = LLVMAddFunction(d->wg->module, "tf_delay_end", *type);
    tf_ir_add_attribute(fn, "nounwind");
    LLVMSetLinkage(fn, LLVMInternalLinkage);
    start = add_block(d, fn, "start");
    head = add_block(d, fn, "place");
    look = add_block(d, fn, "look");
    next = add_block(d, fn, "next");
    done = add_block(d, fn, "done");
    LLVMPositionBuilderAtEnd(d->b, start);
    LLVMBuildBr(d->b, head);
    LLVMPositionBuilderAtEnd(d->b, head);
    offset = LLVMBuildPhi(d->b, d->wg->i64, "");
    place = LLVMBuildInBoundsGEP2(d->b, d->wg->i8, LLVMGetParam(fn, 0), &offset, 1, "");
    more = LLVMBuildICmp(d->b, LLVMIntNE, LLVMBuildLoad2(d->b, d->wg->i64, place, ""),
                         number(d, byte ? UINT64_MAX : 0), "");
    LLVMBuildCondBr(d->b, more, look, next);
    LLVMPositionBuilderAtEnd(d->b, look);
    settle(d, fn, offset, byte);
    LLVMBuildBr(d->b, next);
    LLVMPositionBuilderAtEnd(d->b, next);
    place = LLVMBuildAdd(d->b, offset, number(d, LOOK_BYTES), "");
    more = LLVMBuildICmp(d->b, LLVMIntNE, place, number(d, d->reach.bytes), "");
    LLVMAddIncoming(offset, &zero, &start, 1);
    LLVMAddIncoming(offset, &place, &next, 1);
    tf_ir_mark_loop(LLVMBuildCondBr(d->b, more, head, done), TF_IR_NO_UNROLLING);
    LLVMPositionBuilderAtEnd(d->b, done);
    LLVMBuildRetVoid(d->b);
    return fn;
}

static void close_table(struct direct *d, uint8_t byte)
{
    LLVMTypeRef type;
    const LLVMValueRef end = add_end(d, &type, byte);
    LLVMValueRef args[] = {d->at, d->base};

    TF_FOR_EACH_BLOCK(block, d->wg->forms->entry)
    {
        const LLVMValueRef last = LLVMGetBasicBlockTerminator(block);

        if (LLVMGetInstructionOpcode(last) != LLVMRet)
            continue;
        LLVMPositionBuilderBefore(d->b, last);
        LLVMBuildCall2(d->b, type, end, args, 2, "");
    }
}

bool tf_delay_direct(struct tf_wg *wg, unsigned mark)
{
    struct direct d = {.wg = wg, .b = wg->builder, .mark = mark};
    LLVMValueRef next;
    uint8_t byte;

    if (!find_reach(&d) || !has_byte(d.op, &byte))
        return false;
    open_table(&d, byte);
    for (LLVMValueRef i = tf_ir_first(wg->forms->entry); i; i = next) {
        next = tf_ir_next(i);
        if (is_own(&d, i))
            replace(&d, i);
    }
    close_table(&d, byte);
    return true;
}
