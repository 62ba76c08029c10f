// SPDX-License-Identifier: MIT
// A position in the text of one directive, and what is read from there: words, types and
// values. What is false or NULL has set the script's error, unless another is named here.
#ifndef TF_TOOLS_TREFOIL_RUN_CURSOR_H
#define TF_TOOLS_TREFOIL_RUN_CURSOR_H

#include "trefoil_run_script.h"

struct cursor {
    struct run_script *script;
    const char *at, *end;
};

// Sets the script's error, unless there is one; returns false.
bool cursor_fail(struct cursor *c, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

// Appends one zeroed element to an array of `*count`; memory for a test script is there.
void *cursor_grow(void *array, size_t *count, size_t element_bytes);

void cursor_skip_blanks(struct cursor *c);
bool cursor_at_end(struct cursor *c);
// False, with a message, where something is left.
bool cursor_finish(struct cursor *c);
// Passes the token if it comes next; false is no error.
bool cursor_accept(struct cursor *c, const char *token);
// The same for a whole word.
bool cursor_accept_word(struct cursor *c, const char *keyword);
// A name or keyword (letters, digits, '_') into RUN_NAME_BYTES.
bool cursor_word(struct cursor *c, char *out);
bool cursor_number(struct cursor *c, size_t *out);
// Text in double quotes; free() it.
char *cursor_quoted(struct cursor *c);

// A scalar, a vector, or struct { type, type[n], struct {...} }.
bool cursor_type(struct cursor *c, struct run_layout *l);
// Appends the expression that ends at `end`.
bool cursor_expr(struct cursor *c, const char *end, struct run_init *init);
// One expression up to the end of the line, or { a, b, c } or { a, b, ... }.
bool cursor_init(struct cursor *c, struct run_init *init);

#endif // TF_TOOLS_TREFOIL_RUN_CURSOR_H
