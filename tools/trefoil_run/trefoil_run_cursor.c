// SPDX-License-Identifier: MIT
// Words, types and values in the text of a directive.
#include "trefoil_run_cursor.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool cursor_fail(struct cursor *c, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    if (!c->script->error[0])
        vsnprintf(c->script->error, sizeof(c->script->error), fmt, args);
    va_end(args);
    return false;
}

void *cursor_grow(void *array, size_t *count, size_t element_bytes)
{
    char *grown = realloc(array, (*count + 1) * element_bytes);

    if (!grown)
        abort();
    memset(grown + *count * element_bytes, 0, element_bytes);
    ++*count;
    return grown;
}

// Of a directive, not of what stands behind it in the file.
static bool fail_here(struct cursor *c, const char *what)
{
    enum { SHOWN_BYTES = 20 };
    const size_t left = (size_t)(c->end - c->at);

    return cursor_fail(c, "%s at \"%.*s\"", what,
                       left < SHOWN_BYTES ? (int)left : SHOWN_BYTES, c->at);
}

bool cursor_finish(struct cursor *c)
{
    return cursor_at_end(c) || fail_here(c, "unexpected text");
}

// ---- Words ----

void cursor_skip_blanks(struct cursor *c)
{
    while (c->at < c->end && isspace((unsigned char)*c->at))
        c->at++;
}

bool cursor_at_end(struct cursor *c)
{
    cursor_skip_blanks(c);
    return c->at == c->end;
}

bool cursor_accept(struct cursor *c, const char *token)
{
    const size_t length = strlen(token);

    cursor_skip_blanks(c);
    if ((size_t)(c->end - c->at) < length || memcmp(c->at, token, length) != 0)
        return false;
    c->at += length;
    return true;
}

bool cursor_word(struct cursor *c, char *out)
{
    size_t length = 0;

    cursor_skip_blanks(c);
    while (c->at < c->end && (isalnum((unsigned char)*c->at) || *c->at == '_')) {
        if (length + 1 == RUN_NAME_BYTES)
            return cursor_fail(c, "name too long");
        out[length++] = *c->at++;
    }
    out[length] = '\0';
    return length || fail_here(c, "a name was expected");
}

bool cursor_accept_word(struct cursor *c, const char *keyword)
{
    const char *const start = c->at;

    if (cursor_accept(c, keyword) &&
        (c->at == c->end || !(isalnum((unsigned char)*c->at) || *c->at == '_')))
        return true;
    c->at = start;
    return false;
}

bool cursor_number(struct cursor *c, size_t *out)
{
    char *stop;

    cursor_skip_blanks(c);
    if (c->at == c->end || !isdigit((unsigned char)*c->at))
        return fail_here(c, "a number was expected");
    errno = 0;
    *out = strtoull(c->at, &stop, 10); // not 0: "0x2" is two sizes
    if (errno)
        return fail_here(c, "a number is too large");
    c->at = stop;
    return true;
}

char *cursor_quoted(struct cursor *c)
{
    const char *start, *stop;

    if (!cursor_accept(c, "\"") ||
        !(stop = memchr(c->at, '"', (size_t)(c->end - c->at)))) {
        cursor_fail(c, "a text in quotes was expected");
        return NULL;
    }
    start = c->at;
    c->at = stop + 1;
    char *text = strndup(start, (size_t)(stop - start));
    if (!text)
        abort();
    return text;
}

// ---- Types and values ----

static void layout_pad(struct run_layout *l, size_t align_bytes)
{
    l->size_bytes = (l->size_bytes + align_bytes - 1) / align_bytes * align_bytes;
    if (l->align_bytes < align_bytes)
        l->align_bytes = align_bytes;
}

static void layout_add(struct run_layout *l, enum run_scalar type, unsigned width)
{
    const size_t bytes = run_scalar_bytes(type);
    const size_t vector_bytes = bytes * (width == 3 ? 4 : width);

    layout_pad(l, vector_bytes);
    for (unsigned n = 0; n < width; n++) {
        l->component[l->n_components].type = type;
        l->component[l->n_components].offset_bytes = l->size_bytes + n * bytes;
        l->n_components++;
    }
    l->size_bytes += vector_bytes;
}

static bool layout_append(struct cursor *c, struct run_layout *l,
                          const struct run_layout *inner)
{
    if (l->n_components + inner->n_components > RUN_MAX_COMPONENTS)
        return cursor_fail(c, "more than %d components", RUN_MAX_COMPONENTS);
    layout_pad(l, inner->align_bytes);
    for (unsigned n = 0; n < inner->n_components; n++) {
        l->component[l->n_components] = inner->component[n];
        l->component[l->n_components].offset_bytes += l->size_bytes;
        l->n_components++;
    }
    l->size_bytes += inner->size_bytes;
    return true;
}

// "float", "int4": one field, repeated `[n]` times inside a struct.
static bool parse_field(struct cursor *c, struct run_layout *l, bool in_struct)
{
    char name[RUN_NAME_BYTES];
    size_t letters = 0, times = 1;
    unsigned width = 1;

    if (!cursor_word(c, name))
        return false;
    while (name[letters] && !isdigit((unsigned char)name[letters]))
        letters++;
    const enum run_scalar type = run_scalar_find(name, letters);
    if (name[letters])
        width = (unsigned)strtoul(name + letters, NULL, 10);
    if (type == RUN_SCALARS || !(width == 1 || width == 2 || width == 3 || width == 4 ||
                                 width == 8 || width == 16))
        return cursor_fail(c, "no such type: %s", name);
    if (in_struct && cursor_accept(c, "[") &&
        !(cursor_number(c, &times) && cursor_accept(c, "]")))
        return cursor_fail(c, "bad array in a struct");
    if (times > RUN_MAX_COMPONENTS ||
        l->n_components + times * width > RUN_MAX_COMPONENTS)
        return cursor_fail(c, "more than %d components", RUN_MAX_COMPONENTS);
    for (; times; times--)
        layout_add(l, type, width);
    return true;
}

// struct { type, type[n], struct {...} }: laid out as C does.
static bool parse_struct(struct cursor *c, struct run_layout *l)
{
    if (!cursor_accept(c, "{"))
        return cursor_fail(c, "struct { type, type ... } was expected");
    do {
        struct run_layout inner = {0};
        if (!cursor_accept_word(c, "struct")) {
            if (!parse_field(c, l, true))
                return false;
        } else if (!parse_struct(c, &inner) || !layout_append(c, l, &inner)) {
            return false;
        }
    } while (cursor_accept(c, ","));
    layout_pad(l, l->align_bytes);
    return cursor_accept(c, "}") || cursor_fail(c, "missing }");
}

bool cursor_type(struct cursor *c, struct run_layout *l)
{
    return cursor_accept_word(c, "struct") ? parse_struct(c, l)
                                           : parse_field(c, l, false);
}

// The end of the expression that starts here: a comma or closing brace outside brackets.
static const char *expression_end(const struct cursor *c)
{
    int depth = 0;

    for (const char *at = c->at; at < c->end; at++) {
        if (strchr("([", *at))
            depth++;
        else if (strchr(")]", *at))
            depth--;
        else if (!depth && strchr(",}", *at))
            return at;
    }
    return c->end;
}

bool cursor_expr(struct cursor *c, const char *end, struct run_init *init)
{
    char error[RUN_ERROR_BYTES];
    struct run_expr *expr = run_expr_parse(c->at, (size_t)(end - c->at), error);

    if (!expr)
        return cursor_fail(c, "%s", error);
    init->items = cursor_grow(init->items, &init->n_items, sizeof(*init->items));
    init->items[init->n_items - 1] = expr;
    c->at = end;
    return true;
}

bool cursor_init(struct cursor *c, struct run_init *init)
{
    if (!cursor_accept(c, "{"))
        return cursor_expr(c, c->end, init);
    init->is_list = true;
    do {
        if (init->n_items && cursor_accept(c, "...")) {
            init->repeats = true;
            break;
        }
        if (!cursor_expr(c, expression_end(c), init))
            return false;
    } while (cursor_accept(c, ","));
    return cursor_accept(c, "}") || cursor_fail(c, "missing }");
}
