// SPDX-License-Identifier: MIT
// Loads from tables of up to 256 bytes, as permutations of registers of words: an index's
// lower bits find the word, the highest one says which of two bytes.
#include "compiler/workgroup/gang/memory/gang_access.h"
#include "compiler/workgroup/gang/value/gang_emit.h"
#include "compiler/workgroup/plan/permute.h"

struct word_table {
    struct gang *g;
    const struct tf_table *of;
    struct tf_word_table words;
    LLVMTypeRef i16;
};

static uint64_t element_at(const struct word_table *t, uint64_t at)
{
    const LLVMValueRef element = at < t->of->count ? tf_table_element(t->of, at) : NULL;

    return element && LLVMIsAConstantInt(element) ? LLVMConstIntGetZExtValue(element) : 0;
}

// Words from `start` on: a register of them.
static LLVMValueRef part_at(const struct word_table *t, unsigned start)
{
    LLVMValueRef words[TF_WORD_LANES];

    for (unsigned i = 0; i < TF_WORD_LANES; i++) {
        uint64_t word = element_at(t, start + i);

        if (t->words.is_paired)
            word |= element_at(t, start + i + t->words.words) << 8;
        words[i] = LLVMConstInt(t->i16, word, false);
    }
    return LLVMConstVector(words, TF_WORD_LANES);
}

static LLVMValueRef same_in_all(const struct word_table *t, uint64_t n)
{
    LLVMValueRef all[TF_WORD_LANES];

    for (unsigned i = 0; i < TF_WORD_LANES; i++)
        all[i] = LLVMConstInt(t->i16, n, false);
    return LLVMConstVector(all, TF_WORD_LANES);
}

// Out of two registers: the lowest bits of the index count.
static LLVMValueRef permute(const struct word_table *t, LLVMValueRef index,
                            unsigned start)
{
    LLVMValueRef args[] = {part_at(t, start), index, part_at(t, start + TF_WORD_LANES)};

    return gang_intrinsic(t->g, "llvm.x86.avx512.vpermi2var.hi.512", NULL, 0, args, 3);
}

static LLVMValueRef has_bit(const struct word_table *t, LLVMValueRef index, uint64_t bit)
{
    const LLVMBuilderRef b = t->g->b;

    return LLVMBuildICmp(b, LLVMIntNE, LLVMBuildAnd(b, index, same_in_all(t, bit), ""),
                         same_in_all(t, 0), "");
}

// Of as many lanes as a register has words.
static LLVMValueRef look_up(const struct word_table *t, LLVMValueRef index)
{
    const LLVMBuilderRef b = t->g->b;
    LLVMValueRef found = permute(t, index, 0);

    if (t->words.words > TF_WORDS_OF_TWO)
        found = LLVMBuildSelect(b, has_bit(t, index, TF_WORDS_OF_TWO),
                                permute(t, index, TF_WORDS_OF_TWO), found, "");
    if (t->words.is_paired)
        found =
            LLVMBuildSelect(b, has_bit(t, index, t->words.words),
                            LLVMBuildLShr(b, found, same_in_all(t, 8), ""), found, "");
    return found;
}

// Lanes from `start` on; those past the end have any index.
static LLVMValueRef cut(struct gang *g, LLVMValueRef vector, unsigned start,
                        unsigned count)
{
    const unsigned have = LLVMGetVectorSize(LLVMTypeOf(vector));
    int *from = TF_ARENA_NEW(&g->arena, int, count);

    for (unsigned i = 0; i < count; i++)
        from[i] = start + i < have ? (int)(start + i) : -1;
    return gang_permute(g, vector, NULL, from, count);
}

void gang_word_table_load(struct gang *g, struct tf_value *load,
                          const struct tf_table *of, const struct tf_word_table *words)
{
    const struct word_table t = {g, of, *words,
                                 LLVMInt16TypeInContext(LLVMGetTypeContext(g->i32))};
    const LLVMValueRef index = gang_table_index(g, of, load, t.i16);
    const unsigned each = g->width < TF_WORD_LANES ? g->width : TF_WORD_LANES;
    const LLVMTypeRef type = LLVMVectorType(of->element, each);
    LLVMValueRef made = NULL;

    for (unsigned start = 0; start < g->width; start += each) {
        LLVMValueRef part =
            cut(g, look_up(&t, cut(g, index, start, TF_WORD_LANES)), 0, each);

        if (of->element_bytes == sizeof(uint8_t))
            part = LLVMBuildTrunc(g->b, part, type, "");
        made = made ? gang_concatenate(g, made, part) : part;
    }
    gang_define(g, load, NULL, made);
}
