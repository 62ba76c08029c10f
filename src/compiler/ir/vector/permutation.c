// SPDX-License-Identifier: MIT
#include "compiler/ir/vector/permutation.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <llvm-c/Core.h>

#include "compiler/ir/vector/vector_parts.h"

enum { BYTE_BITS = 8, WORD_BYTES = 4 };

static bool is_power_of_two(unsigned n)
{
    return n > 0 && (n & (n - 1)) == 0;
}

// ---- finding them

// Bytes of an element of a vector; 0: of no such kind.
static unsigned bytes_of(LLVMTypeRef vector)
{
    const LLVMTypeRef element = LLVMGetElementType(vector);

    switch ((int)LLVMGetTypeKind(element)) {
    case LLVMHalfTypeKind:
        return sizeof(uint16_t);
    case LLVMFloatTypeKind:
        return sizeof(float);
    case LLVMDoubleTypeKind:
        return sizeof(double);
    case LLVMIntegerTypeKind:
        break;
    default:
        return 0;
    }
    switch (LLVMGetIntTypeWidth(element)) {
    case 8 * sizeof(uint8_t):
    case 8 * sizeof(uint16_t):
    case 8 * sizeof(uint32_t):
    case 8 * sizeof(uint64_t):
        return LLVMGetIntTypeWidth(element) / BYTE_BITS;
    default:
        return 0;
    }
}

static bool has_sizes(unsigned count)
{
    return count > 1 && count <= TF_PERMUTED_MOST && is_power_of_two(count);
}

static bool are_in_one_block(LLVMValueRef a, LLVMValueRef b)
{
    return LLVMGetInstructionParent(a) == LLVMGetInstructionParent(b);
}

// Takes the element that `insert` puts in.
static bool take_element(LLVMValueRef insert, struct tf_permutation *out)
{
    const LLVMValueRef element = LLVMGetOperand(insert, 1);
    const LLVMValueRef at = LLVMGetOperand(insert, 2);
    uint64_t place;

    if (!LLVMIsAConstantInt(at) || !LLVMIsAExtractElementInst(element) ||
        !are_in_one_block(element, insert))
        return false;
    place = LLVMConstIntGetZExtValue(at);
    if (place >= out->count || out->indices[place] ||
        (out->from && out->from != LLVMGetOperand(element, 0)))
        return false;
    out->from = LLVMGetOperand(element, 0);
    out->indices[place] = LLVMGetOperand(element, 1);
    return true;
}

// What leaves the bits alone that count.
static bool keeps_bits(LLVMValueRef cast)
{
    return LLVMIsAZExtInst(cast) || LLVMIsASExtInst(cast) ||
           (LLVMIsATruncInst(cast) && LLVMGetIntTypeWidth(LLVMTypeOf(cast)) >= BYTE_BITS);
}

static LLVMValueRef without_cast(LLVMValueRef index)
{
    while (keeps_bits(index))
        index = LLVMGetOperand(index, 0);
    return index;
}

static bool has_place(LLVMValueRef extract, unsigned place)
{
    const LLVMValueRef at = LLVMGetOperand(extract, 1);

    return LLVMIsAConstantInt(at) && LLVMConstIntGetZExtValue(at) == place;
}

// Whose elements the indices are, in their order, or NULL. They are taken out in the
// block of `insert`: else nobody knows that the vector is wanted there, too.
static LLVMValueRef index_vector(const struct tf_permutation *p, LLVMValueRef insert)
{
    LLVMValueRef vector = NULL;

    for (unsigned i = 0; i < p->count; i++) {
        const LLVMValueRef index = without_cast(p->indices[i]);

        if (!LLVMIsAExtractElementInst(index) || !are_in_one_block(index, insert) ||
            !has_place(index, i) || (vector && vector != LLVMGetOperand(index, 0)))
            return NULL;
        vector = LLVMGetOperand(index, 0);
    }
    return LLVMGetVectorSize(LLVMTypeOf(vector)) == p->count ? vector : NULL;
}

static bool is_all_there(const struct tf_permutation *p)
{
    bool varies = false;

    for (unsigned i = 0; i < p->count; i++) {
        if (!p->indices[i])
            return false;
        varies |= !LLVMIsAConstant(p->indices[i]);
    }
    return varies;
}

bool tf_permutation_of(LLVMValueRef value, struct tf_permutation *out)
{
    const LLVMTypeRef type = LLVMTypeOf(value);
    const LLVMValueRef last = value;

    if (!LLVMIsAInsertElementInst(value) || LLVMGetTypeKind(type) != LLVMVectorTypeKind)
        return false;
    *out = (struct tf_permutation){.count = LLVMGetVectorSize(type),
                                   .element_bytes = bytes_of(type)};
    if (!out->element_bytes || !has_sizes(out->count))
        return false;
    for (; LLVMIsAInsertElementInst(value); value = LLVMGetOperand(value, 0)) {
        if (!are_in_one_block(value, last) || !take_element(value, out))
            return false;
    }
    if (!LLVMIsUndef(value) || !is_all_there(out))
        return false;
    out->from_count = LLVMGetVectorSize(LLVMTypeOf(out->from));
    out->index = index_vector(out, last);
    return has_sizes(out->from_count);
}

// The end of the row that `insert` is in: each of the others has one user, the next.
static LLVMValueRef end_of_row(LLVMValueRef insert)
{
    for (;;) {
        const LLVMUseRef use = LLVMGetFirstUse(insert);
        LLVMValueRef user;

        if (!use || LLVMGetNextUse(use))
            return insert;
        user = LLVMGetUser(use);
        if (!LLVMIsAInsertElementInst(user) || LLVMGetOperand(user, 0) != insert)
            return insert;
        insert = user;
    }
}

static bool is_one_of(LLVMValueRef value, unsigned most_bytes, struct tf_permutation *out)
{
    return tf_permutation_of(value, out) && tf_permutation_bytes(out) <= most_bytes;
}

// Whether `user` takes `extract` for nothing but a permutation: as an element, or as one
// of the indices that are there as a vector, too.
static bool takes(LLVMValueRef user, LLVMValueRef extract, unsigned most_bytes,
                  struct tf_permutation *out)
{
    if (LLVMIsAInsertElementInst(user))
        return LLVMGetOperand(user, 1) == extract && are_in_one_block(user, extract) &&
               is_one_of(end_of_row(user), most_bytes, out);
    for (LLVMUseRef use = LLVMGetFirstUse(user); use; use = LLVMGetNextUse(use)) {
        const LLVMValueRef insert = LLVMGetUser(use);

        if (!LLVMIsAExtractElementInst(user) || LLVMGetOperand(user, 1) != extract ||
            !LLVMIsAInsertElementInst(insert) || !takes(insert, user, most_bytes, out) ||
            !out->index)
            return false;
    }
    return LLVMGetFirstUse(user) != NULL;
}

bool tf_is_within_permutations(LLVMValueRef value, unsigned most_bytes)
{
    struct tf_permutation p = {0};

    if (LLVMIsAInsertElementInst(value)) {
        const LLVMValueRef end = end_of_row(value);

        return end != value && is_one_of(end, most_bytes, &p);
    }
    if (!LLVMIsAExtractElementInst(value))
        return false;
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        if (!takes(LLVMGetUser(use), value, most_bytes, &p))
            return false;
    }
    return LLVMGetFirstUse(value) != NULL;
}

unsigned tf_permutation_span(const struct tf_permutation *p)
{
    return p->from_count > p->count ? p->from_count : p->count;
}

unsigned tf_permutation_bytes(const struct tf_permutation *p)
{
    return tf_permutation_span(p) * p->element_bytes;
}

// ---- making them

static LLVMContextRef context_of(const struct tf_permuting *p)
{
    return LLVMGetModuleContext(p->module);
}

static LLVMTypeRef ints(const struct tf_permuting *p, unsigned bytes, unsigned count)
{
    return LLVMVectorType(LLVMIntTypeInContext(context_of(p), bytes * BYTE_BITS), count);
}

// Of each element the number of its segment's first one within 16 bytes, times `scale`,
// and `more`.
static LLVMValueRef bases(LLVMTypeRef type, unsigned segment, uint64_t scale,
                          uint64_t more)
{
    const LLVMTypeRef element = LLVMGetElementType(type);
    const unsigned bytes = LLVMGetIntTypeWidth(element) / BYTE_BITS;
    const unsigned piece = TF_PERMUTED_PIECE_BYTES / bytes;
    const unsigned count = LLVMGetVectorSize(type);
    LLVMValueRef all[TF_VECTOR_MOST];

    for (unsigned i = 0; i < count; i++)
        all[i] = LLVMConstInt(element, i % piece / segment * segment * scale + more, 0);
    return LLVMConstVector(all, count);
}

// The instruction's name for a register of 128, 256 or 512 bits.
static LLVMValueRef call(const struct tf_permuting *p, const char *const names[3],
                         LLVMValueRef from, LLVMValueRef control)
{
    const LLVMTypeRef type = LLVMTypeOf(from);
    const unsigned bytes = bytes_of(type) * LLVMGetVectorSize(type);
    const char *name = names[bytes / (2 * TF_PERMUTED_PIECE_BYTES)];
    const unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    LLVMValueRef args[] = {from, control};

    return LLVMBuildCall2(p->b, LLVMIntrinsicGetType(context_of(p), id, NULL, 0),
                          LLVMGetIntrinsicDeclaration(p->module, id, NULL, 0), args, 2,
                          "");
}

static LLVMValueRef permute_bytes(const struct tf_permuting *p, LLVMValueRef from,
                                  LLVMValueRef index, unsigned segment)
{
    static const char *const names[] = {"llvm.x86.ssse3.pshuf.b.128",
                                        "llvm.x86.avx2.pshuf.b",
                                        "llvm.x86.avx512.pshuf.b.512"};
    enum { BOTH = 0x0101, SECOND = 0x0100 }; // bytes of an element of 16 bits
    const LLVMTypeRef type = LLVMTypeOf(from);
    const unsigned bytes = bytes_of(type);
    const LLVMTypeRef all = ints(p, 1, bytes * tf_vector_count(from));

    if (bytes == 1) {
        index = LLVMBuildAdd(p->b, index, bases(type, segment, 1, 0), "");
        return call(p, names, from, index);
    }
    index = LLVMBuildMul(p->b, index, tf_vector_of(type, BOTH * sizeof(uint16_t)), "");
    index = LLVMBuildAdd(p->b, index,
                         bases(type, segment, BOTH * sizeof(uint16_t), SECOND), "");
    from = call(p, names, LLVMBuildBitCast(p->b, from, all, ""),
                LLVMBuildBitCast(p->b, index, all, ""));
    return LLVMBuildBitCast(p->b, from, type, "");
}

static LLVMValueRef permute_words(const struct tf_permuting *p, LLVMValueRef from,
                                  LLVMValueRef index, unsigned segment)
{
    static const char *const words[] = {"llvm.x86.avx.vpermilvar.ps",
                                        "llvm.x86.avx.vpermilvar.ps.256",
                                        "llvm.x86.avx512.vpermilvar.ps.512"};
    static const char *const longs[] = {"llvm.x86.avx.vpermilvar.pd",
                                        "llvm.x86.avx.vpermilvar.pd.256",
                                        "llvm.x86.avx512.vpermilvar.pd.512"};
    const LLVMTypeRef type = LLVMTypeOf(from);
    const bool is_word = bytes_of(type) == WORD_BYTES;
    const LLVMTypeRef real = is_word ? LLVMFloatTypeInContext(context_of(p))
                                     : LLVMDoubleTypeInContext(context_of(p));

    if (is_word)
        index = LLVMBuildAdd(p->b, index, bases(type, segment, 1, 0), "");
    else // the bit that counts is the second one
        index = LLVMBuildAdd(p->b, index, index, "");
    from = LLVMBuildBitCast(p->b, from, LLVMVectorType(real, tf_vector_count(from)), "");
    from = call(p, is_word ? words : longs, from, index);
    return LLVMBuildBitCast(p->b, from, type, "");
}

static LLVMValueRef permute_register(const struct tf_permuting *p, LLVMValueRef from,
                                     LLVMValueRef index, unsigned segment)
{
    return bytes_of(LLVMTypeOf(from)) < WORD_BYTES
               ? permute_bytes(p, from, index, segment)
               : permute_words(p, from, index, segment);
}

LLVMValueRef tf_permute_segments(const struct tf_permuting *p, LLVMValueRef from,
                                 LLVMValueRef index, unsigned segment)
{
    const LLVMTypeRef type = LLVMTypeOf(from);
    const unsigned count = tf_vector_count(from), bytes = bytes_of(type);
    unsigned each = bytes ? TF_PERMUTED_PIECE_BYTES / bytes : count, parts = 1;
    const LLVMTypeRef whole = ints(p, bytes, count);
    LLVMValueRef made[TF_VECTOR_MOST / 2];

    while (each < count && each * bytes * BYTE_BITS < p->register_bits)
        each *= 2;
    while (parts * each < count)
        parts *= 2;
    from = LLVMBuildBitCast(p->b, from, whole, "");
    index = LLVMBuildIntCast2(p->b, index, whole, false, "");
    index = LLVMBuildAnd(p->b, index, tf_vector_of(whole, segment - 1), "");
    for (unsigned i = 0; i < parts; i++)
        made[i] =
            permute_register(p, tf_vector_take(p->b, from, NULL, i * each, each),
                             tf_vector_take(p->b, index, NULL, i * each, each), segment);
    for (; parts > 1; parts /= 2) {
        for (unsigned i = 0; i < parts / 2; i++)
            made[i] = tf_vector_take(p->b, made[2 * i], made[2 * i + 1], 0,
                                     2 * tf_vector_count(made[2 * i]));
    }
    return LLVMBuildBitCast(p->b, tf_vector_take(p->b, made[0], NULL, 0, count), type,
                            "");
}
