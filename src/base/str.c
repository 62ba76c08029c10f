// SPDX-License-Identifier: MIT
#include "base/str.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/range.h"

// Room for `more` bytes and the terminating 0.
static bool reserve(struct tf_str *s, size_t more)
{
    size_t need, room = s->room ? s->room : 64;
    char *text;

    if (s->failed || tf_add_overflow(s->bytes, more, &need) ||
        tf_add_overflow(need, 1, &need)) {
        s->failed = true;
        return false;
    }
    if (need <= s->room)
        return true;
    while (room < need && !tf_mul_overflow(room, 2, &room))
        ;
    text = room < need ? NULL : tf_realloc(s->text, room);
    if (!text) {
        s->failed = true;
        return false;
    }
    s->text = text;
    s->room = room;
    return true;
}

void tf_str_add_bytes(struct tf_str *s, const void *data, size_t bytes)
{
    if (!reserve(s, bytes))
        return;
    if (bytes)
        memcpy(s->text + s->bytes, data, bytes);
    s->bytes += bytes;
    s->text[s->bytes] = 0;
}

void tf_str_add(struct tf_str *s, const char *text)
{
    tf_str_add_bytes(s, text, strlen(text));
}

void tf_str_printf(struct tf_str *s, const char *fmt, ...)
{
    va_list args, again;
    int n;

    va_start(args, fmt);
    va_copy(again, args);
    n = vsnprintf(NULL, 0, fmt, args);
    va_end(args);
    if (n < 0)
        s->failed = true;
    else if (reserve(s, (size_t)n)) {
        vsnprintf(s->text + s->bytes, (size_t)n + 1, fmt, again);
        s->bytes += (size_t)n;
    }
    va_end(again);
}

char *tf_str_take(struct tf_str *s)
{
    char *text = NULL;

    if (reserve(s, 0)) {
        s->text[s->bytes] = 0;
        text = s->text;
        s->text = NULL;
    }
    tf_str_finish(s);
    return text;
}

void tf_str_finish(struct tf_str *s)
{
    tf_free(s->text);
    *s = (struct tf_str){0};
}

static bool is_border(char c)
{
    return c == 0 || isspace((unsigned char)c) || c == '"' || c == '\'';
}

bool tf_str_has_word(const char *text, const char *word)
{
    const size_t bytes = strlen(word);

    for (const char *at = text; (at = strstr(at, word)); at += bytes)
        if ((at == text || is_border(at[-1])) && is_border(at[bytes]))
            return true;
    return false;
}
