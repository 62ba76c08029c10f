// SPDX-License-Identifier: MIT
// Rounding and saturation for the explicit conversions.
#ifndef TF_BUILTINS_LIB_CONVERT_H
#define TF_BUILTINS_LIB_CONVERT_H

#define TFL_ROUND_rte(x) __builtin_elementwise_rint(x)
#define TFL_ROUND_rtz(x) __builtin_elementwise_trunc(x)
#define TFL_ROUND_rtp(x) __builtin_elementwise_ceil(x)
#define TFL_ROUND_rtn(x) __builtin_elementwise_floor(x)

// A number x is in range of an integer type, rounded towards zero, if BELOW < x < ABOVE.
// All limits are exact in float but two: that of int is a double (so the comparison is
// done in double), and -2^63 stands for long's, where the limit itself has the value of
// the fallback.
#define TFL_ABOVE(type) TFL_ABOVE_##type
#define TFL_BELOW(type) TFL_BELOW_##type
#define TFL_ABOVE_char 128.0f
#define TFL_BELOW_char (-129.0f)
#define TFL_ABOVE_uchar 256.0f
#define TFL_BELOW_uchar (-1.0f)
#define TFL_ABOVE_short 32768.0f
#define TFL_BELOW_short (-32769.0f)
#define TFL_ABOVE_ushort 65536.0f
#define TFL_BELOW_ushort (-1.0f)
#define TFL_ABOVE_int 0x1p31f
#define TFL_BELOW_int (-2147483649.0)
#define TFL_ABOVE_uint 0x1p32f
#define TFL_BELOW_uint (-1.0f)
#define TFL_ABOVE_long 0x1p63f
#define TFL_BELOW_long (-0x1p63f)
#define TFL_ABOVE_ulong 0x1p64f
#define TFL_BELOW_ulong (-1.0f)

// Integers to integers with saturation: tfl_clamp_<type>(any integer).
#define TFL_CLAMP(type)                                            \
    TF_HELPER type tfl_clamp_##type(long x)                        \
    {                                                              \
        return x > TFL_MAX_LONG(type)   ? (type)TFL_MAX_LONG(type) \
               : x < TFL_MIN_LONG(type) ? (type)TFL_MIN_LONG(type) \
                                        : (type)x;                 \
    }                                                              \
    TF_HELPER type tfl_clamp_##type(ulong x)                       \
    {                                                              \
        return x > (ulong)TF_MAX(type) ? TF_MAX(type) : (type)x;   \
    }                                                              \
    TFL_CLAMP_FROM(type, char, long)                               \
    TFL_CLAMP_FROM(type, uchar, ulong)                             \
    TFL_CLAMP_FROM(type, short, long)                              \
    TFL_CLAMP_FROM(type, ushort, ulong)                            \
    TFL_CLAMP_FROM(type, int, long)                                \
    TFL_CLAMP_FROM(type, uint, ulong)
#define TFL_CLAMP_FROM(type, from, wide)    \
    TF_HELPER type tfl_clamp_##type(from x) \
    {                                       \
        return tfl_clamp_##type((wide)x);   \
    }
// The limits as far as a long can hold them: a long is never above those of ulong.
#define TFL_MAX_LONG(type) \
    ((ulong)TF_MAX(type) > (ulong)TF_MAX_long ? TF_MAX_long : (long)TF_MAX(type))
#define TFL_MIN_LONG(type) ((long)TF_MIN(type))
TFL_CLAMP(char)
TFL_CLAMP(uchar)
TFL_CLAMP(short)
TFL_CLAMP(ushort)
TFL_CLAMP(int)
TFL_CLAMP(uint)
TFL_CLAMP(long)
TFL_CLAMP(ulong)

// How `rounded` lies to the exact number that it was made from: -1 below, 0 equal, 1
// above.
TF_HELPER int tfl_order(float rounded, double exact)
{
    return ((double)rounded > exact) - ((double)rounded < exact);
}
TF_HELPER int tfl_order(float rounded, int exact)
{
    return tfl_order(rounded, (double)exact);
}
TF_HELPER int tfl_order(float rounded, uint exact)
{
    return tfl_order(rounded, (double)exact);
}
// Near the end of the range `rounded` may be a power of two that the integer type lacks.
#define TFL_ORDER_WIDE(real, integer, end)                           \
    TF_HELPER int tfl_order(real rounded, integer exact)             \
    {                                                                \
        integer back = rounded < end ? (integer)rounded : 0;         \
        return rounded >= end ? 1 : (back > exact) - (back < exact); \
    }
TFL_ORDER_WIDE(float, long, 0x1p63f)
TFL_ORDER_WIDE(float, ulong, 0x1p64f)
TFL_ORDER_WIDE(double, long, 0x1p63)
TFL_ORDER_WIDE(double, ulong, 0x1p64)

// The neighbours of a number in direction of +infinity and -infinity. Not for NaN, nor
// for an infinity in its own direction.
#define TFL_NEIGHBOURS(real, bits)                                          \
    TF_HELPER real tfl_up(real x)                                           \
    {                                                                       \
        bits b = TF_AS(bits, x);                                            \
        return x == 0 ? TF_AS(real, (bits)1)                                \
                      : TF_AS(real, (bits)(b < 0 ? b - 1 : b + 1));         \
    }                                                                       \
    TF_HELPER real tfl_down(real x)                                         \
    {                                                                       \
        return -tfl_up(-x);                                                 \
    }                                                                       \
    TF_HELPER real tfl_directed_rtp(real nearest, int order, bool negative) \
    {                                                                       \
        return order < 0 ? tfl_up(nearest) : nearest;                       \
    }                                                                       \
    TF_HELPER real tfl_directed_rtn(real nearest, int order, bool negative) \
    {                                                                       \
        return order > 0 ? tfl_down(nearest) : nearest;                     \
    }                                                                       \
    TF_HELPER real tfl_directed_rtz(real nearest, int order, bool negative) \
    {                                                                       \
        return negative ? tfl_directed_rtp(nearest, order, negative)        \
                        : tfl_directed_rtn(nearest, order, negative);       \
    }                                                                       \
    TF_HELPER real tfl_directed_rte(real nearest, int order, bool negative) \
    {                                                                       \
        return nearest;                                                     \
    }
TFL_NEIGHBOURS(float, int)
TFL_NEIGHBOURS(double, long)
TFL_NEIGHBOURS(half, short)

#endif // TF_BUILTINS_LIB_CONVERT_H
