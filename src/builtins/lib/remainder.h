// SPDX-License-Identifier: MIT
// Exact remainders of floating-point numbers by integer division: x and y are integers
// times the same power of two, x's digits are brought down many at a time.
#ifndef TF_BUILTINS_LIB_REMAINDER_H
#define TF_BUILTINS_LIB_REMAINDER_H

// |x| = fraction 2^(exponent), the fraction with all its bits, for a finite x.
#define TFL_SPLIT(real, bits)                                                            \
    TF_HELPER ulong tfl_fraction(real x, __private int *exponent)                        \
    {                                                                                    \
        bits b = TF_AS(bits, x) & (bits)TFM_MAGNITUDE(real);                             \
        int e = (int)(b >> TFM_FRACTION(real));                                          \
        bits m = b & (((bits)1 << TFM_FRACTION(real)) - 1);                              \
                                                                                         \
        *exponent = e ? e : 1;                                                           \
        return e ? m | (bits)1 << TFM_FRACTION(real) : m;                                \
    }                                                                                    \
    TF_HELPER real tfl_join_##real(ulong fraction, int exponent)                         \
    {                                                                                    \
        int shift = fraction ? __builtin_clzl(fraction) - (63 - TFM_FRACTION(real)) : 0; \
                                                                                         \
        shift = shift < exponent ? shift : exponent - 1;                                 \
        fraction <<= shift;                                                              \
        exponent -= shift;                                                               \
        bool normal = fraction >> TFM_FRACTION(real);                                    \
        fraction &= (1ul << TFM_FRACTION(real)) - 1;                                     \
        return TF_AS(real, (bits)(fraction | (ulong)(normal ? exponent : 0)              \
                                                 << TFM_FRACTION(real)));                \
    }
TFL_SPLIT(float, uint)
TFL_SPLIT(double, ulong)

// |x| modulo |y| and the low bits of the quotient, for finite x and y, y not 0.
#define TFL_FMOD(real)                                                                  \
    TF_HELPER real tfl_fmod_magnitude(real x, real y, __private uint *quotient)         \
    {                                                                                   \
        int ex, ey;                                                                     \
        ulong mx = tfl_fraction(x, &ex), my = tfl_fraction(y, &ey);                     \
                                                                                        \
        *quotient = 0;                                                                  \
        if (ex < ey)                                                                    \
            return TFM_ABS(x);                                                          \
        ulong q = mx / my;                                                              \
        mx -= q * my;                                                                   \
        for (int rest = ex - ey; rest > 0;) {                                           \
            int step = rest < 63 - TFM_FRACTION(real) ? rest : 63 - TFM_FRACTION(real); \
            ulong digits = (mx << step) / my;                                           \
                                                                                        \
            mx = (mx << step) - digits * my;                                            \
            q = q << step | digits;                                                     \
            rest -= step;                                                               \
        }                                                                               \
        *quotient = (uint)q;                                                            \
        return tfl_join_##real(mx, ey);                                                 \
    }                                                                                   \
    TF_HELPER bool tfl_no_remainder(real x, real y)                                     \
    {                                                                                   \
        return !(TFM_ABS(x) < TF_INF) || y != y || y == 0;                              \
    }                                                                                   \
    TF_HELPER real tfl_fmod(real x, real y)                                             \
    {                                                                                   \
        uint q;                                                                         \
                                                                                        \
        if (tfl_no_remainder(x, y))                                                     \
            return TF_NAN;                                                              \
        if (TFM_ABS(y) == TF_INF)                                                       \
            return x;                                                                   \
        return TFM_COPYSIGN(tfl_fmod_magnitude(x, y, &q), x);                           \
    }                                                                                   \
    /* To the nearest quotient, even in the middle; seven bits of it with its sign. */  \
    TF_HELPER real tfl_remainder(real x, real y, __private int *quotient)               \
    {                                                                                   \
        uint q;                                                                         \
                                                                                        \
        *quotient = 0;                                                                  \
        if (tfl_no_remainder(x, y))                                                     \
            return TF_NAN;                                                              \
        if (TFM_ABS(y) == TF_INF)                                                       \
            return x;                                                                   \
        real ay = TFM_ABS(y), r = tfl_fmod_magnitude(x, y, &q);                         \
        real other = ay - r;                                                            \
        bool up = r > other || (r == other && (q & 1));                                 \
                                                                                        \
        r = up ? -other : r;                                                            \
        q = (q + up) & 0x7f;                                                            \
        *quotient = (x < 0) != (y < 0) ? -(int)q : (int)q;                              \
        return x < 0 ? -r : r == 0 ? TFM_COPYSIGN(r, x) : r;                            \
    }
TFL_FMOD(float)
TFL_FMOD(double)

#endif // TF_BUILTINS_LIB_REMAINDER_H
