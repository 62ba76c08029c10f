// SPDX-License-Identifier: MIT
// A growing string. After a failed allocation `failed` is set, later calls do nothing and
// tf_str_take returns NULL: check once, at the end.
#ifndef TF_BASE_STR_H
#define TF_BASE_STR_H

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"

struct tf_str {
    char *text; // terminated by 0; NULL while empty
    size_t bytes;
    size_t room;
    bool failed;
};

void tf_str_add(struct tf_str *s, const char *text);
void tf_str_add_bytes(struct tf_str *s, const void *data, size_t bytes);
void tf_str_printf(struct tf_str *s, const char *fmt, ...) TF_PRINTF(2, 3);
// The text (tf_free), "" if nothing was added; NULL if memory ran out. Empties `s`.
char *tf_str_take(struct tf_str *s) TF_NODISCARD;
void tf_str_finish(struct tf_str *s);

// Whether `word` is one of the words of `text`, which end at blanks and at quotes.
bool tf_str_has_word(const char *text, const char *word);

#endif // TF_BASE_STR_H
