// SPDX-License-Identifier: MIT
#include "info_output.h"

#include <stdio.h>
#include <string.h>

enum { MAX_DEPTH = 16, LABEL_COLUMNS = 24, LINE_COLUMNS = 100 };

static struct {
    bool json;
    int depth;
    bool is_list[MAX_DEPTH];
    bool has_values[MAX_DEPTH];
    int column; // of a list for people that is being written
} out;

// ---- JSON ----

// Bytes of the character at `at`, 0 where it is not UTF-8 (RFC 3629).
static int utf8_bytes(const unsigned char *at)
{
    const unsigned char c = at[0];
    const int bytes = c < 0x80                ? 1
                      : c >= 0xc2 && c < 0xe0 ? 2
                      : c >= 0xe0 && c < 0xf0 ? 3
                      : c >= 0xf0 && c < 0xf5 ? 4
                                              : 0;

    for (int i = 1; i < bytes; i++)
        if ((at[i] & 0xc0) != 0x80)
            return 0;
    if ((c == 0xe0 && at[1] < 0xa0) || (c == 0xed && at[1] > 0x9f) ||
        (c == 0xf0 && at[1] < 0x90) || (c == 0xf4 && at[1] > 0x8f))
        return 0; // longer than it need be, half of a pair, or past the last one
    return bytes;
}

static void put_json_text(const char *text)
{
    putchar('"');
    for (const unsigned char *at = (const unsigned char *)text; *at;) {
        const int bytes = utf8_bytes(at);

        if (bytes == 0)
            printf("\\ufffd");
        else if (*at == '"' || *at == '\\')
            printf("\\%c", *at);
        else if (*at < 0x20 || *at == 0x7f)
            printf("\\u%04x", *at);
        else
            fwrite(at, 1, (size_t)bytes, stdout);
        at += bytes ? bytes : 1;
    }
    putchar('"');
}

static void put_json_key(const char *key)
{
    if (out.has_values[out.depth])
        putchar(',');
    if (out.depth > 0)
        printf("\n%*s", 2 * out.depth, "");
    out.has_values[out.depth] = true;
    if (key && !out.is_list[out.depth]) {
        put_json_text(key);
        fputs(": ", stdout);
    }
}

// ---- For people ----

static int indent(void)
{
    int columns = 0;

    for (int i = 1; i <= out.depth; i++)
        columns += out.is_list[i] ? 0 : 2;
    return columns > 2 ? columns - 2 : 0;
}

static void put_label(const char *key)
{
    printf("%*s%-*s ", indent(), "", LABEL_COLUMNS - indent(), key);
}

// A value of a list follows the one before it, or begins a line under it.
static void put_item(const char *text)
{
    const int bytes = (int)strlen(text);

    if (out.has_values[out.depth]) {
        putchar(',');
        if (out.column + bytes + 2 > LINE_COLUMNS) {
            printf("\n%*s", LABEL_COLUMNS + 1, "");
            out.column = LABEL_COLUMNS;
        }
        putchar(' ');
    }
    fputs(text, stdout);
    out.column += bytes + 2;
    out.has_values[out.depth] = true;
}

static void put_line(const char *key, const char *text)
{
    if (out.is_list[out.depth]) {
        put_item(text);
        return;
    }
    put_label(key);
    puts(text);
}

// ---- Structure ----

static void open_level(bool is_list)
{
    if (out.depth + 1 < MAX_DEPTH)
        out.depth++;
    out.is_list[out.depth] = is_list;
    out.has_values[out.depth] = false;
}

void out_start(bool as_json)
{
    memset(&out, 0, sizeof(out));
    out.json = as_json;
    out_section(NULL, NULL);
}

bool out_finish(void)
{
    out_section_end();
    if (out.json)
        putchar('\n');
    return fflush(stdout) == 0 && !ferror(stdout);
}

void out_section(const char *key, const char *headline)
{
    if (out.json) {
        put_json_key(key);
        putchar('{');
    } else if (headline) {
        printf("%*s%s\n", indent(), "", headline);
    }
    open_level(false);
}

void out_section_end(void)
{
    const bool has_values = out.has_values[out.depth];

    out.depth--;
    if (out.json && has_values)
        printf("\n%*s", 2 * out.depth, "");
    if (out.json)
        putchar('}');
    else if (out.depth == 1)
        putchar('\n');
}

void out_sections(const char *key)
{
    if (!out.json)
        return;
    put_json_key(key);
    putchar('[');
    open_level(true);
}

void out_sections_end(void)
{
    if (out.json)
        out_list_end();
}

void out_list(const char *key)
{
    if (out.json) {
        put_json_key(key);
        putchar('[');
    } else {
        if (key)
            put_label(key);
        else if (out.has_values[out.depth]) // a list in a list: lines of its own
            printf("\n%*s", LABEL_COLUMNS + 1, "");
        out.has_values[out.depth] = true;
        out.column = LABEL_COLUMNS;
    }
    open_level(true);
}

void out_list_end(void)
{
    const bool has_values = out.has_values[out.depth];

    out.depth--;
    if (out.json && has_values)
        printf("\n%*s", 2 * out.depth, "");
    if (out.json)
        putchar(']');
    else if (!out.is_list[out.depth])
        putchar('\n');
}

// ---- Values ----

void out_text(const char *key, const char *text)
{
    if (out.json) {
        put_json_key(key);
        put_json_text(text);
    } else {
        put_line(key, text);
    }
}

void out_number(const char *key, unsigned long long value, const char *unit)
{
    char text[64];

    snprintf(text, sizeof(text), "%llu%s%s", value, !out.json && unit ? " " : "",
             !out.json && unit ? unit : "");
    if (out.json) {
        put_json_key(key);
        fputs(text, stdout);
    } else {
        put_line(key, text);
    }
}

void out_bool(const char *key, bool value)
{
    if (out.json) {
        put_json_key(key);
        fputs(value ? "true" : "false", stdout);
    } else {
        put_line(key, value ? "yes" : "no");
    }
}

void out_nothing(const char *key)
{
    if (out.json) {
        put_json_key(key);
        fputs("null", stdout);
    }
}
