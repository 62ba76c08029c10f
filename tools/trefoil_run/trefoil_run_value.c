// SPDX-License-Identifier: MIT
// Scalar types and values of trefoil-run: names, sizes, loading and storing.
#include "trefoil_run_expr.h"

#include <math.h>
#include <string.h>

static const struct {
    const char *name;
    size_t bytes;
    bool is_signed;
} scalars[RUN_SCALARS] = {
    [RUN_CHAR] = {"char", 1, true},     [RUN_UCHAR] = {"uchar", 1, false},
    [RUN_SHORT] = {"short", 2, true},   [RUN_USHORT] = {"ushort", 2, false},
    [RUN_INT] = {"int", 4, true},       [RUN_UINT] = {"uint", 4, false},
    [RUN_LONG] = {"long", 8, true},     [RUN_ULONG] = {"ulong", 8, false},
    [RUN_HALF] = {"half", 2, true},     [RUN_FLOAT] = {"float", 4, true},
    [RUN_DOUBLE] = {"double", 8, true},
};

const char *run_scalar_name(enum run_scalar type)
{
    return scalars[type].name;
}

size_t run_scalar_bytes(enum run_scalar type)
{
    return scalars[type].bytes;
}

enum run_scalar run_scalar_find(const char *name, size_t length)
{
    for (int t = 0; t < RUN_SCALARS; t++)
        if (strlen(scalars[t].name) == length && !memcmp(scalars[t].name, name, length))
            return (enum run_scalar)t;
    return RUN_SCALARS;
}

// Ten bits of fraction, five of exponent with a bias of 15; 31 is infinity or NaN.
static double real_of_half(uint16_t bits)
{
    const int exponent = bits >> 10 & 31, fraction = bits & 1023;
    const double x = exponent == 0   ? ldexp(fraction, -24)
                     : exponent < 31 ? ldexp(fraction + 1024, exponent - 25)
                     : fraction      ? (double)NAN
                                     : (double)INFINITY;

    return bits >> 15 ? -x : x;
}

// To nearest even. A fraction that rounds up to the next power of two adds to the
// exponent.
static uint16_t half_of_real(double x)
{
    enum { LEAST_EXPONENT = -13, INFINITE = 31 << 10 };
    const unsigned sign = signbit(x) ? 0x8000 : 0;
    int exponent;
    unsigned bits;

    if (isnan(x))
        return 0x7e00;
    frexp(x, &exponent);
    if (isinf(x) || exponent > 16)
        return (uint16_t)(sign | INFINITE);
    exponent = exponent < LEAST_EXPONENT || x == 0 ? LEAST_EXPONENT : exponent;
    bits = (unsigned)rint(ldexp(fabs(x), 11 - exponent)) +
           ((unsigned)(exponent - LEAST_EXPONENT) << 10);
    return (uint16_t)(sign | (bits < INFINITE ? bits : INFINITE));
}

struct run_value run_value_load(enum run_scalar type, const void *from)
{
    struct run_value value = {.kind = RUN_VALUE_INT};
    const unsigned bits = (unsigned)(8 * scalars[type].bytes);

    if (type == RUN_HALF) {
        uint16_t half;
        memcpy(&half, from, sizeof(half));
        return (struct run_value){.kind = RUN_VALUE_REAL, .real = real_of_half(half)};
    }
    if (type == RUN_FLOAT) {
        float f;
        memcpy(&f, from, sizeof(f));
        return (struct run_value){.kind = RUN_VALUE_REAL, .real = (double)f};
    }
    if (type == RUN_DOUBLE) {
        value.kind = RUN_VALUE_REAL;
        memcpy(&value.real, from, sizeof(value.real));
        return value;
    }
    memcpy(&value.bits, from, scalars[type].bytes); // little endian, as every device here
    if (bits < 64 && scalars[type].is_signed && value.bits >> (bits - 1))
        value.bits |= ~UINT64_C(0) << bits;
    if (type == RUN_ULONG)
        value.kind = RUN_VALUE_UINT;
    return value;
}

double run_value_real(struct run_value value)
{
    if (value.kind == RUN_VALUE_REAL)
        return value.real;
    return value.kind == RUN_VALUE_INT ? (double)(int64_t)value.bits : (double)value.bits;
}

// Towards zero, to the nearest representable value; NaN gives 0.
static uint64_t bits_of_real(double real)
{
    if (!(real > -0x1p63))
        return real <= -0x1p63 ? (uint64_t)1 << 63 : 0;
    if (real >= 0x1p64)
        return UINT64_MAX;
    return real < 0 ? (uint64_t)(int64_t)real : (uint64_t)real;
}

void run_value_store(enum run_scalar type, void *to, struct run_value value)
{
    if (type == RUN_HALF) {
        const uint16_t half = half_of_real(run_value_real(value));
        memcpy(to, &half, sizeof(half));
    } else if (type == RUN_FLOAT) {
        // One rounding, also from 64-bit integers.
        const float f = value.kind == RUN_VALUE_REAL  ? (float)value.real
                        : value.kind == RUN_VALUE_INT ? (float)(int64_t)value.bits
                                                      : (float)value.bits;
        memcpy(to, &f, sizeof(f));
    } else if (type == RUN_DOUBLE) {
        const double d = run_value_real(value);
        memcpy(to, &d, sizeof(d));
    } else {
        const uint64_t bits =
            value.kind == RUN_VALUE_REAL ? bits_of_real(value.real) : value.bits;
        memcpy(to, &bits, scalars[type].bytes);
    }
}
