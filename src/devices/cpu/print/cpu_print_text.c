// SPDX-License-Identifier: MIT
// Nothing here is the C library's: it would need formats that are not literals, the
// locale "C", and for long fields more stack than a fiber has.
#include "devices/cpu/print/cpu_print_text.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "abi/print_record.h"
#include "devices/cpu/print/cpu_print_real.h"

// More padding than this is a mistake, not a wish.
enum { MAX_FIELD = 1 << 20, CONSTANT_SPACE = 2 };

// ---- Conversion specifications ----

struct spec {
    bool left, plus, blank, alternative, zero;
    uint32_t width;
    int precision;        // -1: none
    unsigned vector;      // elements; 1 for scalars
    unsigned value_bytes; // that a length modifier asks for; 0: none
    char conversion;
};

struct cursor {
    const char *at;
    uint64_t left; // bytes that may be read
};

static char peek(const struct cursor *c)
{
    return c->left ? *c->at : '\0';
}

static void step(struct cursor *c)
{
    c->at++;
    c->left--;
}

static bool accept(struct cursor *c, char wanted)
{
    if (peek(c) != wanted)
        return false;
    step(c);
    return true;
}

// Decimal digits; false when the number is out of bounds.
static bool read_number(struct cursor *c, uint32_t *number)
{
    *number = 0;
    while (peek(c) >= '0' && peek(c) <= '9') {
        *number = *number * 10 + (uint32_t)(peek(c) - '0');
        if (*number > MAX_FIELD)
            return false;
        step(c);
    }
    return true;
}

static void read_flags(struct cursor *c, struct spec *spec)
{
    for (;;) {
        if (accept(c, '-'))
            spec->left = true;
        else if (accept(c, '+'))
            spec->plus = true;
        else if (accept(c, ' '))
            spec->blank = true;
        else if (accept(c, '#'))
            spec->alternative = true;
        else if (accept(c, '0'))
            spec->zero = true;
        else
            return;
    }
}

static void read_length(struct cursor *c, struct spec *spec)
{
    if (accept(c, 'h')) {
        spec->value_bytes = accept(c, 'h') ? 1 : accept(c, 'l') ? 4 : 2;
    } else if (accept(c, 'l')) {
        spec->value_bytes = 8;
        (void)accept(c, 'l');
    } else if (accept(c, 'z') || accept(c, 't') || accept(c, 'j')) {
        spec->value_bytes = 8;
    }
}

// What follows a percent sign. False when it is no conversion of OpenCL C.
static bool read_spec(struct cursor *c, struct spec *spec)
{
    uint32_t number;

    *spec = (struct spec){.precision = -1, .vector = 1};
    read_flags(c, spec);
    if (!read_number(c, &spec->width))
        return false;
    if (accept(c, '.')) {
        if (!read_number(c, &number))
            return false;
        spec->precision = (int)number;
    }
    if (accept(c, 'v')) {
        if (!read_number(c, &number))
            return false;
        spec->vector = number;
        if (number != 2 && number != 3 && number != 4 && number != 8 && number != 16)
            return false;
    }
    read_length(c, spec);
    spec->conversion = peek(c);
    if (!spec->conversion || !strchr("diouxXfFeEgGaAcsp", spec->conversion))
        return false;
    step(c);
    return spec->vector == 1 || !strchr("csp", spec->conversion);
}

// ---- Fields ----

static void add_repeated(struct tf_str *out, char c, size_t count)
{
    char block[64];

    memset(block, c, sizeof(block));
    for (; count > sizeof(block); count -= sizeof(block))
        tf_str_add_bytes(out, block, sizeof(block));
    if (count > 0)
        tf_str_add_bytes(out, block, count);
}

// What comes before the `bytes` bytes of a field: padding and `prefix` (sign, 0x); zeros
// after the prefix instead of blanks if `zero_padded`. Returns how many blanks come
// after.
static size_t begin_field(struct tf_str *out, const struct spec *spec, const char *prefix,
                          size_t bytes, bool zero_padded)
{
    const size_t used = strlen(prefix) + bytes;
    const size_t pad = spec->width > used ? spec->width - used : 0;

    if (!spec->left && !zero_padded)
        add_repeated(out, ' ', pad);
    tf_str_add(out, prefix);
    if (!spec->left && zero_padded)
        add_repeated(out, '0', pad);
    return spec->left ? pad : 0;
}

// A whole field: `prefix`, `zeros` zeros and `body`, padded to the width.
static void add_field(struct tf_str *out, const struct spec *spec, const char *prefix,
                      size_t zeros, const char *body, size_t body_bytes, bool zero_padded)
{
    const size_t pad = begin_field(out, spec, prefix, zeros + body_bytes, zero_padded);

    add_repeated(out, '0', zeros);
    tf_str_add_bytes(out, body, body_bytes);
    add_repeated(out, ' ', pad);
}

static const char *sign_text(const struct spec *spec, bool negative)
{
    return negative ? "-" : spec->plus ? "+" : spec->blank ? " " : "";
}

static void add_integer(struct tf_str *out, const struct spec *spec, uint64_t value,
                        bool negative)
{
    const char *const digits =
        spec->conversion == 'X' ? "0123456789ABCDEF" : "0123456789abcdef";
    const bool is_signed = spec->conversion == 'd' || spec->conversion == 'i';
    const unsigned base = spec->conversion == 'o'                              ? 8
                          : spec->conversion == 'x' || spec->conversion == 'X' ? 16
                                                                               : 10;
    const char *prefix = is_signed ? sign_text(spec, negative) : "";
    char text[24];
    size_t at = sizeof(text), bytes, zeros;

    if (spec->alternative && base == 16 && value)
        prefix = spec->conversion == 'X' ? "0X" : "0x";
    for (; value; value /= base)
        text[--at] = digits[value % base];
    if (at == sizeof(text) && spec->precision != 0)
        text[--at] = '0';
    bytes = sizeof(text) - at;
    zeros = spec->precision > (int)bytes ? (size_t)spec->precision - bytes : 0;
    if (spec->alternative && base == 8 && zeros == 0 && (bytes == 0 || text[at] != '0'))
        zeros = 1;
    add_field(out, spec, prefix, zeros, text + at, bytes,
              spec->zero && spec->precision < 0);
}

static void add_real(struct tf_str *out, const struct spec *spec, double x)
{
    const bool is_hexadecimal = spec->conversion == 'a' || spec->conversion == 'A';
    struct tf_real_text text;
    char prefix[4] = "";
    size_t pad;

    strcpy(prefix, sign_text(spec, signbit(x)));
    if (is_hexadecimal && isfinite(x))
        strcat(prefix, spec->conversion == 'A' ? "0X" : "0x");
    tf_real_format(&text, spec->conversion, spec->precision, spec->alternative, fabs(x));
    pad = begin_field(out, spec, prefix, tf_real_bytes(&text), spec->zero && isfinite(x));
    tf_str_add_bytes(out, text.whole, text.whole_count);
    tf_str_add(out, text.has_point ? "." : "");
    add_repeated(out, '0', text.zeros_before);
    tf_str_add_bytes(out, text.fraction, text.fraction_count);
    add_repeated(out, '0', text.zeros_after);
    tf_str_add(out, text.exponent);
    add_repeated(out, ' ', pad);
}

// ---- Arguments ----

static double half_value(uint16_t bits)
{
    const int exponent = bits >> 10 & 31;
    const double fraction = bits & 1023;
    double x;

    if (exponent == 31)
        x = fraction > 0 ? (double)NAN : (double)INFINITY;
    else if (exponent == 0)
        x = ldexp(fraction, -24);
    else
        x = ldexp(1024 + fraction, exponent - 25);
    return bits >> 15 ? -x : x;
}

static double real_at(const struct tf_print_arg *arg, const char *value)
{
    uint16_t half;
    double x;
    float f;

    if (arg->element_bytes == 8) {
        memcpy(&x, value, sizeof(x));
        return x;
    }
    if (arg->element_bytes == 4) {
        memcpy(&f, value, sizeof(f));
        return (double)f;
    }
    memcpy(&half, value, sizeof(half));
    return half_value(half);
}

static bool is_integer_conversion(char c)
{
    return strchr("diouxX", c) != NULL;
}

// The low `bytes` bytes of `bits`, extended by their sign or by zeros.
static uint64_t extend(uint64_t bits, unsigned bytes, bool is_signed)
{
    const unsigned unused = 64 - 8 * bytes;

    return is_signed ? (uint64_t)((int64_t)(bits << unused) >> unused)
                     : bits << unused >> unused;
}

static void add_integer_at(struct tf_str *out, const struct spec *spec,
                           const struct tf_print_arg *arg, const char *value)
{
    const bool is_signed = spec->conversion == 'd' || spec->conversion == 'i';
    // Without a length: an int, or whatever the elements of the vector are.
    const unsigned bytes = spec->value_bytes  ? spec->value_bytes
                           : spec->vector > 1 ? arg->element_bytes
                                              : 4;
    uint64_t bits = 0;
    bool negative;

    memcpy(&bits, value, arg->element_bytes);
    bits = extend(bits, arg->element_bytes, is_signed);
    bits = extend(bits, bytes, is_signed);
    negative = is_signed && bits >> 63;
    add_integer(out, spec, negative ? -bits : bits, negative);
}

static void add_pointer(struct tf_str *out, const struct spec *spec, uint64_t address)
{
    const struct spec hexadecimal = {.left = spec->left,
                                     .width = spec->width,
                                     .precision = 1,
                                     .conversion = 'x',
                                     .alternative = true};

    if (address)
        add_integer(out, &hexadecimal, address, false);
    else
        add_field(out, spec, "0x", 0, "0", 1, false);
}

// Reads at most `most` bytes.
static void add_string(struct tf_str *out, const struct spec *spec, uint64_t address,
                       uint64_t most)
{
    const char *const text = address ? (const char *)(uintptr_t)address : "(null)";

    if (spec->precision >= 0 && (uint64_t)spec->precision < most)
        most = (uint64_t)spec->precision;
    add_field(out, spec, "", 0, text, strnlen(text, most), false);
}

static bool fits(const struct spec *spec, const struct tf_print_arg *arg)
{
    switch (spec->conversion) {
    case 's': // string literals lie in constant memory
        return arg->kind == TF_PRINT_POINTER && arg->space == CONSTANT_SPACE;
    case 'p':
        return arg->kind == TF_PRINT_POINTER;
    case 'c':
        return arg->kind == TF_PRINT_INTEGER && arg->width == 1;
    default:
        return arg->width == spec->vector &&
               arg->kind == (is_integer_conversion(spec->conversion) ? TF_PRINT_INTEGER
                                                                     : TF_PRINT_FLOAT);
    }
}

static void add_elements(struct tf_str *out, const struct spec *spec,
                         const struct tf_print_arg *arg, const char *value)
{
    for (unsigned i = 0; i < spec->vector; i++, value += arg->element_bytes) {
        if (i > 0)
            tf_str_add(out, ",");
        if (arg->kind == TF_PRINT_INTEGER)
            add_integer_at(out, spec, arg, value);
        else
            add_real(out, spec, real_at(arg, value));
    }
}

static void add_argument(struct tf_str *out, const struct spec *spec,
                         const struct tf_print_arg *arg, const char *value)
{
    uint64_t address = 0, extent = UINT64_MAX;

    if (arg->kind == TF_PRINT_POINTER)
        memcpy(&address, value, sizeof(address));
    if (arg->value_bytes == sizeof(address) + sizeof(extent))
        memcpy(&extent, value + sizeof(address), sizeof(extent));
    if (spec->conversion == 's')
        add_string(out, spec, address, extent);
    else if (spec->conversion == 'p')
        add_pointer(out, spec, address);
    else if (spec->conversion == 'c')
        add_field(out, spec, "", 0, value, 1, false);
    else
        add_elements(out, spec, arg, value);
}

// ---- Records ----

struct arguments {
    const char *at;
    const char *end;
};

// The next argument and its value; NULL when there is none.
static const char *next_argument(struct arguments *list, struct tf_print_arg *arg)
{
    const char *value = list->at + sizeof(*arg);

    if ((size_t)(list->end - list->at) < sizeof(*arg))
        return NULL;
    memcpy(arg, list->at, sizeof(*arg));
    list->at = value + (arg->value_bytes + TF_PRINT_ALIGN_BYTES - 1) /
                           TF_PRINT_ALIGN_BYTES * TF_PRINT_ALIGN_BYTES;
    return value;
}

static bool add_conversion(struct tf_str *out, struct cursor *format,
                           struct arguments *list)
{
    const char *const start = format->at - 1; // the percent sign
    struct tf_print_arg arg;
    struct spec spec;
    const char *value;

    if (accept(format, '%')) {
        tf_str_add(out, "%");
        return true;
    }
    if (read_spec(format, &spec)) {
        value = next_argument(list, &arg);
        if (value && fits(&spec, &arg)) {
            add_argument(out, &spec, &arg, value);
            return true;
        }
    }
    tf_str_add_bytes(out, start, (size_t)(format->at - start));
    return false;
}

static bool add_all(struct tf_str *out, struct cursor *format, struct arguments *list)
{
    bool ok = true;

    while (peek(format) && !out->failed) {
        const char *const start = format->at;

        while (peek(format) && peek(format) != '%')
            step(format);
        if (format->at > start)
            tf_str_add_bytes(out, start, (size_t)(format->at - start));
        if (accept(format, '%'))
            ok &= add_conversion(out, format, list);
    }
    return ok && !out->failed;
}

bool tf_print_text(struct tf_str *out, const void *record, size_t bytes)
{
    struct arguments list;
    struct tf_print_record head;
    struct cursor format;

    memcpy(&head, record, sizeof(head));
    if (!head.format)
        return false;
    list.at = (const char *)record + sizeof(head);
    list.end = (const char *)record + bytes;
    format.at = (const char *)(uintptr_t)head.format;
    format.left = head.format_bytes;
    return add_all(out, &format, &list);
}
