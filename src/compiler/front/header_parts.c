// SPDX-License-Identifier: MIT
#include "compiler/front/header_parts.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "base/alloc.h"

static bool has(const char *text, size_t bytes, const char *word)
{
    return bytes > 0 && memmem(text, bytes, word, strlen(word));
}

static bool has_one(const char *text, size_t bytes, const char *const *words)
{
    while (*words && !has(text, bytes, *words))
        words++;
    return *words != NULL;
}

// Its words are not those of its text: other files, words pasted together or written over
// two lines or as numbers.
static bool is_indirect(const char *text, size_t bytes)
{
    static const char *const words[] = {"include", "import", "embed", "##",
                                        "%:%:",    "??",     NULL};

    for (const char *at = text, *end = text + bytes;
         bytes && (at = memchr(at, '\\', (size_t)(end - at))); at++)
        if (at > text && (isalnum((unsigned char)at[-1]) || at[-1] == '_'))
            return true;
    return has_one(text, bytes, words);
}

// float4: the last letter of a type and the first digit of a number of elements.
static bool names_vectors(const char *text, size_t bytes)
{
    for (size_t i = 1; i < bytes; i++)
        if (text[i] >= '1' && text[i] <= '8' && strchr("rtgef", text[i - 1]))
            return true;
    return false;
}

static bool names_reinterpretation(const char *text, size_t bytes)
{
    return has(text, bytes, "as_");
}

static bool names_limits(const char *text, size_t bytes)
{
    static const char *const words[] = {"_M",   "M_",       "FLT_",     "DBL_",
                                        "FP_",  "HALF_",    "CHAR_BIT", "MAXFLOAT",
                                        "HUGE", "INFINITY", "NAN",      NULL};

    return has_one(text, bytes, words);
}

static bool names_clk(const char *text, size_t bytes)
{
    return has(text, bytes, "CLK_");
}

static bool names_collectives(const char *text, size_t bytes)
{
    return has(text, bytes, "work_group_");
}

// By the text that a part begins with and the one that stands behind it.
static const struct part {
    const char *begin, *end;
    bool (*is_named)(const char *text, size_t bytes);
} parts[] = {
    {"\n__TF_VECTORS(", "\n", names_vectors}, // one line; there are many
    {"// Reinterpretation", "// Limits of integers", names_reinterpretation},
    {"// Limits of integers", "// Synchronization", names_limits},
    {"#define CLK_LOCAL_MEM_FENCE", "#if __TF_C_VERSION >= 200\n", names_clk},
    {"// Collective functions", "// printf", names_collectives},
    {"// Samplers", "#ifdef __opencl_c_device_enqueue\n", names_clk},
};
enum { PARTS = sizeof(parts) / sizeof(*parts) };

static const char *find(const char *at, const char *end, const char *text)
{
    const char *const found =
        at < end ? memmem(at, (size_t)(end - at), text, strlen(text)) : NULL;

    return found ? found : end;
}

// The first part that begins at `*at` or behind it and is not named; `*at` becomes its
// begin, or `end` where there is none.
static const struct part *next_left_out(const char **at, const char *end,
                                        const struct tf_compile_in *in,
                                        const char *options)
{
    const struct part *first = NULL;
    const char *first_at = end;

    for (const struct part *part = parts; part < parts + PARTS; part++) {
        const char *const begin = find(*at, end, part->begin);

        if (begin < first_at && !part->is_named(in->source, in->source_bytes) &&
            !part->is_named(options, strlen(options))) {
            first = part;
            first_at = begin;
        }
    }
    *at = first_at;
    return first;
}

char *tf_header_parts(const struct tf_compile_in *in, const char *header, size_t bytes,
                      size_t *out_bytes)
{
    const char *const options = in->options ? in->options : "";
    const char *from = header, *const end = header + bytes;
    char *text, *to;

    if (in->header_count > 0 || is_indirect(in->source, in->source_bytes) ||
        is_indirect(options, strlen(options)))
        return NULL;
    to = text = tf_zalloc(bytes + 1);
    while (text && from < end) {
        const char *at = from;
        const struct part *const part = next_left_out(&at, end, in, options);

        memcpy(to, from, (size_t)(at - from));
        to += at - from;
        from = part ? find(at + 1, end, part->end) : end;
    }
    *out_bytes = text ? (size_t)(to - text) : 0;
    return text;
}
