// SPDX-License-Identifier: MIT
// Writes SPIR-V modules: words are added one by one, an instruction's length is filled in
// at its end.
#ifndef TF_TESTS_SUPPORT_SPIRV_WRITER_H
#define TF_TESTS_SUPPORT_SPIRV_WRITER_H

#include <check.h>
#include <stdint.h>
#include <string.h>

enum { SPIRV_WORDS_MAX = 1 << 16 };

struct spirv_writer {
    uint32_t words[SPIRV_WORDS_MAX];
    uint32_t count, bound;
    uint32_t begun; // the instruction that is being written
};

static inline void spirv_word(struct spirv_writer *w, uint32_t word)
{
    ck_assert_uint_lt(w->count, SPIRV_WORDS_MAX);
    w->words[w->count++] = word;
}

static inline void spirv_end(struct spirv_writer *w)
{
    if (w->begun)
        w->words[w->begun] |= (w->count - w->begun) << 16;
    w->begun = 0;
}

static inline void spirv_begin(struct spirv_writer *w, uint32_t opcode)
{
    spirv_end(w);
    w->begun = w->count;
    spirv_word(w, opcode);
}

static inline void spirv_text(struct spirv_writer *w, const char *text)
{
    for (size_t i = 0; i <= strlen(text); i += 4) {
        uint32_t word = 0;

        memcpy(&word, text + i, strnlen(text + i, 4));
        spirv_word(w, word);
    }
}

#define spirv_op(w, opcode, ...)                                                 \
    do {                                                                         \
        const uint32_t operands_[] = {__VA_ARGS__};                              \
                                                                                 \
        spirv_begin(w, opcode);                                                  \
        for (size_t i_ = 0; i_ < sizeof(operands_) / sizeof(operands_[0]); i_++) \
            spirv_word(w, operands_[i_]);                                        \
    } while (0)

static inline uint32_t spirv_id(struct spirv_writer *w)
{
    return w->bound++;
}

static inline void spirv_start(struct spirv_writer *w, uint32_t minor)
{
    w->count = 0;
    w->begun = 0;
    w->bound = 1;
    spirv_word(w, 0x07230203);
    spirv_word(w, 0x00010000 | minor << 8);
    spirv_word(w, 0);
    spirv_word(w, 0);
    spirv_word(w, 0);
}

// The module's size in bytes.
static inline size_t spirv_finish(struct spirv_writer *w)
{
    spirv_end(w);
    w->words[3] = w->bound;
    return w->count * sizeof(uint32_t);
}

#endif // TF_TESTS_SUPPORT_SPIRV_WRITER_H
