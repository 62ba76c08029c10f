// SPDX-License-Identifier: MIT
#include "builtins/reference/number.h"

#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct element elements[] = {
    {"char", 8, 's', 0, 0, 0},
    {"uchar", 8, 'u', 0, 0, 0},
    {"short", 16, 's', 0, 0, 0},
    {"ushort", 16, 'u', 0, 0, 0},
    {"int", 32, 's', 0, 0, 0},
    {"uint", 32, 'u', 0, 0, 0},
    {"long", 64, 's', 0, 0, 0},
    {"ulong", 64, 'u', 0, 0, 0},
    {"half", 16, 'f', 11, -13, 16},
    {"float", 32, 'f', 24, -125, 128},
    {"double", 64, 'f', 53, -1021, 1024},
};
enum { ELEMENTS = sizeof elements / sizeof *elements };

const struct element *element_find(const char *name)
{
    if (!strcmp(name, "size_t"))
        name = "ulong";
    for (int i = 0; i < ELEMENTS; i++)
        if (!strcmp(elements[i].name, name))
            return &elements[i];
    return NULL;
}

const struct element *element_unsigned(const struct element *from)
{
    return from->kind == 's' ? from + 1 : from;
}

uint64_t element_bits(const struct element *e, const void *array, size_t i)
{
    uint64_t bits = 0;

    memcpy(&bits, (const char *)array + i * (e->bits / 8), e->bits / 8);
    return bits;
}

void element_set_bits(const struct element *e, void *array, size_t i, uint64_t bits)
{
    memcpy((char *)array + i * (e->bits / 8), &bits, e->bits / 8);
}

static double half_value(uint64_t bits)
{
    const int exponent = (int)(bits >> 10 & 31), fraction = (int)(bits & 0x3ff);
    const double magnitude = exponent == 31 ? (fraction ? (double)NAN : (double)INFINITY)
                             : exponent     ? ldexp(fraction + 1024, exponent - 25)
                                            : ldexp(fraction, -24);

    return bits >> 15 & 1 ? -magnitude : magnitude;
}

static uint64_t half_bits(double x)
{
    const uint64_t sign = signbit(x) ? 0x8000 : 0;
    const double a = fabs(x);

    if (isnan(x))
        return 0x7e00;
    if (a >= 65536)
        return sign | 0x7c00;
    if (a < 0x1p-14)
        return sign | (uint64_t)(a * 0x1p24);
    const int exponent = ilogb(a);
    return sign | (((uint64_t)(exponent + 14) << 10) + (uint64_t)ldexp(a, 10 - exponent));
}

struct number number_from_bits(const struct element *e, uint64_t bits)
{
    struct number n = {0};
    const uint32_t low = (uint32_t)bits;
    float f;

    if (e->bits < 64)
        bits &= ((uint64_t)1 << e->bits) - 1;
    if (e->kind == 'u')
        n.whole = (wide)bits;
    else if (e->kind == 's')
        n.whole = bits >> (e->bits - 1) ? (wide)bits - ((wide)1 << e->bits) : (wide)bits;
    else if (e->bits == 16)
        n.real = half_value(bits);
    else if (e->bits == 32) {
        memcpy(&f, &low, sizeof f);
        n.real = (double)f;
    } else
        memcpy(&n.real, &bits, sizeof n.real);
    return n;
}

uint64_t number_bits(const struct element *e, struct number n)
{
    const float f = (float)n.real;
    uint64_t bits = 0;

    if (e->kind != 'f')
        return (uint64_t)n.whole & (uint64_t)(((unwide)1 << e->bits) - 1);
    if (e->bits == 16)
        return half_bits(n.real);
    if (e->bits == 32)
        memcpy(&bits, &f, sizeof f);
    else
        memcpy(&bits, &n.real, sizeof bits);
    return bits;
}

struct number element_get(const struct element *e, const void *array, size_t i)
{
    return number_from_bits(e, element_bits(e, array, i));
}

void element_set(const struct element *e, void *array, size_t i, struct number n)
{
    element_set_bits(e, array, i, number_bits(e, n));
}

wide element_least(const struct element *e)
{
    return e->kind == 's' ? -((wide)1 << (e->bits - 1)) : 0;
}

wide element_most(const struct element *e)
{
    return ((wide)1 << (e->bits - (e->kind == 's'))) - 1;
}

double real_most(const struct element *e)
{
    return ldexp(2 - ldexp(1, 1 - e->digits), e->exp_most - 1);
}

double real_normal(const struct element *e)
{
    return ldexp(1, e->exp_least - 1);
}

double real_least(const struct element *e)
{
    return ldexp(1, e->exp_least - e->digits);
}

double real_nearest(const struct element *e, double x)
{
    int exponent;

    if (e->bits == 64 || !isfinite(x) || x == 0)
        return x;
    if (e->bits == 32)
        return (double)(float)x;
    frexp(x, &exponent);
    exponent = exponent < e->exp_least ? e->exp_least : exponent;
    x = ldexp(rint(ldexp(x, e->digits - exponent)), exponent - e->digits);
    return fabs(x) > real_most(e) ? copysign(INFINITY, x) : x;
}

int real_rounding(const char *name, int otherwise)
{
    static const struct {
        const char *suffix;
        int mode;
    } modes[] = {{"_rte", FE_TONEAREST},
                 {"_rtz", FE_TOWARDZERO},
                 {"_rtp", FE_UPWARD},
                 {"_rtn", FE_DOWNWARD}};
    const char *end = name + strlen(name) - 4;

    for (size_t m = 0; m < sizeof modes / sizeof *modes; m++)
        if (!strcmp(end, modes[m].suffix))
            return modes[m].mode;
    return otherwise;
}

long double real_directed(const struct element *e, long double x, int rounding)
{
    const long double most = (long double)real_most(e);
    int exponent;

    if (!isfinite(x) || x == 0)
        return x;
    frexpl(x, &exponent);
    exponent = (exponent < e->exp_least ? e->exp_least : exponent) - e->digits;
    fesetround(rounding);
    volatile long double scaled = ldexpl(x, -exponent);
    const long double whole = rintl(scaled);
    fesetround(FE_TONEAREST);
    const long double result = copysignl(ldexpl(whole, exponent), x);
    if (fabsl(result) <= most)
        return result;
    if (rounding == FE_TOWARDZERO || (rounding == FE_UPWARD && x < 0) ||
        (rounding == FE_DOWNWARD && x > 0))
        return copysignl(most, x);
    return copysignl((long double)INFINITY, x);
}

bool number_same(const struct element *e, struct number a, struct number b)
{
    if (e->kind == 'f' && isnan(a.real) && isnan(b.real))
        return true;
    return number_bits(e, a) == number_bits(e, b);
}

const char *number_text(const struct element *e, struct number n, char *text)
{
    if (e->kind == 'f')
        snprintf(text, 64, "%a", n.real);
    else if (e->kind == 'u')
        snprintf(text, 64, "%llu", (unsigned long long)n.whole);
    else
        snprintf(text, 64, "%lld", (long long)n.whole);
    return text;
}
