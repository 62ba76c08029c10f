// SPDX-License-Identifier: MIT
#include "compiler/front/compiler_args.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"

// Takes `text`, which may be NULL (memory ran out).
static void give(struct tf_args *args, char *text)
{
    if (text && args->count == args->room) {
        const size_t room = args->room ? 2 * args->room : 32;
        char **const items = tf_realloc(args->items, room * sizeof *items);

        if (items) {
            args->items = items;
            args->room = room;
        }
    }
    if (!text || args->failed || args->count == args->room) {
        tf_free(text);
        args->failed = true;
        return;
    }
    args->items[args->count++] = text;
}

void tf_args_add(struct tf_args *args, const char *text)
{
    give(args, tf_strdup(text));
}

void tf_args_printf(struct tf_args *args, const char *fmt, ...)
{
    va_list list;
    char *text = NULL;
    int bytes;

    va_start(list, fmt);
    bytes = vsnprintf(NULL, 0, fmt, list);
    va_end(list);
    if (bytes >= 0)
        text = tf_zalloc((size_t)bytes + 1);
    if (text) {
        va_start(list, fmt);
        vsnprintf(text, (size_t)bytes + 1, fmt, list);
        va_end(list);
    }
    give(args, text);
}

void tf_args_finish(struct tf_args *args)
{
    for (size_t i = 0; i < args->count; i++)
        tf_free(args->items[i]);
    tf_free(args->items);
    memset(args, 0, sizeof *args);
}
