// SPDX-License-Identifier: MIT
// Scalar types and values of trefoil-run: names, sizes, loading and storing.
#include "trefoil_run_expr.h"

#include <string.h>

static const struct {
    const char *name;
    size_t bytes;
    bool is_signed;
} scalars[RUN_SCALARS] = {
    [RUN_CHAR] = {"char", 1, true},   [RUN_UCHAR] = {"uchar", 1, false},
    [RUN_SHORT] = {"short", 2, true}, [RUN_USHORT] = {"ushort", 2, false},
    [RUN_INT] = {"int", 4, true},     [RUN_UINT] = {"uint", 4, false},
    [RUN_LONG] = {"long", 8, true},   [RUN_ULONG] = {"ulong", 8, false},
    [RUN_FLOAT] = {"float", 4, true}, [RUN_DOUBLE] = {"double", 8, true},
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

struct run_value run_value_load(enum run_scalar type, const void *from)
{
    struct run_value value = {.kind = RUN_VALUE_INT};
    const unsigned bits = (unsigned)(8 * scalars[type].bytes);

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
    if (type == RUN_FLOAT) {
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
