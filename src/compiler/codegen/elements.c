// SPDX-License-Identifier: MIT
#include "compiler/codegen/elements.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <llvm-c/Core.h>

#include "compiler/ir/ir_util.h"
#include "compiler/ir/vector/permutation.h"
#include "compiler/ir/vector/vector_parts.h"

enum { BYTE_BITS = 8, WORD_BITS = 32, PAIRS = 4 };

struct elements {
    struct tf_permuting by;
    LLVMContextRef context;
};

static LLVMValueRef number(const struct elements *e, unsigned n)
{
    return LLVMConstInt(LLVMInt32TypeInContext(e->context), n, 0);
}

static LLVMTypeRef ints(const struct elements *e, const struct tf_permutation *p,
                        unsigned count)
{
    return LLVMVectorType(LLVMIntTypeInContext(e->context, p->element_bytes * BYTE_BITS),
                          count);
}

// The indices as a vector of integers of the elements' size.
static LLVMValueRef indices(const struct elements *e, const struct tf_permutation *p)
{
    const LLVMTypeRef type = ints(e, p, p->count);
    LLVMValueRef made = LLVMGetPoison(type);

    if (p->index)
        return LLVMBuildIntCast2(e->by.b, p->index, type, false, "");
    for (unsigned i = 0; i < p->count; i++) {
        const LLVMValueRef index = LLVMBuildIntCast2(e->by.b, p->indices[i],
                                                     LLVMGetElementType(type), false, "");

        made = LLVMBuildInsertElement(e->by.b, made, index, number(e, i), "");
    }
    return made;
}

// The form that the code generator makes one permutation of, where registers are as long.
static LLVMValueRef one_by_one(const struct elements *e, LLVMValueRef from,
                               LLVMValueRef index)
{
    const LLVMBuilderRef b = e->by.b;
    const unsigned count = tf_vector_count(index);
    LLVMValueRef made =
        LLVMGetPoison(LLVMVectorType(LLVMGetElementType(LLVMTypeOf(from)), count));

    for (unsigned i = 0; i < count; i++) {
        const LLVMValueRef at = LLVMBuildExtractElement(b, index, number(e, i), "");

        made = LLVMBuildInsertElement(b, made, LLVMBuildExtractElement(b, from, at, ""),
                                      number(e, i), "");
    }
    return made;
}

// LLVM has no instruction for four longs with AVX2, but for eight words: both halves of a
// long.
static bool has_pairs(const struct elements *e, const struct tf_permutation *p)
{
    return p->element_bytes == sizeof(uint64_t) && p->count >= PAIRS &&
           p->from_count >= PAIRS && e->by.register_bits == PAIRS * 64;
}

static LLVMValueRef permute_pairs(const struct elements *e, LLVMValueRef from,
                                  LLVMValueRef index)
{
    static const char name[] = "llvm.x86.avx2.permd";
    const LLVMTypeRef type = LLVMTypeOf(from), longs = LLVMTypeOf(index);
    const LLVMTypeRef words = LLVMVectorType(LLVMInt32TypeInContext(e->context), 8);
    const unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    const LLVMBuilderRef b = e->by.b;
    LLVMValueRef args[2], made;

    index = LLVMBuildAdd(b, index, index, "");
    made = LLVMBuildShl(b, index, tf_vector_of(longs, WORD_BITS), "");
    made = LLVMBuildOr(b, made, index, "");
    made = LLVMBuildOr(b, made, tf_vector_of(longs, (uint64_t)1 << WORD_BITS), "");
    args[0] = LLVMBuildBitCast(b, from, words, "");
    args[1] = LLVMBuildBitCast(b, made, words, "");
    made = LLVMBuildCall2(b, LLVMIntrinsicGetType(e->context, id, NULL, 0),
                          LLVMGetIntrinsicDeclaration(e->by.module, id, NULL, 0), args, 2,
                          "");
    return LLVMBuildBitCast(b, made, type, "");
}

static LLVMValueRef mask(const struct elements *e, LLVMValueRef index, unsigned bits)
{
    return LLVMBuildAnd(e->by.b, index, tf_vector_of(LLVMTypeOf(index), bits), "");
}

// Out of a vector longer than a register: out of each of its parts, of which the higher
// bits of the index choose.
static LLVMValueRef out_of_parts(const struct elements *e, const struct tf_permutation *p,
                                 LLVMValueRef index, unsigned part)
{
    const LLVMValueRef low = mask(e, index, part - 1);
    const bool pairs = has_pairs(e, p);
    unsigned parts = p->from_count / part;
    LLVMValueRef made[TF_PERMUTED_MOST] = {NULL};

    for (unsigned i = 0; i < parts; i++) {
        const LLVMValueRef from = tf_vector_take(e->by.b, p->from, NULL, i * part, part);

        made[i] = pairs ? permute_pairs(e, from, low) : one_by_one(e, from, low);
    }
    for (; parts > 1; parts /= 2, part *= 2) {
        const LLVMValueRef bit = mask(e, index, part);
        const LLVMValueRef is_second =
            LLVMBuildICmp(e->by.b, LLVMIntNE, bit, LLVMConstNull(LLVMTypeOf(bit)), "");

        for (unsigned i = 0; i < parts / 2; i++)
            made[i] =
                LLVMBuildSelect(e->by.b, is_second, made[2 * i + 1], made[2 * i], "");
    }
    return made[0];
}

static LLVMValueRef build_long(const struct elements *e, const struct tf_permutation *p)
{
    const unsigned register_count = e->by.register_bits / BYTE_BITS / p->element_bytes;
    const unsigned each = p->count < register_count ? p->count : register_count;
    const LLVMValueRef index = indices(e, p);
    LLVMValueRef made[TF_PERMUTED_MOST] = {NULL};
    unsigned parts = p->count / each;

    for (unsigned i = 0; i < parts; i++)
        made[i] = out_of_parts(e, p, tf_vector_take(e->by.b, index, NULL, i * each, each),
                               register_count);
    for (; parts > 1; parts /= 2) {
        for (unsigned i = 0; i < parts / 2; i++)
            made[i] = tf_vector_take(e->by.b, made[2 * i], made[2 * i + 1], 0,
                                     2 * tf_vector_count(made[2 * i]));
    }
    return made[0];
}

static LLVMValueRef build_short(const struct elements *e, const struct tf_permutation *p)
{
    const unsigned span = tf_permutation_span(p);
    const LLVMValueRef made =
        tf_permute_segments(&e->by, tf_vector_take(e->by.b, p->from, NULL, 0, span),
                            tf_vector_take(e->by.b, indices(e, p), NULL, 0, span), span);

    return tf_vector_take(e->by.b, made, NULL, 0, p->count);
}

// LLVM makes no permutations of halves.
static LLVMValueRef build_halves(const struct elements *e, const struct tf_permutation *p)
{
    const LLVMValueRef from =
        LLVMBuildBitCast(e->by.b, p->from, ints(e, p, p->from_count), "");

    return one_by_one(e, from, mask(e, indices(e, p), p->from_count - 1));
}

static LLVMValueRef build(const struct elements *e, const struct tf_permutation *p)
{
    const LLVMTypeRef element = LLVMGetElementType(LLVMTypeOf(p->from));

    if (tf_permutation_bytes(p) <= TF_PERMUTED_PIECE_BYTES)
        return build_short(e, p);
    if (p->from_count * p->element_bytes * BYTE_BITS > e->by.register_bits ||
        has_pairs(e, p))
        return build_long(e, p);
    return LLVMGetTypeKind(element) == LLVMHalfTypeKind ? build_halves(e, p) : NULL;
}

static void settle(LLVMBuilderRef b, LLVMValueRef instruction, void *data)
{
    struct elements *e = data;
    struct tf_permutation p;
    LLVMValueRef made;

    if (!tf_permutation_of(instruction, &p))
        return;
    LLVMPositionBuilderBefore(b, instruction);
    e->by.b = b;
    made = build(e, &p);
    if (made)
        tf_ir_replace(instruction,
                      LLVMBuildBitCast(b, made, LLVMTypeOf(instruction), ""));
}

void tf_elements_settle(LLVMModuleRef module, unsigned register_bits)
{
    struct elements e = {.by = {.module = module, .register_bits = register_bits},
                         .context = LLVMGetModuleContext(module)};

    tf_ir_settle_each(module, settle, &e);
}
