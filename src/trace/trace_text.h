// SPDX-License-Identifier: MIT
// Text of a trace, piece by piece: each function puts something at `at`, where the caller
// has room for it, and returns the place behind it. Inlined: the lengths of literals are
// known, and a million events have some ten million pieces.
#ifndef TF_TRACE_TRACE_TEXT_H
#define TF_TRACE_TRACE_TEXT_H

#include <stdint.h>
#include <string.h>

enum { TF_TRACE_MOST_NAME = 512 }; // bytes of a name's text, longer ones are cut

static inline char *tf_trace_text(char *at, const char *text)
{
    return mempcpy(at, text, strlen(text));
}

// All three digits of a number below a thousand.
static inline char *tf_trace_thousandth(char *at, unsigned n)
{
    at[0] = (char)('0' + n / 100);
    at[1] = (char)('0' + n / 10 % 10);
    at[2] = (char)('0' + n % 10);
    return at + 3;
}

static inline char *tf_trace_below_thousand(char *at, unsigned n)
{
    if (n >= 100)
        return tf_trace_thousandth(at, n);
    if (n >= 10)
        *at++ = (char)('0' + n / 10);
    *at++ = (char)('0' + n % 10);
    return at;
}

// At most 20 digits.
static inline char *tf_trace_number_text(char *at, uint64_t n)
{
    if (n >= 1000000000) {
        at = tf_trace_number_text(at, n / 1000000000);
        n %= 1000000000;
        at = tf_trace_thousandth(at, (unsigned)(n / 1000000));
        at = tf_trace_thousandth(at, (unsigned)(n / 1000 % 1000));
        return tf_trace_thousandth(at, (unsigned)(n % 1000));
    }
    if (n >= 1000000) {
        at = tf_trace_below_thousand(at, (unsigned)(n / 1000000));
        at = tf_trace_thousandth(at, (unsigned)(n / 1000 % 1000));
        return tf_trace_thousandth(at, (unsigned)(n % 1000));
    }
    if (n >= 1000) {
        at = tf_trace_below_thousand(at, (unsigned)(n / 1000));
        return tf_trace_thousandth(at, (unsigned)(n % 1000));
    }
    return tf_trace_below_thousand(at, (unsigned)n);
}

static inline char *tf_trace_signed_text(char *at, int64_t n)
{
    if (n < 0)
        *at++ = '-';
    return tf_trace_number_text(at, n < 0 ? -(uint64_t)n : (uint64_t)n);
}

// In us, as the format has it, with all digits of the clock.
static inline char *tf_trace_time_text(char *at, uint64_t ns)
{
    at = tf_trace_number_text(at, ns / 1000);
    *at++ = '.';
    return tf_trace_thousandth(at, (unsigned)(ns % 1000));
}

// Names are the compiler's and the system's: what is not plain text becomes a question
// mark. At most TF_TRACE_MOST_NAME + 2 bytes.
static inline char *tf_trace_quoted(char *at, const char *text)
{
    *at++ = '"';
    for (unsigned i = 0; text[i] && i < TF_TRACE_MOST_NAME; i++)
        *at++ = text[i] >= ' ' && text[i] < 0x7f && text[i] != '"' && text[i] != '\\'
                    ? text[i]
                    : '?';
    *at++ = '"';
    return at;
}

#endif // TF_TRACE_TRACE_TEXT_H
