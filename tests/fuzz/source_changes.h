// SPDX-License-Identifier: MIT
// Changes of sources that know nothing of the language but some of its words.
#ifndef TF_TESTS_FUZZ_SOURCE_CHANGES_H
#define TF_TESTS_FUZZ_SOURCE_CHANGES_H

#include <stddef.h>
#include <stdint.h>

enum { SOURCE_BYTES = 40000 };

struct source_text {
    char bytes[SOURCE_BYTES + 1]; // ends with a null
    size_t count;
};

extern uint64_t source_state; // the seed of what comes

uint64_t source_any(void);
size_t source_below(size_t limit); // 0 for 0

// `removed` bytes at `at` become `with`; nothing happens where they would not fit.
void source_replace(struct source_text *t, size_t at, size_t removed, const char *with,
                    size_t count);

// One change of a few kinds. Pieces come from `t` itself and from `other`, which may be
// empty.
void source_change(struct source_text *t, const char *other, size_t other_bytes);

#endif // TF_TESTS_FUZZ_SOURCE_CHANGES_H
