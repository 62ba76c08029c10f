// SPDX-License-Identifier: MIT
#include "source_changes.h"

#include <stdbool.h>
#include <string.h>

static const char *const words[] = {
    "kernel",
    "global",
    "local",
    "constant",
    "private",
    "generic",
    "__attribute__((",
    "reqd_work_group_size(",
    "vec_type_hint(",
    "))",
    "((",
    "[",
    "]",
    "{",
    "}",
    "(",
    ")",
    ";",
    ",",
    "...",
    "float16",
    "double3",
    "half",
    "long",
    "ulong8",
    "char2",
    "size_t",
    "event_t",
    "image2d_t",
    "read_only",
    "write_only",
    "read_write",
    "pipe",
    "sampler_t",
    "atomic_int",
    "memory_order_seq_cst",
    "struct",
    "union",
    "enum",
    "typedef",
    "static",
    "extern",
    "inline",
    "volatile",
    "restrict",
    "const",
    "for",
    "while",
    "do",
    "switch",
    "case",
    "default:",
    "goto",
    "break",
    "continue",
    "return",
    "if",
    "else",
    "sizeof",
    "?",
    ":",
    "<<",
    ">>=",
    "->",
    ".",
    "&&",
    "!",
    "~",
    "%",
    "==",
    "/*",
    "*/",
    "//",
    "#",
    "#define M M M",
    "#define F(x) F(x) x",
    "#include \"x\"",
    "#pragma unroll 100000",
    "#pragma OPENCL EXTENSION all : enable",
    "#if",
    "#elif 1",
    "#else",
    "#endif",
    "\\\n",
    "\"",
    "'",
    "%s",
    "barrier(CLK_LOCAL_MEM_FENCE)",
    "get_global_id(",
    "printf(",
    "async_work_group_copy(",
    "work_group_reduce_add(",
    "sub_group_broadcast(",
    "atomic_fetch_add(",
    "vload16(",
    "shuffle2(",
    "as_float4(",
    "convert_uchar4_sat_rte(",
    "__builtin_unreachable()",
    "__builtin_trap()",
    "__builtin_memcpy(",
    "asm(\"nop\")",
    "_Static_assert(",
    "_Generic(",
    "__attribute__((overloadable))",
    "goto *",
    "&&label",
    "__block",
    "^{",
    "^(int x) {",
    "auto",
    "register",
    "_Complex",
    "__int128",
    "__fp16",
    "wchar_t",
    "typeof(",
    "main",
    "0",
    "-1",
    "1",
    "0x7fffffff",
    "4294967296",
    "1e308",
    "1.0f",
    "0x1p-1074",
    "NAN",
    "(-2147483647 - 1)",
    "\xff",
    "\xe2\x82\xac",
};
enum { WORDS = sizeof(words) / sizeof(*words) };

// ---- Chance (SplitMix64, Steele et al. 2014) ----

uint64_t source_state;

uint64_t source_any(void)
{
    uint64_t z = source_state += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

size_t source_below(size_t limit)
{
    return limit > 0 ? (size_t)(source_any() % limit) : 0;
}

// ---- Mutations ----

void source_replace(struct source_text *t, size_t at, size_t removed, const char *with,
                    size_t count)
{
    at = at < t->count ? at : t->count;
    removed = removed < t->count - at ? removed : t->count - at;
    if (t->count - removed + count > SOURCE_BYTES)
        return;
    memmove(t->bytes + at + count, t->bytes + at + removed, t->count - at - removed);
    memcpy(t->bytes + at, with, count);
    t->count += count - removed;
    t->bytes[t->count] = '\0';
}

static void insert_word(struct source_text *t)
{
    const char *const word = words[source_below(WORDS)];
    size_t at = source_below(t->count + 1);

    // Mostly where a word ends, so that others stay whole.
    while (at < t->count && source_below(8) &&
           strchr("_abcdefghijklmnopqrstuvwxyz", t->bytes[at]))
        at++;
    source_replace(t, at, source_below(3) ? 0 : source_below(12), " ", 1);
    source_replace(t, at + 1, 0, word, strlen(word));
    source_replace(t, at + 1 + strlen(word), 0, " ", 1);
}

// A number becomes another one.
static void change_number(struct source_text *t)
{
    static const char *const numbers[] = {"0",     "1",     "-1",         "2147483648",
                                          "65537", "1e38f", "1000000000", "0x40",
                                          "7u",    "3.5"};
    const size_t from = source_below(t->count);
    const char *const number = numbers[source_below(sizeof(numbers) / sizeof(*numbers))];

    for (size_t i = from; i < t->count; i++)
        if (t->bytes[i] >= '0' && t->bytes[i] <= '9') {
            source_replace(t, i, strspn(t->bytes + i, "0123456789"), number,
                           strlen(number));
            return;
        }
}

// A piece of this program or of another one comes somewhere else.
static void copy_piece(struct source_text *t, const char *other, size_t other_bytes)
{
    const bool own = other_bytes == 0 || source_below(2);
    const char *const from = own ? t->bytes : other;
    const size_t bytes = own ? t->count : other_bytes;
    const size_t at = source_below(bytes),
                 count = source_below(source_below(4) ? 60 : 600);
    char piece[600];

    memcpy(piece, from + at, count < bytes - at ? count : bytes - at);
    source_replace(t, source_below(t->count + 1), source_below(2) ? count : 0, piece,
                   count < bytes - at ? count : bytes - at);
}

// The same over and over: depth and length.
static void repeat_piece(struct source_text *t)
{
    const size_t at = source_below(t->count);
    const size_t count = 1 + source_below(source_below(2) ? 3 : 40);
    char piece[48];

    if (at + count > t->count)
        return;
    memcpy(piece, t->bytes + at, count);
    for (size_t n = source_below(source_below(4) ? 8 : 3000); n > 0; n--)
        source_replace(t, at, 0, piece, count);
}

void source_change(struct source_text *t, const char *other, size_t other_bytes)
{
    char byte;

    switch (source_below(8)) {
    case 0:
        byte = (char)source_any();
        source_replace(t, source_below(t->count), 1, &byte, 1);
        break;
    case 1:
        source_replace(t, source_below(t->count),
                       source_below(source_below(3) ? 10 : 200), "", 0);
        break;
    case 2:
    case 3:
        insert_word(t);
        break;
    case 4:
        change_number(t);
        break;
    case 5:
    case 6:
        copy_piece(t, other, other_bytes);
        break;
    default:
        repeat_piece(t);
        break;
    }
}
