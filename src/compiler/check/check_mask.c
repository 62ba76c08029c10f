// SPDX-License-Identifier: MIT
#include "compiler/check/check_mask.h"

#include <string.h>

#include <llvm-c/Core.h>

#include "base/alloc.h"
#include "compiler/ir/ir_util.h"

enum { MOST_ELEMENTS = 64, MOST_VALUES = 64 };

// ---- The map ----

static struct tf_check_entry *place_of(const struct tf_check_masks *m, LLVMValueRef key)
{
    size_t at = (size_t)(((uintptr_t)key >> 4) * 0x9e3779b97f4a7c15u >> 20);

    while (m->map[at & (m->room - 1)].key && m->map[at & (m->room - 1)].key != key)
        at++;
    return &m->map[at & (m->room - 1)];
}

static bool grow(struct tf_check_masks *m)
{
    struct tf_check_masks old = *m;

    m->room = old.room ? 2 * old.room : 256;
    m->map = tf_zalloc(m->room * sizeof(*m->map));
    if (!m->map) {
        *m = old;
        return false;
    }
    for (size_t i = 0; i < old.room; i++) {
        if (old.map[i].key)
            *place_of(m, old.map[i].key) = old.map[i];
    }
    tf_free(old.map);
    return true;
}

void tf_check_masks_put(struct tf_check_masks *m, LLVMValueRef key, LLVMValueRef value)
{
    if (2 * (m->count + 1) > m->room && !grow(m)) {
        m->c->sites.failed = true; // no memory: there will be no kernel
        return;
    }
    *place_of(m, key) = (struct tf_check_entry){key, value};
    m->count++;
}

LLVMValueRef tf_check_masks_get(const struct tf_check_masks *m, LLVMValueRef key)
{
    return m->room ? place_of(m, key)->value : NULL;
}

void tf_check_masks_finish(struct tf_check_masks *m)
{
    tf_free(m->map);
}

// ---- Types ----

unsigned tf_check_elements(LLVMTypeRef type)
{
    unsigned count;

    if (tf_ir_is_scalar(type))
        return 1;
    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind)
        return 0;
    count = LLVMGetVectorSize(type);
    return count <= MOST_ELEMENTS ? count : 0;
}

uint64_t tf_check_element_bytes(const struct tf_checks *c, LLVMTypeRef type)
{
    if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
        type = LLVMGetElementType(type);
    return LLVMStoreSizeOfType(c->layout, type);
}

static LLVMValueRef all_of(const struct tf_checks *c, unsigned elements)
{
    return tf_check_number(c, elements < 64 ? (1ull << elements) - 1 : ~0ull);
}

LLVMValueRef tf_check_whole_mask(const struct tf_checks *c, LLVMTypeRef type)
{
    return all_of(c, tf_check_elements(type));
}

// ---- Expressions ----

static LLVMOpcode opcode_of(LLVMValueRef value)
{
    return LLVMIsAInstruction(value) ? LLVMGetInstructionOpcode(value) : (LLVMOpcode)0;
}

static LLVMValueRef either(const struct tf_check_masks *m, LLVMValueRef a, LLVMValueRef b)
{
    if (!a || !b)
        return a ? a : b;
    return LLVMBuildOr(m->c->b, a, b, "");
}

static LLVMValueRef any_of(const struct tf_check_masks *m, LLVMValueRef mask)
{
    const LLVMValueRef some =
        LLVMBuildICmp(m->c->b, LLVMIntNE, mask, tf_check_number(m->c, 0), "");

    return LLVMBuildZExt(m->c->b, some, m->c->i64, "");
}

// A mask of `from` elements as one of `to`: where the numbers differ and neither is 1
// nobody knows which has become which.
static LLVMValueRef fit(const struct tf_check_masks *m, LLVMValueRef mask, unsigned from,
                        unsigned to)
{
    if (!mask || from == to)
        return mask;
    if (to == 1)
        return any_of(m, mask);
    return from == 1 ? LLVMBuildMul(m->c->b, mask, all_of(m->c, to), "") : NULL;
}

static LLVMValueRef mask_of(struct tf_check_masks *m, LLVMValueRef value, unsigned *left);

// Whoever misses one of these has no value.
static LLVMValueRef of_operands(struct tf_check_masks *m, LLVMValueRef value,
                                unsigned *left)
{
    const unsigned to = tf_check_elements(LLVMTypeOf(value));
    const int count = LLVMIsACallInst(value) ? (int)LLVMGetNumArgOperands(value)
                                             : LLVMGetNumOperands(value);
    LLVMValueRef all = NULL;

    for (int i = 0; i < count; i++) {
        const LLVMValueRef operand = LLVMGetOperand(value, (unsigned)i);

        if (LLVMIsAConstant(operand))
            continue;
        all = either(m, all,
                     fit(m, mask_of(m, operand, left),
                         tf_check_elements(LLVMTypeOf(operand)), to));
    }
    return all;
}

static LLVMValueRef as_word(const struct tf_check_masks *m, LLVMValueRef index)
{
    return LLVMGetIntTypeWidth(LLVMTypeOf(index)) > 64
               ? LLVMBuildTrunc(m->c->b, index, m->c->i64, "")
               : LLVMBuildZExtOrBitCast(m->c->b, index, m->c->i64, "");
}

static LLVMValueRef of_extract(struct tf_check_masks *m, LLVMValueRef value,
                               unsigned *left)
{
    const LLVMValueRef index = LLVMGetOperand(value, 1),
                       of = mask_of(m, LLVMGetOperand(value, 0), left),
                       at = mask_of(m, index, left);
    LLVMValueRef bit = NULL;

    if (of)
        bit = LLVMBuildAnd(m->c->b, LLVMBuildLShr(m->c->b, of, as_word(m, index), ""),
                           tf_check_number(m->c, 1), "");
    return either(m, bit, at);
}

static LLVMValueRef of_insert(struct tf_check_masks *m, LLVMValueRef value,
                              unsigned *left)
{
    const LLVMValueRef index = as_word(m, LLVMGetOperand(value, 2)),
                       of = mask_of(m, LLVMGetOperand(value, 0), left),
                       element = mask_of(m, LLVMGetOperand(value, 1), left),
                       bit = LLVMBuildShl(m->c->b, tf_check_number(m->c, 1), index, "");
    LLVMValueRef rest = NULL, set = NULL;

    if (of)
        rest = LLVMBuildAnd(m->c->b, of, LLVMBuildNot(m->c->b, bit, ""), "");
    if (element)
        set = LLVMBuildShl(m->c->b, element, index, "");
    return either(m, rest, set);
}

static LLVMValueRef of_shuffle(struct tf_check_masks *m, LLVMValueRef value,
                               unsigned *left)
{
    const LLVMValueRef first = LLVMGetOperand(value, 0);
    const LLVMValueRef masks[2] = {mask_of(m, first, left),
                                   mask_of(m, LLVMGetOperand(value, 1), left)};
    const int count = (int)LLVMGetVectorSize(LLVMTypeOf(first));
    LLVMValueRef all = NULL;

    for (unsigned i = 0; i < LLVMGetNumMaskElements(value); i++) {
        const int from = LLVMGetMaskValue(value, i);
        const LLVMValueRef mask = from < 0 ? NULL : masks[from >= count];
        LLVMValueRef bit;

        if (!mask)
            continue;
        bit = LLVMBuildLShr(m->c->b, mask,
                            tf_check_number(m->c, (uint64_t)(from % count)), "");
        bit = LLVMBuildAnd(m->c->b, bit, tf_check_number(m->c, 1), "");
        all = either(m, all, LLVMBuildShl(m->c->b, bit, tf_check_number(m->c, i), ""));
    }
    return all;
}

static LLVMValueRef or_none(const struct tf_check_masks *m, LLVMValueRef mask)
{
    return mask ? mask : tf_check_number(m->c, 0);
}

// The one that is taken; of vectors of conditions only what neither has.
static LLVMValueRef of_select(struct tf_check_masks *m, LLVMValueRef value,
                              unsigned *left)
{
    const LLVMValueRef condition = LLVMGetOperand(value, 0),
                       yes = mask_of(m, LLVMGetOperand(value, 1), left),
                       no = mask_of(m, LLVMGetOperand(value, 2), left),
                       of = mask_of(m, condition, left);
    const unsigned from = tf_check_elements(LLVMTypeOf(condition)),
                   to = tf_check_elements(LLVMTypeOf(value));
    LLVMValueRef taken = NULL;

    if (from == 1 && (yes || no))
        taken = LLVMBuildSelect(m->c->b, condition, or_none(m, yes), or_none(m, no), "");
    else if (yes && no)
        taken = LLVMBuildAnd(m->c->b, yes, no, "");
    return either(m, taken, fit(m, of, from, to));
}

static bool is_mask_of_bits(LLVMValueRef value)
{
    return opcode_of(value) == LLVMAnd && (LLVMIsAConstant(LLVMGetOperand(value, 0)) ||
                                           LLVMIsAConstant(LLVMGetOperand(value, 1)));
}

// Bits that are put together have a value as soon as some of them have: bit fields.
static LLVMValueRef of_or(struct tf_check_masks *m, LLVMValueRef value, unsigned *left)
{
    if (is_mask_of_bits(LLVMGetOperand(value, 0)) ||
        is_mask_of_bits(LLVMGetOperand(value, 1)))
        return NULL;
    return of_operands(m, value, left);
}

// The mask comes along the same way as the value. It is known before its parts are: it
// may be one of them.
static LLVMValueRef of_phi(struct tf_check_masks *m, LLVMValueRef phi, unsigned *left)
{
    const LLVMValueRef at = m->at;
    LLVMValueRef mask = tf_check_masks_get(m, phi);

    if (mask)
        return mask;
    LLVMPositionBuilderBefore(m->c->b, phi);
    mask = LLVMBuildPhi(m->c->b, m->c->i64, "");
    tf_check_masks_put(m, phi, mask);
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
        LLVMValueRef part;

        m->at = LLVMGetBasicBlockTerminator(from);
        LLVMPositionBuilderBefore(m->c->b, m->at);
        part = or_none(m, mask_of(m, LLVMGetIncomingValue(phi, i), left));
        LLVMAddIncoming(mask, &part, &from, 1);
    }
    m->at = at;
    LLVMPositionBuilderBefore(m->c->b, at);
    return mask;
}

// Of instructions that have been seen, parameters, and what computes a value of others.
static LLVMValueRef mask_of(struct tf_check_masks *m, LLVMValueRef value, unsigned *left)
{
    if (LLVMIsAArgument(value))
        return tf_check_masks_get(m, value);
    if (!LLVMIsAInstruction(value) || *left == 0 || !tf_check_elements(LLVMTypeOf(value)))
        return NULL;
    --*left;
    switch ((unsigned)opcode_of(value)) {
    case LLVMLoad:
        return tf_check_masks_get(m, value);
    case LLVMCall:
        return tf_ir_is_intrinsic(tf_ir_callee(value)) ? of_operands(m, value, left)
                                                       : tf_check_masks_get(m, value);
    case LLVMExtractElement:
        return of_extract(m, value, left);
    case LLVMInsertElement:
        return of_insert(m, value, left);
    case LLVMShuffleVector:
        return of_shuffle(m, value, left);
    case LLVMSelect:
        return of_select(m, value, left);
    case LLVMPHI:
        return of_phi(m, value, left);
    case LLVMOr:
        return of_or(m, value, left);
    case LLVMAnd:
    case LLVMXor:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMFreeze:
    case LLVMAdd:
    case LLVMFAdd:
    case LLVMSub:
    case LLVMFSub:
    case LLVMMul:
    case LLVMFMul:
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMFDiv:
    case LLVMURem:
    case LLVMSRem:
    case LLVMFRem:
    case LLVMFNeg:
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMFPToUI:
    case LLVMFPToSI:
    case LLVMUIToFP:
    case LLVMSIToFP:
    case LLVMFPTrunc:
    case LLVMFPExt:
    case LLVMPtrToInt:
    case LLVMIntToPtr:
    case LLVMBitCast:
    case LLVMAddrSpaceCast:
    case LLVMICmp:
    case LLVMFCmp:
    case LLVMGetElementPtr:
        return of_operands(m, value, left);
    default:
        return NULL;
    }
}

LLVMValueRef tf_check_mask_before(struct tf_check_masks *m, LLVMValueRef instruction,
                                  LLVMValueRef value)
{
    unsigned left = MOST_VALUES;

    m->at = instruction;
    LLVMPositionBuilderBefore(m->c->b, instruction);
    return mask_of(m, value, &left);
}
