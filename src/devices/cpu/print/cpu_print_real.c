// SPDX-License-Identifier: MIT
// A double is m * 2^e. Its decimal digits are those of the integer m * 2^e, or of
// m * 5^-e with the point -e digits from the right.
#include "devices/cpu/print/cpu_print_real.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum {
    LIMB_DIGITS = 9,
    MAX_LIMBS = (TF_REAL_DIGITS + LIMB_DIGITS - 1) / LIMB_DIGITS,
    FRACTION_BITS = 52,
    HEX_DIGITS = 13, // of FRACTION_BITS
    BIAS = 1023,
    DEFAULT_PRECISION = 6,
};
static const uint32_t limb_base = 1000000000;

// ---- Exact decimal digits ----

// 0.d1d2d3... * 10^point; no digits: zero. Lies in the text's `digits`.
struct decimal {
    char *digits;
    int count;
    int point;
};

struct big {
    uint32_t limbs[MAX_LIMBS]; // lowest first
    int count;
};

static void multiply(struct big *n, uint32_t factor)
{
    uint64_t carry = 0;

    for (int i = 0; i < n->count; i++) {
        carry += (uint64_t)n->limbs[i] * factor;
        n->limbs[i] = (uint32_t)(carry % limb_base);
        carry /= limb_base;
    }
    for (; carry > 0; carry /= limb_base)
        n->limbs[n->count++] = (uint32_t)(carry % limb_base);
}

static void multiply_power(struct big *n, uint32_t base, int exponent, int step)
{
    uint32_t factor = 1;

    for (int i = 0; i < step; i++)
        factor *= base;
    for (; exponent >= step; exponent -= step)
        multiply(n, factor);
    for (; exponent > 0; exponent--)
        multiply(n, base);
}

static int write_digits(char *to, const struct big *n)
{
    char *at = to;

    for (int i = n->count - 1; i >= 0; i--) {
        uint32_t limb = n->limbs[i];
        char block[LIMB_DIGITS];
        int skip = 0;

        for (int d = LIMB_DIGITS - 1; d >= 0; d--, limb /= 10)
            block[d] = (char)('0' + limb % 10);
        while (at == to && skip < LIMB_DIGITS && block[skip] == '0')
            skip++;
        memcpy(at, block + skip, (size_t)(LIMB_DIGITS - skip));
        at += LIMB_DIGITS - skip;
    }
    return (int)(at - to);
}

// x is finite.
static struct decimal decimal_of(char *digits, double x)
{
    struct decimal d = {.digits = digits};
    struct big n = {.count = 0};
    uint64_t mantissa;
    int exponent;

    if (x == 0)
        return d;
    mantissa = (uint64_t)ldexp(frexp(x, &exponent), FRACTION_BITS + 1);
    exponent -= FRACTION_BITS + 1;
    for (; mantissa % 2 == 0; mantissa /= 2)
        exponent++;
    for (; mantissa > 0; mantissa /= limb_base)
        n.limbs[n.count++] = (uint32_t)(mantissa % limb_base);
    if (exponent >= 0)
        multiply_power(&n, 2, exponent, 31);
    else
        multiply_power(&n, 5, -exponent, 13);
    d.count = write_digits(digits, &n);
    d.point = d.count + (exponent < 0 ? exponent : 0);
    return d;
}

// Whether what comes after the first `keep` digits (>= 0) rounds them up.
static bool rounds_up(const struct decimal *d, int keep)
{
    const bool is_odd = keep > 0 && d->digits[keep - 1] % 2 != '0' % 2;

    if (d->digits[keep] != '5')
        return d->digits[keep] > '5';
    for (int i = keep + 1; i < d->count; i++)
        if (d->digits[i] != '0')
            return true;
    return is_odd;
}

// Leaves the first `keep` digits, one more after a carry out of them.
static void round_to(struct decimal *d, int keep)
{
    int at = keep;

    if (keep >= d->count)
        return;
    if (keep < 0 || !rounds_up(d, keep)) {
        d->count = keep > 0 ? keep : 0;
        return;
    }
    d->count = keep;
    while (at > 0 && d->digits[at - 1] == '9')
        d->digits[--at] = '0';
    if (at > 0) {
        d->digits[at - 1]++;
        return;
    }
    memset(d->digits + 1, '0', (size_t)keep);
    d->digits[0] = '1';
    d->count++;
    d->point++;
}

// ---- Styles ----

static void put_exponent(char *to, char letter, int exponent, int least_digits)
{
    unsigned left = (unsigned)(exponent < 0 ? -exponent : exponent);
    char text[4];
    int count = 0;

    for (; left > 0 || count < least_digits; left /= 10)
        text[count++] = (char)('0' + left % 10);
    *to++ = letter;
    *to++ = exponent < 0 ? '-' : '+';
    while (count > 0)
        *to++ = text[--count];
    *to = '\0';
}

static void set_fixed(struct tf_real_text *out, struct decimal *d, int precision)
{
    int start;

    round_to(d, d->point + precision);
    if (d->count == 0)
        d->point = 0;
    start = d->point > 0 ? d->point : 0;
    if (start > 0) {
        out->whole = d->digits;
        out->whole_count = (size_t)start;
    }
    if (d->point < 0)
        out->zeros_before = (size_t)-d->point;
    out->fraction = d->digits + start;
    out->fraction_count = (size_t)(d->count - start);
    out->zeros_after = (size_t)precision - out->zeros_before - out->fraction_count;
}

static void set_scientific(struct tf_real_text *out, struct decimal *d, int precision,
                           char letter)
{
    round_to(d, precision + 1);
    if (d->count > precision + 1)
        d->count = precision + 1; // a carry's last zero
    if (d->count > 0) {
        out->whole = d->digits;
        out->fraction = d->digits + 1;
        out->fraction_count = (size_t)d->count - 1;
    }
    out->zeros_after = (size_t)precision - out->fraction_count;
    put_exponent(out->exponent, letter, d->count > 0 ? d->point - 1 : 0, 2);
}

static void drop_trailing_zeros(struct tf_real_text *out)
{
    out->zeros_after = 0;
    while (out->fraction_count > 0 && out->fraction[out->fraction_count - 1] == '0')
        out->fraction_count--;
    if (out->fraction_count == 0)
        out->zeros_before = 0;
    out->has_point = out->fraction_count > 0;
}

static void set_general(struct tf_real_text *out, struct decimal *d, int precision,
                        char letter)
{
    const int digits = precision > 0 ? precision : 1;
    int exponent;

    round_to(d, digits);
    exponent = d->count > 0 ? d->point - 1 : 0;
    if (exponent >= -4 && exponent < digits)
        set_fixed(out, d, digits - 1 - exponent);
    else
        set_scientific(out, d, digits - 1, letter);
}

static void set_hexadecimal(struct tf_real_text *out, int precision, bool capital,
                            double x)
{
    const char *const digit_of = capital ? "0123456789ABCDEF" : "0123456789abcdef";
    const int count = precision >= 0 && precision < HEX_DIGITS ? precision : HEX_DIGITS;
    const int drop = 4 * (HEX_DIGITS - count);
    const uint64_t one = UINT64_C(1) << FRACTION_BITS;
    uint64_t bits, biased, rest;

    memcpy(&bits, &x, sizeof(bits));
    biased = bits >> FRACTION_BITS & 0x7ff;
    bits = (bits & (one - 1)) | (biased ? one : 0);
    put_exponent(out->exponent, capital ? 'P' : 'p',
                 biased ? (int)biased - BIAS
                 : bits ? 1 - BIAS
                        : 0,
                 1);
    rest = bits & ((UINT64_C(1) << drop) - 1);
    bits >>= drop;
    if (drop > 0 && rest + (bits & 1) > UINT64_C(1) << (drop - 1))
        bits++;
    for (int i = count; i >= 0; i--, bits >>= 4)
        out->digits[i] = digit_of[bits & 15];
    out->whole = out->digits;
    out->fraction = out->digits + 1;
    out->fraction_count = (size_t)count;
    if (precision > count)
        out->zeros_after = (size_t)(precision - count);
}

// ---- Whole texts ----

void tf_real_format(struct tf_real_text *out, char conversion, int precision,
                    bool alternative, double x)
{
    const bool capital = strchr("FEGA", conversion) != NULL;
    const int decimals = precision < 0 ? DEFAULT_PRECISION : precision;
    struct decimal d;

    memset(out, 0, sizeof(*out));
    out->whole_count = 1;
    out->whole = "0";
    if (!isfinite(x)) {
        out->whole_count = 3;
        out->whole = isnan(x) ? (capital ? "NAN" : "nan") : (capital ? "INF" : "inf");
        return;
    }
    if (conversion == 'a' || conversion == 'A') {
        set_hexadecimal(out, precision, capital, x);
    } else {
        d = decimal_of(out->digits, x);
        if (conversion == 'f' || conversion == 'F')
            set_fixed(out, &d, decimals);
        else if (conversion == 'e' || conversion == 'E')
            set_scientific(out, &d, decimals, conversion);
        else
            set_general(out, &d, decimals, capital ? 'E' : 'e');
    }
    out->has_point = out->zeros_before + out->fraction_count + out->zeros_after > 0;
    if (strchr("aA", conversion) ? precision < 0
                                 : strchr("gG", conversion) && !alternative)
        drop_trailing_zeros(out);
    out->has_point |= alternative;
}

size_t tf_real_bytes(const struct tf_real_text *text)
{
    return text->whole_count + text->has_point + text->zeros_before +
           text->fraction_count + text->zeros_after + strlen(text->exponent);
}
