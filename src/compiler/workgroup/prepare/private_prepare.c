// SPDX-License-Identifier: MIT
// What the analyses of a gang want of private memory: copies and fills as accesses of
// units, and addresses where they are used.
#include <string.h>

#include <llvm-c/Core.h>

#include "compiler/ir/ir_util.h"
#include "compiler/workgroup/analysis/operation/table.h"
#include "compiler/workgroup/analysis/private.h"
#include "compiler/workgroup/kernel/wg.h"
#include "compiler/workgroup/prepare/prepare.h"

enum {
    MAX_STRAIGHT = 32, // units that are copied one by one, without a loop
    MAX_ADDRESSES = 64,
};

// ---- copies

struct copy {
    struct tf_wg *wg;
    LLVMBuilderRef b;
    LLVMValueRef call, to, from; // `from`: NULL for a fill
    LLVMValueRef fill;           // one unit of it
    LLVMTypeRef unit;
    unsigned unit_bytes, to_align, from_align;
    uint64_t count; // units
};

static bool is_fill(LLVMValueRef call)
{
    return strncmp(tf_ir_called_name(call), "llvm.memset.", strlen("llvm.memset.")) == 0;
}

static unsigned align_of(LLVMValueRef call, unsigned at, unsigned unit_bytes)
{
    const unsigned kind = LLVMGetEnumAttributeKindForName("align", strlen("align"));
    const LLVMAttributeRef attr = LLVMGetCallSiteEnumAttribute(call, at + 1, kind);
    const uint64_t align = attr ? LLVMGetEnumAttributeValue(attr) : 1;

    return align < unit_bytes ? (unsigned)align : unit_bytes;
}

static LLVMTypeRef unit_type(struct tf_wg *wg, unsigned unit_bytes)
{
    if (unit_bytes > 8)
        return LLVMVectorType(wg->i64, unit_bytes / 8);
    return LLVMIntTypeInContext(wg->context, 8 * unit_bytes);
}

static LLVMValueRef splat_byte(struct copy *c, LLVMValueRef byte)
{
    const LLVMTypeRef vector = LLVMVectorType(c->wg->i8, c->unit_bytes);
    const LLVMTypeRef i32 = LLVMInt32TypeInContext(c->wg->context);
    LLVMValueRef value = LLVMGetPoison(vector);

    for (unsigned i = 0; i < c->unit_bytes; i++)
        value =
            LLVMBuildInsertElement(c->b, value, byte, LLVMConstInt(i32, i, false), "");
    return LLVMBuildBitCast(c->b, value, c->unit, "");
}

static struct copy describe(struct tf_wg *wg, LLVMBuilderRef b, LLVMValueRef call,
                            unsigned unit_bytes)
{
    struct copy c = {
        .wg = wg,
        .b = b,
        .call = call,
        .to = LLVMGetOperand(call, 0),
        .unit = unit_type(wg, unit_bytes),
        .unit_bytes = unit_bytes,
        .count = tf_private_copied_bytes(call) / unit_bytes,
    };

    LLVMPositionBuilderBefore(b, c.call);
    c.to_align = align_of(c.call, 0, c.unit_bytes);
    if (is_fill(c.call)) {
        c.fill = splat_byte(&c, LLVMGetOperand(c.call, 1));
    } else {
        c.from = LLVMGetOperand(c.call, 1);
        c.from_align = align_of(c.call, 1, c.unit_bytes);
    }
    return c;
}

static LLVMValueRef unit_at(struct copy *c, LLVMValueRef base, LLVMValueRef at)
{
    return LLVMBuildGEP2(c->b, c->unit, base, &at, 1, "");
}

static LLVMValueRef load_unit(struct copy *c, LLVMValueRef at)
{
    LLVMValueRef made;

    if (!c->from)
        return c->fill;
    made = LLVMBuildLoad2(c->b, c->unit, unit_at(c, c->from, at), "");
    LLVMSetAlignment(made, c->from_align);
    return made;
}

static void store_unit(struct copy *c, LLVMValueRef at, LLVMValueRef value)
{
    LLVMSetAlignment(LLVMBuildStore(c->b, value, unit_at(c, c->to, at)), c->to_align);
}

// All is loaded before anything is stored: llvm.memmove allows an overlap.
static void copy_straight(struct copy *c)
{
    LLVMValueRef values[MAX_STRAIGHT];

    for (uint64_t i = 0; i < c->count; i++)
        values[i] = load_unit(c, LLVMConstInt(c->wg->i64, i, false));
    for (uint64_t i = 0; i < c->count; i++)
        store_unit(c, LLVMConstInt(c->wg->i64, i, false), values[i]);
}

// void f(to, from or fill): a loop.
static LLVMValueRef copy_function(struct tf_wg *wg, struct copy *c)
{
    LLVMTypeRef params[2] = {LLVMTypeOf(c->to), LLVMTypeOf(c->from ? c->from : c->fill)};
    const LLVMTypeRef type = LLVMFunctionType(wg->void_type, params, 2, false);
    const LLVMValueRef fn = LLVMAddFunction(wg->module, "tf_copy_units", type);
    const LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(wg->context, fn, "");
    const LLVMBasicBlockRef loop = LLVMAppendBasicBlockInContext(wg->context, fn, "unit");
    const LLVMBasicBlockRef done = LLVMAppendBasicBlockInContext(wg->context, fn, "done");
    LLVMValueRef at, next, zero = LLVMConstInt(wg->i64, 0, false);

    LLVMSetLinkage(fn, LLVMInternalLinkage);
    tf_ir_add_attribute(fn, "alwaysinline");
    tf_ir_add_attribute(fn, "nounwind");
    c->to = LLVMGetParam(fn, 0);
    *(c->from ? &c->from : &c->fill) = LLVMGetParam(fn, 1);
    LLVMPositionBuilderAtEnd(c->b, entry);
    LLVMBuildBr(c->b, loop);
    LLVMPositionBuilderAtEnd(c->b, loop);
    at = LLVMBuildPhi(c->b, wg->i64, "");
    store_unit(c, at, load_unit(c, at));
    next = LLVMBuildNUWAdd(c->b, at, LLVMConstInt(wg->i64, 1, false), "");
    LLVMBuildCondBr(
        c->b,
        LLVMBuildICmp(c->b, LLVMIntEQ, next, LLVMConstInt(wg->i64, c->count, false), ""),
        done, loop);
    LLVMAddIncoming(at, &zero, (LLVMBasicBlockRef[]){entry}, 1);
    LLVMAddIncoming(at, &next, (LLVMBasicBlockRef[]){loop}, 1);
    LLVMPositionBuilderAtEnd(c->b, done);
    LLVMBuildRetVoid(c->b);
    return fn;
}

static void copy_in_loop(struct copy *c)
{
    LLVMValueRef args[2] = {c->to, c->from ? c->from : c->fill};
    const LLVMValueRef fn = copy_function(c->wg, c);

    LLVMPositionBuilderBefore(c->b, c->call);
    LLVMBuildCall2(c->b, LLVMGlobalGetValueType(fn), fn, args, 2, "");
}

// The unit that both ends can be copied by; 0: none.
static unsigned common_unit(const struct tf_private_copies *all, unsigned at)
{
    const LLVMValueRef call = all->copies[at].call;

    for (unsigned i = 0; i < all->count; i++) {
        if (i != at && all->copies[i].call == call)
            return i > at && all->copies[i].unit_bytes == all->copies[at].unit_bytes
                       ? all->copies[at].unit_bytes
                       : 0;
    }
    return all->copies[at].unit_bytes;
}

static bool is_move(LLVMValueRef call)
{
    return strncmp(tf_ir_called_name(call), "llvm.memmove.", strlen("llvm.memmove.")) ==
           0;
}

bool tf_private_expand(struct tf_wg *wg, LLVMValueRef fn)
{
    struct tf_arena arena = {0};
    struct tf_private_copies all = {0};
    struct tf_privates privates;
    bool has_calls = false;

    tf_privates_init_with_copies(&privates, &arena, LLVMGetModuleDataLayout(wg->module),
                                 fn, &all);
    for (unsigned i = 0; i < all.count; i++) {
        const unsigned unit_bytes = common_unit(&all, i);
        struct copy c;

        if (!unit_bytes)
            continue;
        c = describe(wg, wg->builder, all.copies[i].call, unit_bytes);
        if (c.count > MAX_STRAIGHT && is_move(c.call))
            continue;
        if (c.count > MAX_STRAIGHT)
            copy_in_loop(&c);
        else
            copy_straight(&c);
        has_calls |= c.count > MAX_STRAIGHT;
        LLVMInstructionEraseFromParent(c.call);
    }
    tf_arena_finish(&arena);
    return has_calls;
}

// ---- addresses

struct sink {
    struct tf_privates privates;
    LLVMTargetDataRef layout;
    LLVMBuilderRef b;
    LLVMValueRef old[MAX_ADDRESSES], made[MAX_ADDRESSES]; // of the block at hand
    unsigned count;
};

static bool is_address(LLVMValueRef value)
{
    return LLVMIsAGetElementPtrInst(value) || LLVMIsAAddrSpaceCastInst(value);
}

static bool is_wanted(const struct sink *s, LLVMValueRef pointer)
{
    if (tf_private_of(&s->privates, pointer).unit_bytes)
        return true;
    while (is_address(pointer))
        pointer = LLVMGetOperand(pointer, 0);
    return tf_is_table(pointer);
}

// Makes operand `at` of the instruction, an address, in its block.
static void sink_operand(struct sink *s, LLVMValueRef user, unsigned at)
{
    const LLVMValueRef pointer = LLVMGetOperand(user, at);
    LLVMValueRef made;

    if (!is_address(pointer) || !is_wanted(s, pointer) ||
        LLVMGetInstructionParent(pointer) == LLVMGetInstructionParent(user))
        return;
    for (unsigned i = 0; i < s->count; i++) {
        if (s->old[i] == pointer) {
            LLVMSetOperand(user, at, s->made[i]);
            return;
        }
    }
    if (s->count == MAX_ADDRESSES)
        return;
    made = LLVMInstructionClone(pointer);
    LLVMPositionBuilderBefore(s->b, user);
    LLVMInsertIntoBuilder(s->b, made);
    LLVMSetOperand(user, at, made);
    sink_operand(s, made, 0);
    if (s->count < MAX_ADDRESSES) {
        s->old[s->count] = pointer;
        s->made[s->count++] = made;
    }
}

void tf_private_sink(struct tf_wg *wg, LLVMValueRef fn)
{
    struct tf_arena arena = {0};
    struct sink s = {.layout = LLVMGetModuleDataLayout(wg->module), .b = wg->builder};

    tf_privates_init(&s.privates, &arena, s.layout, fn);
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(fn); block;
         block = LLVMGetNextBasicBlock(block)) {
        s.count = 0;
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
             i = LLVMGetNextInstruction(i)) {
            if (LLVMIsALoadInst(i) || is_address(i))
                sink_operand(&s, i, 0);
            else if (LLVMIsAStoreInst(i))
                sink_operand(&s, i, 1);
        }
    }
    tf_arena_finish(&arena);
}
