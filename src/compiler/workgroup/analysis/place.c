// SPDX-License-Identifier: MIT
#include "compiler/workgroup/analysis/place.h"

#include <string.h>

#include "compiler/workgroup/kernel/wg.h"

enum { MAX_DEPTH = 8 };

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
