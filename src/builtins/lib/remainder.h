// SPDX-License-Identifier: MIT
// Exact remainders of floating-point numbers. Quotients below 2^26 (float: 2^11) take one
// division and products that are exact without a fused operation (Dekker 1971), and no
// branch; larger ones integers: 51 bits of the quotient at a time by the divisor's
// reciprocal (Barrett 1986).
#ifndef TF_BUILTINS_LIB_REMAINDER_H
#define TF_BUILTINS_LIB_REMAINDER_H

#define TFL_RATIO_float 0x1p11f
#define TFL_RATIO_double 0x1p26
// Half of y's bits: these and the others times such a quotient are exact.
#define TFL_LOW_HALF_float 0xfffu
#define TFL_LOW_HALF_double 0x3fffffful
// Below it no such product overflows, and reciprocals are normal numbers.
#define TFL_MOST_float 0x1p114f
#define TFL_MOST_double 0x1p995
#define TFL_EXPONENT 0x7ff0000000000000ul

TF_HELPER ulong tfl_high_product(ulong x, ulong y)
{
    return (ulong)((TF_INT128(ulong))x * (TF_INT128(ulong))y >> 64);
}

// r 2^steps modulo d for r < 2d, where d is in [2^61, 2^62) and `inverse` 2^61 / d,
// rounded; the low 32 bits of the quotient. The reciprocal v is at most 2 below 2^115 /
// d, therefore each q at most 2 below the quotient, and r stays below 2d.
TF_HELPER ulong tfl_reduce(ulong r, ulong d, double inverse, int steps,
                           __private uint *quotient)
{
    const ulong v = (ulong)(long)(inverse * 0x1p54) - 1;
    ulong q, before = 0;

    for (; steps > 51; steps -= 51) {
        before = tfl_high_product(r, v);
        r = (r << 51) - before * d;
    }
    q = tfl_high_product(r, v) >> (51 - steps);
    r = (r << steps) - q * d;
    *quotient = (uint)(before << steps) + (uint)q + (r >= d);
    return r >= d ? r - d : r;
}

// A subnormal number's bits as double 2^1074 (float: 2^149) times as large. No operation
// meets it itself: many processors take long over subnormals.
TF_HELPER ulong tfl_lift(ulong bits)
{
    return TF_AS(ulong, TF_AS(double, bits | TF_AS(ulong, 0x1p52)) - 0x1p52);
}

#define TFL_REMAINDER(real, bits, integer)                                               \
    /* The remainder of positive numbers, x's exponent not below y's. Choices take */    \
    /* the place of branches: lanes leave all of it out where none needs it. */          \
    TF_HELPER real tfl_far(bits x, bits y, bool nearest, __private uint *quotient)       \
    {                                                                                    \
        const bool x_low = x >> TFM_FRACTION(real) == 0;                                 \
        const bool y_low = y >> TFM_FRACTION(real) == 0;                                 \
        const ulong bx = x_low ? tfl_lift(x) : (ulong)x << (52 - TFM_FRACTION(real));    \
        const ulong by = y_low ? tfl_lift(y) : (ulong)y << (52 - TFM_FRACTION(real));    \
        const int lifted = 1022 + TFM_FRACTION(real);                                    \
        const int ex = (int)(bx >> 52) - (x_low ? lifted : 0);                           \
        const int ey = (int)(by >> 52) - (y_low ? lifted : 0);                           \
        const ulong d = (by << 11 | 1ul << 63) >> 2, power = by & TFL_EXPONENT;          \
        const double inverse = TF_AS(double, power) / TF_AS(double, by);                 \
        const int steps = ex > ey ? ex - ey : 0;                                         \
        ulong r = tfl_reduce((bx << 11 | 1ul << 63) >> 2, d, inverse, steps, quotient);  \
        /* Beyond the middle, or there with an odd quotient: both are far below r. */    \
        const bool up = nearest & ((r << 1 | (*quotient & 1)) > d);                      \
                                                                                         \
        r = up ? d - r : r;                                                              \
        *quotient += up;                                                                 \
        const bits sign = (bits)up << (8 * sizeof(bits) - 1);                            \
        const bits low = (bits)(r >> ((62 - TFM_FRACTION(real) - ey) & 63));             \
        const ulong scale = power + ((ulong)(1023 - TFM_BIAS(real)) << 52);              \
        const double rest = (double)(long)r * 0x1p-61 * TF_AS(double, scale);            \
        return TF_AS(real, (ey < 1 ? low : TF_AS(bits, (real)rest)) | sign);             \
    }                                                                                    \
    /* A constant divisor is one that multiplies: the quotient is then off by */         \
    /* less than one, too, but not exact in the middle between two numbers; that of */   \
    /* what is less than half of y stays below a half. */                                \
    TF_HELPER real tfl_ratio(real x, real y)                                             \
    {                                                                                    \
        _Pragma("clang fp reciprocal(on)") return x / y;                                 \
    }                                                                                    \
    /* Of positive numbers in lanes: where the quotient is off by one, x - n y */        \
    /* is exact, too. */                                                                 \
    TF_HELPER real tfl_near(real x, real y, real ratio, bool nearest,                    \
                            __private uint *quotient)                                    \
    {                                                                                    \
        const real high = TF_AS(real, TF_AS(bits, y) & ~TFL_LOW_HALF_##real);            \
        const real n = __builtin_elementwise_rint(ratio);                                \
        const real r = (x - n * high) - n * (y - high);                                  \
        const bool off = nearest ? TFM_ABS(r) * 2 > y : r < 0;                           \
                                                                                         \
        *quotient = (uint)(int)n + (off ? r > 0 ? 1 : -1 : 0);                           \
        return off ? nearest ? r - TFM_COPYSIGN(y, r) : r + y : r;                       \
    }                                                                                    \
    /* Where the quotient has many bits, one is at the end of the range or no number. */ \
    TF_HELPER real tfl_others(bits x, bits y, bool nearest, __private uint *quotient)    \
    {                                                                                    \
        const bits inf = TF_AS(bits, (real)TF_INF), one = TF_AS(bits, (real)1.0f);       \
        const bool none = (x >= inf) | (y > inf) | (y == 0);                             \
        const real ax = TF_AS(real, x), ay = TF_AS(real, y);                             \
        const bool same = x < y, up = same & nearest & (ax > ay - ax);                   \
        const bool special = none | same;                                                \
        const real r = tfl_far(special ? one : x, special ? one : y, nearest, quotient); \
                                                                                         \
        *quotient = special ? (uint)up : *quotient;                                      \
        return none ? (real)TF_NAN : same ? up ? ax - ay : ax : r;                       \
    }                                                                                    \
    /* x - n y with x's sign, for n the quotient without its fraction, or the nearest */ \
    /* (in the middle: even) one; seven bits of n with its sign. */                      \
    TF_HELPER real tfl_remainder(real x, real y, bool nearest, __private int *quotient)  \
    {                                                                                    \
        const bits magnitude = TFM_MAGNITUDE(real);                                      \
        const bits bx = TF_AS(bits, x) & magnitude, by = TF_AS(bits, y) & magnitude;     \
        const real ax = TF_AS(real, bx), ay = TF_AS(real, by);                           \
        const real ratio = nearest ? ax / ay : tfl_ratio(ax, ay);                        \
        const bool negative = (integer)(TF_AS(bits, x) ^ TF_AS(bits, y)) < 0;            \
        uint q;                                                                          \
        real r = tfl_near(ax, ay, ratio, nearest, &q);                                   \
                                                                                         \
        /* Both numbers are below what products may reach, if these are. */              \
        if (!((ratio < TFL_RATIO_##real) & (ay < TFL_MOST_##real)))                      \
            r = tfl_others(bx, by, nearest, &q);                                         \
        q &= 0x7f;                                                                       \
        *quotient = negative ? -(int)q : (int)q;                                         \
        return TF_AS(real, TF_AS(bits, r) ^ (TF_AS(bits, x) & ~magnitude));              \
    }
TFL_REMAINDER(float, uint, int)
TFL_REMAINDER(double, ulong, long)

#endif // TF_BUILTINS_LIB_REMAINDER_H
