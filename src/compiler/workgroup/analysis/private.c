// SPDX-License-Identifier: MIT
// Finds which variables can lie by units. Pointers that belong together (a variable, the
// addresses in it, and through phis and selects other variables) are looked at as one.
#include "compiler/workgroup/analysis/private.h"
#include "abi/long16.h"
#include "compiler/ir/ir_util.h"
#include "compiler/workgroup/analysis/access.h"

#include <string.h>

#include "compiler/ir/elementwise.h"
#include "compiler/workgroup/kernel/wg.h"

enum {
    // Offsets in the memory of all lanes are numbers of 32 bits.
    MAX_OBJECT_BYTES = 1 << 20,
    AT_SHIFT = 8, // of tf_private.at_bytes in the map's numbers
};

struct list {
    LLVMValueRef *values;
    unsigned count, capacity;
};

struct search {
    struct tf_privates *p;
    struct tf_private_copies *copies;      // NULL: they have no place
    struct tf_map seen;                    // pointers of all searches
    struct list pointers, accesses, calls; // of one search
    uint64_t unit_bytes;
    bool refused;
};

static void add(struct search *f, struct list *list, LLVMValueRef value)
{
    if (list->count == list->capacity) {
        LLVMValueRef *const old = list->values;

        list->capacity = list->capacity ? 2 * list->capacity : 32;
        list->values = TF_ARENA_NEW(f->p->arena, LLVMValueRef, list->capacity);
        if (old)
            memcpy(list->values, old, list->count * sizeof(*old));
    }
    list->values[list->count++] = value;
}

// ---- what is done with the pointers

static LLVMTypeRef accessed_type(LLVMValueRef access)
{
    return LLVMTypeOf(LLVMIsAStoreInst(access) ? LLVMGetOperand(access, 0) : access);
}

static uint64_t accessed_bytes(const struct search *f, LLVMValueRef access)
{
    return LLVMABISizeOfType(f->p->layout, accessed_type(access));
}

static void take_access(struct search *f, LLVMValueRef access)
{
    const LLVMTypeRef type = accessed_type(access);
    const uint64_t bytes = tf_has_plain_bytes(f->p->layout, type)
                               ? LLVMABISizeOfType(f->p->layout, type)
                               : 0;

    if (bytes == 0 || bytes > TF_LONG16_BYTES || (bytes & (bytes - 1)) ||
        !tf_ir_is_ordinary(access)) {
        f->refused = true;
        return;
    }
    if (bytes > f->unit_bytes)
        f->unit_bytes = bytes;
    add(f, &f->accesses, access);
}

static bool is_named(LLVMValueRef call, const char *prefix)
{
    const char *name = tf_ir_called_name(call);

    return name && !strncmp(name, prefix, strlen(prefix));
}

uint64_t tf_private_copied_bytes(LLVMValueRef call)
{
    if (!LLVMIsACallInst(call) ||
        !(is_named(call, "llvm.memset.") || is_named(call, "llvm.memcpy.") ||
          is_named(call, "llvm.memmove.")) ||
        !LLVMIsAConstantInt(LLVMGetOperand(call, 2)) ||
        LLVMConstIntGetZExtValue(LLVMGetOperand(call, 3)))
        return 0;
    return LLVMConstIntGetZExtValue(LLVMGetOperand(call, 2));
}

static void take_call(struct search *f, LLVMValueRef call)
{
    if (tf_is_marker(call))
        return;
    if (f->copies && tf_private_copied_bytes(call))
        add(f, &f->calls, call);
    else
        f->refused = true;
}

static void take_pointer(struct search *f, LLVMValueRef pointer)
{
    if (tf_map_get(&f->seen, pointer) != TF_MAP_NONE)
        return;
    tf_map_put(&f->seen, pointer, 1);
    add(f, &f->pointers, pointer);
}

static void take_source(struct search *f, LLVMValueRef source)
{
    if (LLVMIsAInstruction(source))
        take_pointer(f, source);
    else if (!LLVMIsUndef(source))
        f->refused = true;
}

static void take_user(struct search *f, LLVMValueRef pointer, LLVMValueRef user)
{
    switch ((int)LLVMGetInstructionOpcode(user)) {
    case LLVMGetElementPtr:
    case LLVMAddrSpaceCast:
    case LLVMPHI:
    case LLVMSelect:
        take_pointer(f, user);
        break;
    case LLVMLoad:
        take_access(f, user);
        break;
    case LLVMStore:
        if (LLVMGetOperand(user, 0) == pointer)
            f->refused = true;
        else
            take_access(f, user);
        break;
    case LLVMICmp: // right if the other one is of such a variable, too
        take_source(f, LLVMGetOperand(user, 0));
        take_source(f, LLVMGetOperand(user, 1));
        break;
    case LLVMCall:
        take_call(f, user);
        break;
    default:
        f->refused = true;
        break;
    }
}

// ---- what the pointers are made of

static void take_sources(struct search *f, LLVMValueRef pointer)
{
    switch ((int)LLVMGetInstructionOpcode(pointer)) {
    case LLVMAlloca:
        f->refused |= !LLVMIsAConstantInt(LLVMGetOperand(pointer, 0)) ||
                      LLVMConstIntGetZExtValue(LLVMGetOperand(pointer, 0)) != 1 ||
                      !LLVMTypeIsSized(LLVMGetAllocatedType(pointer)) ||
                      LLVMABISizeOfType(f->p->layout, LLVMGetAllocatedType(pointer)) >
                          MAX_OBJECT_BYTES ||
                      LLVMGetAlignment(pointer) > TF_LONG16_BYTES;
        break;
    case LLVMGetElementPtr:
        f->refused |= LLVMGetTypeKind(LLVMTypeOf(pointer)) != LLVMPointerTypeKind;
        take_source(f, LLVMGetOperand(pointer, 0));
        break;
    case LLVMAddrSpaceCast:
        take_source(f, LLVMGetOperand(pointer, 0));
        break;
    case LLVMPHI:
        for (unsigned i = 0; i < LLVMCountIncoming(pointer); i++)
            take_source(f, LLVMGetIncomingValue(pointer, i));
        break;
    case LLVMSelect:
        take_source(f, LLVMGetOperand(pointer, 1));
        take_source(f, LLVMGetOperand(pointer, 2));
        break;
    default: // loaded, or made of a number
        f->refused = true;
        break;
    }
}

static void follow(struct search *f, LLVMValueRef variable)
{
    f->pointers.count = f->accesses.count = f->calls.count = 0;
    f->unit_bytes = 0;
    f->refused = false;
    take_pointer(f, variable);
    // All of them, also after a refusal: none of them is to be looked at again.
    for (unsigned at = 0; at < f->pointers.count; at++) {
        const LLVMValueRef pointer = f->pointers.values[at];

        take_sources(f, pointer);
        for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use))
            take_user(f, pointer, LLVMGetUser(use));
    }
}

// ---- where in their units they point

// A number that is asked whether it is a multiple, and the phis on the way to it, which
// are taken for multiples until one of what flows into them is none.
struct multiple {
    LLVMValueRef phis[8];
    unsigned phi_count, depth;
};

static bool is_multiple(struct multiple *m, LLVMValueRef value, uint64_t by);

static bool are_multiples(struct multiple *m, LLVMValueRef instruction, unsigned first,
                          uint64_t by)
{
    const unsigned count = (unsigned)LLVMGetNumOperands(instruction);

    for (unsigned i = first; i < count; i++) {
        if (!is_multiple(m, LLVMGetOperand(instruction, i), by))
            return false;
    }
    return true;
}

static bool is_multiple_phi(struct multiple *m, LLVMValueRef phi, uint64_t by)
{
    for (unsigned i = 0; i < m->phi_count; i++) {
        if (m->phis[i] == phi)
            return true;
    }
    if (m->phi_count == sizeof(m->phis) / sizeof(m->phis[0]))
        return false;
    m->phis[m->phi_count++] = phi;
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        if (!is_multiple(m, LLVMGetIncomingValue(phi, i), by))
            return false;
    }
    return true;
}

static bool is_multiple_result(struct multiple *m, LLVMValueRef i, uint64_t by)
{
    const LLVMValueRef last = LLVMGetOperand(i, (unsigned)LLVMGetNumOperands(i) - 1);

    switch ((int)LLVMGetInstructionOpcode(i)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMOr:
    case LLVMXor:
    case LLVMSExt:
    case LLVMZExt:
    case LLVMTrunc:
    case LLVMFreeze:
        return are_multiples(m, i, 0, by);
    case LLVMSelect:
        return are_multiples(m, i, 1, by);
    case LLVMShl:
        return LLVMIsAConstantInt(last) && LLVMConstIntGetZExtValue(last) < 8 &&
               by <= (uint64_t)1 << LLVMConstIntGetZExtValue(last);
    case LLVMMul:
    case LLVMAnd:
        return is_multiple(m, last, by);
    default:
        return false;
    }
}

// `by` is a power of two, and stays the same on the way: what is assumed of phis is.
static bool is_multiple(struct multiple *m, LLVMValueRef value, uint64_t by)
{
    enum { MAX_DEPTH = 12 };
    bool is;

    if (by == 1)
        return true;
    if (LLVMIsAConstantInt(value))
        return LLVMConstIntGetZExtValue(value) % by == 0;
    if (!LLVMIsAInstruction(value) || m->depth == MAX_DEPTH)
        return false;
    m->depth++;
    is = LLVMIsAPHINode(value) ? is_multiple_phi(m, value, by)
                               : is_multiple_result(m, value, by);
    m->depth--;
    return is;
}

static uint64_t low_bit(uint64_t n)
{
    return n & (~n + 1);
}

// Adds the constant part of an address; false if another part is no number of units.
static bool add_indices(const struct search *f, LLVMValueRef gep, int64_t *bytes)
{
    const LLVMTargetDataRef layout = f->p->layout;
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);

    for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(gep); i++) {
        const LLVMValueRef index = LLVMGetOperand(gep, i);
        uint64_t each;

        if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            const unsigned member = (unsigned)LLVMConstIntGetZExtValue(index);

            *bytes += (int64_t)LLVMOffsetOfElement(layout, type, member);
            type = LLVMStructGetTypeAtIndex(type, member);
            continue;
        }
        if (i > 1)
            type = LLVMGetElementType(type);
        each = LLVMABISizeOfType(layout, type);
        if (LLVMIsAConstantInt(index))
            *bytes = (int64_t)((uint64_t)*bytes +
                               (uint64_t)LLVMConstIntGetSExtValue(index) * each);
        else if (!is_multiple(&(struct multiple){0}, index,
                              f->unit_bytes / low_bit(each | f->unit_bytes)))
            return false;
    }
    return true;
}

static bool find_place(struct search *f, LLVMValueRef pointer, unsigned depth,
                       uint64_t *at)
{
    enum { MAX_DEPTH = 64 };
    int64_t bytes = 0;

    *at = 0;
    if (LLVMIsUndef(pointer) || LLVMIsAAllocaInst(pointer) || LLVMIsAPHINode(pointer) ||
        LLVMIsASelectInst(pointer))
        return true;
    if (depth == MAX_DEPTH || !find_place(f, LLVMGetOperand(pointer, 0), depth + 1, at))
        return false;
    if (LLVMIsAGetElementPtrInst(pointer) && !add_indices(f, pointer, &bytes))
        return false;
    *at = (*at + (uint64_t)bytes) & (f->unit_bytes - 1);
    return true;
}

static bool starts_unit(struct search *f, LLVMValueRef pointer)
{
    uint64_t at;

    return find_place(f, pointer, 0, &at) && at == 0;
}

static bool joins_fit(struct search *f, LLVMValueRef pointer)
{
    if (LLVMIsASelectInst(pointer))
        return starts_unit(f, LLVMGetOperand(pointer, 1)) &&
               starts_unit(f, LLVMGetOperand(pointer, 2));
    for (unsigned i = 0; LLVMIsAPHINode(pointer) && i < LLVMCountIncoming(pointer); i++) {
        if (!starts_unit(f, LLVMGetIncomingValue(pointer, i)))
            return false;
    }
    return true;
}

static bool copy_fits(struct search *f, LLVMValueRef call)
{
    if (tf_private_copied_bytes(call) % f->unit_bytes)
        return false;
    for (unsigned i = 0; i < 2; i++) {
        const LLVMValueRef end = LLVMGetOperand(call, i);
        bool is_one = false;

        for (unsigned k = 0; k < f->pointers.count; k++)
            is_one |= f->pointers.values[k] == end;
        if (is_one && !starts_unit(f, end))
            return false;
    }
    return true;
}

static bool everything_fits(struct search *f)
{
    uint64_t at;

    for (unsigned i = 0; i < f->pointers.count; i++) {
        if (!find_place(f, f->pointers.values[i], 0, &at) ||
            !joins_fit(f, f->pointers.values[i]))
            return false;
    }
    for (unsigned i = 0; i < f->accesses.count; i++) {
        const LLVMValueRef access = f->accesses.values[i];

        find_place(f, LLVMGetOperand(access, LLVMIsAStoreInst(access) ? 1 : 0), 0, &at);
        if (at + accessed_bytes(f, access) > f->unit_bytes)
            return false;
    }
    for (unsigned i = 0; i < f->calls.count; i++) {
        if (!copy_fits(f, f->calls.values[i]))
            return false;
    }
    return true;
}

// ---- the result

static void add_copy(struct search *f, LLVMValueRef call)
{
    struct tf_private_copies *c = f->copies;

    if (c->count == c->capacity) {
        struct tf_private_copy *const old = c->copies;

        c->capacity = c->capacity ? 2 * c->capacity : 16;
        c->copies = TF_ARENA_NEW(f->p->arena, struct tf_private_copy, c->capacity);
        if (old)
            memcpy(c->copies, old, c->count * sizeof(*old));
    }
    c->copies[c->count++] = (struct tf_private_copy){call, (unsigned)f->unit_bytes};
}

static void remember(struct search *f)
{
    for (unsigned i = 0; i < f->pointers.count; i++) {
        uint64_t at;

        find_place(f, f->pointers.values[i], 0, &at);
        tf_map_put(&f->p->pointers, f->pointers.values[i],
                   (unsigned)(f->unit_bytes | at << AT_SHIFT));
    }
    for (unsigned i = 0; i < f->calls.count; i++)
        add_copy(f, f->calls.values[i]);
}

void tf_privates_init_with_copies(struct tf_privates *p, struct tf_arena *arena,
                                  LLVMTargetDataRef layout, LLVMValueRef fn,
                                  struct tf_private_copies *copies)
{
    const LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(fn);
    struct search f = {.p = p, .copies = copies};

    *p = (struct tf_privates){.arena = arena, .layout = layout};
    p->pointers.arena = f.seen.arena = arena;
    for (LLVMValueRef i = LLVMGetFirstInstruction(entry); i;
         i = LLVMGetNextInstruction(i)) {
        if (!LLVMIsAAllocaInst(i) || tf_map_get(&f.seen, i) != TF_MAP_NONE)
            continue;
        follow(&f, i);
        if (!f.refused && f.accesses.count && everything_fits(&f))
            remember(&f);
    }
}

void tf_privates_init(struct tf_privates *p, struct tf_arena *arena,
                      LLVMTargetDataRef layout, LLVMValueRef fn)
{
    tf_privates_init_with_copies(p, arena, layout, fn, NULL);
}

struct tf_private tf_private_of(const struct tf_privates *p, LLVMValueRef pointer)
{
    const unsigned found = tf_map_get(&p->pointers, pointer);

    if (found == TF_MAP_NONE)
        return (struct tf_private){0};
    return (struct tf_private){.unit_bytes = found & ((1u << AT_SHIFT) - 1),
                               .at_bytes = found >> AT_SHIFT};
}

uint64_t tf_private_bytes(const struct tf_privates *p, LLVMValueRef variable)
{
    const uint64_t bytes = LLVMABISizeOfType(p->layout, LLVMGetAllocatedType(variable));
    const unsigned unit = tf_private_of(p, variable).unit_bytes;
    const uint64_t grain = unit ? unit : LLVMGetAlignment(variable);

    return (bytes + grain - 1) / grain * grain;
}
