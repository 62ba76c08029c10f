// SPDX-License-Identifier: MIT
#include "compiler/workgroup/analysis/place.h"

#include <string.h>

#include "compiler/ir/elementwise.h"
#include "compiler/ir/ir_util.h"
#include "compiler/workgroup/analysis/access.h"
#include "compiler/workgroup/kernel/wg.h"

enum {
    MAX_DEPTH = 8,
    MOST_ACCESSES = 64, // of a loop
};

static int64_t plus(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a + (uint64_t)b);
}

static int64_t times(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a * (uint64_t)b);
}

static void add_term(struct tf_place *p, LLVMValueRef index, LLVMOpcode extension,
                     int64_t factor)
{
    unsigned at = 0;

    for (; at < p->count; at++) {
        if (p->terms[at].index == index && p->terms[at].extension == extension)
            break;
    }
    if (at == TF_PLACE_TERMS) {
        p->full = true;
        return;
    }
    if (at == p->count)
        p->terms[p->count++] = (struct tf_place_term){index, extension, 0};
    p->terms[at].factor = plus(p->terms[at].factor, factor);
}

// Whether ext(a op b) is ext(a) op ext(b).
static bool splits(LLVMValueRef value, LLVMOpcode extension)
{
    switch ((int)LLVMGetInstructionOpcode(value)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
        return extension == LLVMSExt   ? LLVMGetNSW(value)
               : extension == LLVMZExt ? LLVMGetNUW(value)
                                       : true;
    case LLVMOr:
        return LLVMGetIsDisjoint(value);
    default:
        return false;
    }
}

static void add_index(struct tf_place *p, LLVMValueRef value, LLVMOpcode extension,
                      int64_t factor, unsigned depth);

static void add_constant(struct tf_place *p, LLVMValueRef value, LLVMOpcode extension,
                         int64_t factor)
{
    const int64_t number = extension == LLVMZExt
                               ? (int64_t)LLVMConstIntGetZExtValue(value)
                               : LLVMConstIntGetSExtValue(value);

    p->offset_bytes = plus(p->offset_bytes, times(number, factor));
}

// True if the instruction was taken apart.
static bool add_parts(struct tf_place *p, LLVMValueRef value, LLVMOpcode extension,
                      int64_t factor, unsigned depth)
{
    const LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
    LLVMValueRef a, b;

    if ((opcode == LLVMSExt || opcode == LLVMZExt) && !extension) {
        // What is known to be positive is extended with its sign as well.
        extension = opcode == LLVMZExt && LLVMGetNNeg(value) ? LLVMSExt : opcode;
        add_index(p, LLVMGetOperand(value, 0), extension, factor, depth);
        return true;
    }
    if (!splits(value, extension))
        return false;
    a = LLVMGetOperand(value, 0);
    b = LLVMGetOperand(value, 1);
    if (opcode == LLVMShl || opcode == LLVMMul) {
        int64_t by;

        if (!LLVMIsAConstantInt(b))
            return false;
        // Without a sign a factor is what it is as long as the product: zext(a * 0xff)
        // is not -zext(a).
        by = extension == LLVMZExt ? (int64_t)LLVMConstIntGetZExtValue(b)
                                   : LLVMConstIntGetSExtValue(b);
        if (opcode == LLVMShl && (by < 0 || by > 31))
            return false;
        add_index(p, a, extension,
                  times(factor, opcode == LLVMShl ? (int64_t)1 << by : by), depth);
        return true;
    }
    add_index(p, a, extension, factor, depth);
    add_index(p, b, extension, opcode == LLVMSub ? times(factor, -1) : factor, depth);
    return true;
}

static void add_index(struct tf_place *p, LLVMValueRef value, LLVMOpcode extension,
                      int64_t factor, unsigned depth)
{
    const struct tf_place before = *p;

    if (LLVMIsAConstantInt(value) && LLVMGetIntTypeWidth(LLVMTypeOf(value)) <= 64) {
        add_constant(p, value, extension, factor);
        return;
    }
    // Parts that do not fit are one term together.
    if (depth < MAX_DEPTH && LLVMIsAInstruction(value) &&
        add_parts(p, value, extension, factor, depth + 1) && !p->full)
        return;
    *p = before;
    add_term(p, value, extension, factor);
}

// Adds the indices of an address; false if one is of no simple kind.
static bool add_address(struct tf_place *p, LLVMTargetDataRef layout, LLVMValueRef gep)
{
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);

    for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(gep); i++) {
        const LLVMValueRef index = LLVMGetOperand(gep, i);
        const LLVMTypeRef index_type = LLVMTypeOf(index);
        uint64_t number;

        if (LLVMGetTypeKind(index_type) != LLVMIntegerTypeKind ||
            LLVMGetIntTypeWidth(index_type) > 64)
            return false;
        if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            number = LLVMConstIntGetZExtValue(index);
            p->offset_bytes =
                plus(p->offset_bytes,
                     (int64_t)LLVMOffsetOfElement(layout, type, (unsigned)number));
            type = LLVMStructGetTypeAtIndex(type, (unsigned)number);
            continue;
        }
        if (i > 1)
            type = LLVMGetElementType(type);
        add_index(p, index,
                  LLVMGetIntTypeWidth(index_type) == 64 ? (LLVMOpcode)0 : LLVMSExt,
                  (int64_t)LLVMABISizeOfType(layout, type), 0);
    }
    return !p->full;
}

struct tf_place tf_place_of(LLVMTargetDataRef layout, LLVMValueRef pointer)
{
    struct tf_place p = {.root = pointer};

    while (LLVMIsAGetElementPtrInst(p.root)) {
        struct tf_place next = p;

        if (!add_address(&next, layout, p.root))
            break;
        next.root = LLVMGetOperand(p.root, 0);
        p = next;
    }
    return p;
}

bool tf_place_same_base(const struct tf_place *a, const struct tf_place *b)
{
    unsigned same = 0, of_a = 0, of_b = 0;

    if (a->root != b->root)
        return false;
    for (unsigned i = 0; i < a->count; i++)
        of_a += a->terms[i].factor != 0;
    for (unsigned k = 0; k < b->count; k++)
        of_b += b->terms[k].factor != 0;
    for (unsigned i = 0; i < a->count; i++) {
        for (unsigned k = 0; k < b->count; k++)
            same += a->terms[i].factor && a->terms[i].index == b->terms[k].index &&
                    a->terms[i].extension == b->terms[k].extension &&
                    a->terms[i].factor == b->terms[k].factor;
    }
    return same == of_a && same == of_b;
}

// ---- what cannot meet

static bool in_other_spaces(LLVMValueRef a, LLVMValueRef b)
{
    const unsigned space_a = LLVMGetPointerAddressSpace(LLVMTypeOf(a));
    const unsigned space_b = LLVMGetPointerAddressSpace(LLVMTypeOf(b));

    return space_a != space_b && space_a <= TF_AS_LOCAL && space_b <= TF_AS_LOCAL;
}

static LLVMValueRef metadata(LLVMValueRef instruction, const char *name)
{
    const LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(instruction));

    return LLVMGetMetadata(
        instruction, LLVMGetMDKindIDInContext(context, name, (unsigned)strlen(name)));
}

// Whether every scope of `access` is one of those that `other` keeps clear of.
static bool keeps_clear(LLVMValueRef access, LLVMValueRef other)
{
    enum { MAX_SCOPES = 32 };
    const LLVMValueRef scopes = metadata(access, "alias.scope");
    const LLVMValueRef clear = metadata(other, "noalias");
    LLVMValueRef mine[MAX_SCOPES], theirs[MAX_SCOPES];
    unsigned count, clear_count, found = 0;

    if (!scopes || !clear)
        return false;
    count = LLVMGetMDNodeNumOperands(scopes);
    clear_count = LLVMGetMDNodeNumOperands(clear);
    if (count == 0 || count > MAX_SCOPES || clear_count > MAX_SCOPES)
        return false;
    LLVMGetMDNodeOperands(scopes, mine);
    LLVMGetMDNodeOperands(clear, theirs);
    for (unsigned i = 0; i < count; i++) {
        for (unsigned k = 0; k < clear_count; k++)
            found += mine[i] == theirs[k];
    }
    return found == count;
}

bool tf_place_apart(LLVMValueRef a, const struct tf_place *at_a, LLVMValueRef b,
                    const struct tf_place *at_b)
{
    if (in_other_spaces(at_a->root, at_b->root))
        return true;
    if (LLVMIsAAllocaInst(at_a->root) && LLVMIsAAllocaInst(at_b->root) &&
        at_a->root != at_b->root)
        return true;
    return keeps_clear(a, b) || keeps_clear(b, a);
}

// ---- rounds of a loop of one block

static bool is_made_in(LLVMValueRef value, LLVMBasicBlockRef block)
{
    return LLVMIsAInstruction(value) && LLVMGetInstructionParent(value) == block;
}

// Whether it is the same in all rounds, wherever it is made.
static bool stays(LLVMValueRef value, LLVMBasicBlockRef loop, unsigned depth)
{
    if (!is_made_in(value, loop))
        return true;
    if (depth == MAX_DEPTH || !(LLVMIsABinaryOperator(value) || LLVMIsACastInst(value)))
        return false;
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value); i++) {
        if (!stays(LLVMGetOperand(value, i), loop, depth + 1))
            return false;
    }
    return true;
}

// What a phi is in the next round; NULL: it is none of this loop.
static LLVMValueRef next_of(LLVMValueRef phi, LLVMBasicBlockRef loop)
{
    for (unsigned i = 0; LLVMIsAPHINode(phi) && i < LLVMCountIncoming(phi); i++) {
        if (LLVMGetIncomingBlock(phi, i) == loop)
            return LLVMGetIncomingValue(phi, i);
    }
    return NULL;
}

// What the phi counts up or down by; 0: it does something else.
static int64_t step_of_count(LLVMValueRef phi, LLVMBasicBlockRef loop)
{
    const LLVMValueRef next = next_of(phi, loop);

    if (!next || !LLVMIsABinaryOperator(next) ||
        LLVMGetInstructionOpcode(next) != LLVMAdd || LLVMGetOperand(next, 0) != phi ||
        !LLVMIsAConstantInt(LLVMGetOperand(next, 1)))
        return 0;
    return LLVMConstIntGetSExtValue(LLVMGetOperand(next, 1));
}

// Whether the count, extended, goes on as it does itself: a counter of 8 bits may come to
// its end and begin again.
static bool never_wraps(LLVMValueRef phi, LLVMOpcode extension, LLVMBasicBlockRef loop)
{
    const LLVMValueRef next = next_of(phi, loop);

    return !extension || (extension == LLVMSExt ? LLVMGetNSW(next) : LLVMGetNUW(next));
}

// Of a pointer that counts by itself.
static int64_t step_of_pointer(LLVMTargetDataRef layout, LLVMValueRef phi,
                               LLVMBasicBlockRef loop)
{
    const LLVMValueRef next = next_of(phi, loop);
    const struct tf_place place = tf_place_of(layout, next ? next : phi);

    return next && place.root == phi && place.count == 0 ? place.offset_bytes : 0;
}

int64_t tf_place_step(LLVMTargetDataRef layout, LLVMValueRef pointer,
                      LLVMBasicBlockRef loop)
{
    const struct tf_place place = tf_place_of(layout, pointer);
    int64_t bytes = 0;

    if (is_made_in(place.root, loop)) {
        if (!LLVMIsAPHINode(place.root))
            return 0;
        bytes = step_of_pointer(layout, place.root, loop);
    }
    for (unsigned i = 0; i < place.count; i++) {
        const LLVMValueRef index = place.terms[i].index;
        int64_t step;

        if (stays(index, loop, 0))
            continue;
        step = step_of_count(index, loop);
        if (!step || !never_wraps(index, place.terms[i].extension, loop))
            return 0;
        bytes += place.terms[i].factor * step;
    }
    return bytes;
}

static bool is_access(LLVMValueRef i)
{
    return LLVMIsALoadInst(i) || LLVMIsAStoreInst(i);
}

// Whether it goes on by one element, or is a load that is the same in all rounds.
static bool walks_or_stays(LLVMTargetDataRef layout, const struct tf_access *a,
                           LLVMBasicBlockRef loop)
{
    const int64_t step = tf_place_step(layout, a->pointer, loop);
    const int64_t bytes = (int64_t)a->element_bytes;

    if (a->count != 1 || bytes == 0 || tf_access_is_ordered(a->instruction))
        return false;
    return step == bytes || step == -bytes ||
           (LLVMIsALoadInst(a->instruction) && stays(a->pointer, loop, 0));
}

static bool goes_to_buffer(const struct tf_access *a)
{
    return !tf_access_is_local(a) &&
           LLVMGetPointerAddressSpace(LLVMTypeOf(a->pointer)) != TF_AS_PRIVATE;
}

// Whether a store of one round is what the load takes in a later one.
static bool hands_on(LLVMTargetDataRef layout, const struct tf_access *store,
                     const struct tf_access *load, LLVMBasicBlockRef loop)
{
    const struct tf_place from = tf_place_of(layout, store->pointer);
    const struct tf_place to = tf_place_of(layout, load->pointer);
    const int64_t ahead = from.offset_bytes - to.offset_bytes;

    return tf_place_same_base(&from, &to) && ahead != 0 &&
           (ahead > 0) == (tf_place_step(layout, load->pointer, loop) > 0);
}

static bool takes_what_is_stored(LLVMTargetDataRef layout, const struct tf_access *load,
                                 LLVMBasicBlockRef loop)
{
    TF_FOR_EACH_INSTRUCTION_OF_BLOCK(i, loop)
    {
        struct tf_access store;

        if (!LLVMIsAStoreInst(i))
            continue;
        store = tf_access_of(layout, i);
        if (hands_on(layout, &store, load, loop))
            return true;
    }
    return false;
}

// Of longer ones LLVM makes no vectors, and each load is compared with each store.
static bool is_short(LLVMBasicBlockRef loop)
{
    unsigned accesses = 0;

    TF_FOR_EACH_INSTRUCTION_OF_BLOCK(i, loop)
    {
        accesses += is_access(i);
    }
    return accesses <= MOST_ACCESSES;
}

bool tf_place_rounds_are_apart(LLVMTargetDataRef layout, LLVMBasicBlockRef loop)
{
    bool stores = false;

    if (!is_short(loop))
        return false;
    TF_FOR_EACH_INSTRUCTION_OF_BLOCK(i, loop)
    {
        struct tf_access a;

        if (LLVMIsAPHINode(i) && (LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMPointerTypeKind
                                      ? !step_of_pointer(layout, i, loop)
                                      : !step_of_count(i, loop)))
            return false;
        if (LLVMIsACallInst(i) && !tf_is_elementwise(i))
            return false;
        if (!is_access(i))
            continue;
        a = tf_access_of(layout, i);
        if (!walks_or_stays(layout, &a, loop) ||
            (LLVMIsALoadInst(i) && takes_what_is_stored(layout, &a, loop)))
            return false;
        if (LLVMIsAStoreInst(i) && !goes_to_buffer(&a))
            return false;
        stores |= LLVMIsAStoreInst(i) != NULL;
    }
    return stores;
}
