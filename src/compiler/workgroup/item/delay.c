// SPDX-License-Identifier: MIT
// The table of changes that wait (delay.h): an entry is the address of a word, or 0, and
// what is to be brought together with it. The address says which entry. It lies on the
// stack of the entry function; small ranges use a few entries only, because all of them
// are looked at in the end. An entry whose word another one takes the place of goes to
// memory. Where that has happened often there are too many words for a table: then
// entries stay as they are, and what has none changes memory at once.
#include "compiler/workgroup/item/delay.h"

#include <string.h>

#include <llvm-c/Core.h>

#include "abi/cpu_abi.h"
#include "compiler/ir/ir_util.h"
#include "compiler/workgroup/item/atomic_change.h"
#include "compiler/workgroup/kernel/wg.h"

enum {
    ENTRY_BYTES = 16,
    VALUE_BYTES = 8, // where an entry's value lies
    ENTRIES = 512,
    FEW_ENTRIES = 16,
    ENTRIES_LOG2 = 9,
    MANY_ITEMS = 4096, // of a range: from here on all entries pay
    // Behind the entries: how many may still go to memory before the end.
    TURNS_AT = ENTRIES * ENTRY_BYTES,
    TURNS = 2 * ENTRIES,
    TABLE_BYTES = TURNS_AT + 8,
};

struct table {
    struct tf_wg *wg;
    LLVMBuilderRef b;
    LLVMAtomicRMWBinOp op;
    LLVMTypeRef word;
    LLVMTypeRef change_type;
    LLVMValueRef change; // the function (table, last entry, address, by)
    LLVMValueRef at, last;
};

int tf_delay_kind(LLVMValueRef change)
{
    const LLVMAtomicRMWBinOp op = LLVMGetAtomicRMWBinOp(change);

    switch ((int)op) {
    case LLVMAtomicRMWBinOpSub:
        return LLVMAtomicRMWBinOpAdd;
    case LLVMAtomicRMWBinOpAdd:
    case LLVMAtomicRMWBinOpAnd:
    case LLVMAtomicRMWBinOpOr:
    case LLVMAtomicRMWBinOpXor:
    case LLVMAtomicRMWBinOpMax:
    case LLVMAtomicRMWBinOpMin:
    case LLVMAtomicRMWBinOpUMax:
    case LLVMAtomicRMWBinOpUMin:
        return (int)op;
    default:
        return TF_DELAY_NEVER;
    }
}

static unsigned kind(const struct tf_wg *wg)
{
    return LLVMGetMDKindIDInContext(wg->context, TF_DELAY_METADATA,
                                    (unsigned)strlen(TF_DELAY_METADATA));
}

static LLVMValueRef number(struct table *t, uint64_t n)
{
    return tf_wg_number(t->wg, n);
}

static LLVMBasicBlockRef add_block(struct table *t, LLVMValueRef fn, const char *name)
{
    return LLVMAppendBasicBlockInContext(t->wg->context, fn, name);
}

// ---- one entry

static LLVMValueRef load_address(struct table *t, LLVMValueRef entry)
{
    return LLVMBuildLoad2(t->b, t->wg->i64, entry, "");
}

static LLVMValueRef value_of(struct table *t, LLVMValueRef entry)
{
    return tf_wg_address(t->wg, entry, VALUE_BYTES);
}

static void change_memory(struct table *t, LLVMValueRef address, LLVMValueRef by)
{
    const LLVMTypeRef global = LLVMPointerTypeInContext(t->wg->context, TF_AS_GLOBAL);
    const LLVMValueRef word = LLVMBuildIntToPtr(t->b, address, global, "");

    LLVMBuildAtomicRMW(t->b, t->op, word, by, LLVMAtomicOrderingMonotonic, false);
}

// Changes memory as the entry says.
static void settle(struct table *t, LLVMValueRef entry, LLVMValueRef address)
{
    change_memory(t, address, LLVMBuildLoad2(t->b, t->word, value_of(t, entry), ""));
}

static LLVMValueRef is_zero(struct table *t, LLVMValueRef n)
{
    return LLVMBuildICmp(t->b, LLVMIntEQ, n, number(t, 0), "");
}

// Words side by side have entries of their own; so have, mostly, words at distances that
// are powers of two.
static LLVMValueRef entry_of(struct table *t, LLVMValueRef at, LLVMValueRef last,
                             LLVMValueRef address)
{
    const uint64_t log2 = LLVMGetIntTypeWidth(t->word) == 64 ? 3 : 2;
    const LLVMValueRef low = LLVMBuildLShr(t->b, address, number(t, log2), "");
    const LLVMValueRef high =
        LLVMBuildLShr(t->b, address, number(t, log2 + ENTRIES_LOG2), "");
    LLVMValueRef index = LLVMBuildXor(t->b, low, high, "");

    index = LLVMBuildAnd(t->b, index, last, "");
    index = LLVMBuildShl(t->b, index, number(t, 4), "");
    return LLVMBuildGEP2(t->b, t->wg->i8, at, &index, 1, "");
}

// ---- the function that takes one change

// How many entries may still go to memory, and the place of that number.
static LLVMValueRef load_turns(struct table *t, LLVMValueRef *at)
{
    *at = tf_wg_address(t->wg, LLVMGetParam(t->change, 0), TURNS_AT);
    return LLVMBuildLoad2(t->b, t->wg->i64, *at, "");
}

static void add_change(struct table *t)
{
    LLVMTypeRef types[] = {t->wg->ptr, t->wg->i64, t->wg->i64, t->word};
    LLVMBasicBlockRef hit, miss, taken, turn, at_once, fill;
    LLVMValueRef entry, address, held, by, turns, turns_at;

    t->change_type = LLVMFunctionType(t->wg->void_type, types, 4, false);
    t->change = LLVMAddFunction(t->wg->module, "tf_delay", t->change_type);
    tf_ir_add_attribute(t->change, "nounwind");
    tf_ir_add_attribute(t->change, "alwaysinline");
    LLVMSetLinkage(t->change, LLVMInternalLinkage);
    LLVMPositionBuilderAtEnd(t->b, add_block(t, t->change, "start"));
    hit = add_block(t, t->change, "hit");
    miss = add_block(t, t->change, "miss");
    taken = add_block(t, t->change, "taken");
    turn = add_block(t, t->change, "turn");
    at_once = add_block(t, t->change, "at_once");
    fill = add_block(t, t->change, "fill");
    address = LLVMGetParam(t->change, 2);
    by = LLVMGetParam(t->change, 3);
    entry = entry_of(t, LLVMGetParam(t->change, 0), LLVMGetParam(t->change, 1), address);
    held = load_address(t, entry);
    LLVMBuildCondBr(t->b, LLVMBuildICmp(t->b, LLVMIntEQ, held, address, ""), hit, miss);
    LLVMPositionBuilderAtEnd(t->b, hit);
    LLVMBuildStore(
        t->b,
        tf_atomic_changed(t->b, t->op,
                          LLVMBuildLoad2(t->b, t->word, value_of(t, entry), ""), by),
        value_of(t, entry));
    LLVMBuildRetVoid(t->b);
    LLVMPositionBuilderAtEnd(t->b, miss);
    LLVMBuildCondBr(t->b, is_zero(t, held), fill, taken);
    LLVMPositionBuilderAtEnd(t->b, taken);
    turns = load_turns(t, &turns_at);
    LLVMBuildCondBr(t->b, is_zero(t, turns), at_once, turn);
    LLVMPositionBuilderAtEnd(t->b, turn);
    LLVMBuildStore(t->b, LLVMBuildSub(t->b, turns, number(t, 1), ""), turns_at);
    settle(t, entry, held);
    LLVMBuildBr(t->b, fill);
    LLVMPositionBuilderAtEnd(t->b, at_once);
    change_memory(t, address, by);
    LLVMBuildRetVoid(t->b);
    LLVMPositionBuilderAtEnd(t->b, fill);
    LLVMBuildStore(t->b, address, entry);
    LLVMBuildStore(t->b, by, value_of(t, entry));
    LLVMBuildRetVoid(t->b);
}

// Memory is changed no more by `atomic`, whose result nobody needs.
static void replace(struct table *t, LLVMValueRef atomic)
{
    LLVMValueRef args[4] = {t->at, t->last, NULL, LLVMGetOperand(atomic, 1)};

    LLVMPositionBuilderBefore(t->b, atomic);
    args[2] = LLVMBuildPtrToInt(t->b, LLVMGetOperand(atomic, 0), t->wg->i64, "");
    if (LLVMGetAtomicRMWBinOp(atomic) == LLVMAtomicRMWBinOpSub)
        args[3] = LLVMBuildNeg(t->b, args[3], "");
    LLVMBuildCall2(t->b, t->change_type, t->change, args, 4, "");
    LLVMReplaceAllUsesWith(atomic, LLVMGetPoison(LLVMTypeOf(atomic)));
    LLVMInstructionEraseFromParent(atomic);
}

// ---- the range

static LLVMValueRef first_of(LLVMValueRef entry)
{
    return LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(entry));
}

// At the start of the entry function: an empty table, larger for many work-items.
static void open_table(struct table *t)
{
    const LLVMValueRef entry = t->wg->forms->entry;
    LLVMValueRef items = LLVMGetParam(entry, TF_ENTRY_COUNT), many, bytes;
    LLVMValueRef sizes[3];

    LLVMPositionBuilderBefore(t->b, first_of(entry));
    t->at = LLVMBuildAlloca(
        t->b, LLVMArrayType2(t->wg->i64, TABLE_BYTES / sizeof(tf_u64)), "delayed");
    LLVMSetAlignment(t->at, 64);
    tf_wg_load_dimensions(t->wg, TF_ENTRY_LAUNCH, offsetof(struct tf_launch, local_size),
                          sizes);
    for (int d = 0; d < 3; d++)
        items = LLVMBuildMul(t->b, items, sizes[d], "");
    many = LLVMBuildICmp(t->b, LLVMIntUGE, items, number(t, MANY_ITEMS), "");
    t->last = LLVMBuildSelect(t->b, many, number(t, ENTRIES - 1),
                              number(t, FEW_ENTRIES - 1), "");
    bytes = LLVMBuildSelect(t->b, many, number(t, ENTRIES * ENTRY_BYTES),
                            number(t, FEW_ENTRIES * ENTRY_BYTES), "");
    LLVMBuildMemSet(t->b, t->at, LLVMConstNull(t->wg->i8), bytes, 64);
    LLVMBuildStore(t->b, number(t, TURNS), tf_wg_address(t->wg, t->at, TURNS_AT));
}

// A function that brings all entries to memory, for the ways out of the entry function.
static LLVMValueRef add_end(struct table *t, LLVMTypeRef *type)
{
    LLVMTypeRef types[] = {t->wg->ptr, t->wg->i64};
    LLVMBasicBlockRef start, head, taken, next, done;
    LLVMValueRef fn, n, more, offset, entry, address, zero = number(t, 0);

    *type = LLVMFunctionType(t->wg->void_type, types, 2, false);
    fn = LLVMAddFunction(t->wg->module, "tf_delay_end", *type);
    tf_ir_add_attribute(fn, "nounwind");
    LLVMSetLinkage(fn, LLVMInternalLinkage);
    start = add_block(t, fn, "start");
    head = add_block(t, fn, "entry");
    taken = add_block(t, fn, "taken");
    next = add_block(t, fn, "next");
    done = add_block(t, fn, "done");
    LLVMPositionBuilderAtEnd(t->b, start);
    LLVMBuildBr(t->b, head);
    LLVMPositionBuilderAtEnd(t->b, head);
    n = LLVMBuildPhi(t->b, t->wg->i64, "");
    offset = LLVMBuildMul(t->b, n, number(t, ENTRY_BYTES), "");
    entry = LLVMBuildGEP2(t->b, t->wg->i8, LLVMGetParam(fn, 0), &offset, 1, "");
    address = load_address(t, entry);
    LLVMBuildCondBr(t->b, is_zero(t, address), next, taken);
    LLVMPositionBuilderAtEnd(t->b, taken);
    settle(t, entry, address);
    LLVMBuildBr(t->b, next);
    LLVMPositionBuilderAtEnd(t->b, next);
    more = LLVMBuildICmp(t->b, LLVMIntNE, n, LLVMGetParam(fn, 1), "");
    LLVMAddIncoming(n, &zero, &start, 1);
    entry = LLVMBuildAdd(t->b, n, number(t, 1), "");
    LLVMAddIncoming(n, &entry, &next, 1);
    tf_ir_mark_loop(LLVMBuildCondBr(t->b, more, head, done), TF_IR_NO_UNROLLING);
    LLVMPositionBuilderAtEnd(t->b, done);
    LLVMBuildRetVoid(t->b);
    return fn;
}

static void close_table(struct table *t)
{
    LLVMTypeRef type;
    const LLVMValueRef end = add_end(t, &type);
    LLVMValueRef args[] = {t->at, t->last};

    TF_FOR_EACH_BLOCK(block, t->wg->forms->entry)
    {
        const LLVMValueRef last = LLVMGetBasicBlockTerminator(block);

        if (LLVMGetInstructionOpcode(last) != LLVMRet)
            continue;
        LLVMPositionBuilderBefore(t->b, last);
        LLVMBuildCall2(t->b, type, end, args, 2, "");
    }
}

// What LLVM made of a marked change meanwhile may be another one: `and` with all bits is
// `or` with none, `or` with all bits stores. That stays where it is, because it goes well
// with changes of the kind that it was.
bool tf_delay_is_marked(LLVMValueRef i, unsigned mark)
{
    return LLVMGetInstructionOpcode(i) == LLVMAtomicRMW && LLVMGetMetadata(i, mark) &&
           tf_delay_kind(i) != TF_DELAY_NEVER;
}

static LLVMValueRef next_change(LLVMValueRef i, unsigned mark)
{
    while (i && !tf_delay_is_marked(i, mark))
        i = tf_ir_next(i);
    return i;
}

bool tf_delay_changes(struct tf_wg *wg)
{
    const unsigned mark = kind(wg);
    struct table t = {.wg = wg, .b = wg->builder};
    LLVMValueRef atomic, next;

    if (!wg->item->has_atomics)
        return true;
    atomic = next_change(tf_ir_first(wg->forms->entry), mark);
    if (!atomic || tf_delay_direct(wg, mark))
        return true;
    t.word = LLVMTypeOf(atomic);
    t.op = (LLVMAtomicRMWBinOp)tf_delay_kind(atomic);
    add_change(&t);
    open_table(&t);
    for (; atomic; atomic = next) {
        next = next_change(tf_ir_next(atomic), mark);
        if (tf_delay_kind(atomic) == (int)t.op)
            replace(&t, atomic);
    }
    close_table(&t);
    return tf_wg_run_llvm(wg, "always-inline,globaldce");
}
