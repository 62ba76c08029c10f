// SPDX-License-Identifier: MIT
// Float and double to half, in every rounding mode.
#ifndef TF_BUILTINS_LIB_HALF_H
#define TF_BUILTINS_LIB_HALF_H

// To float, inexact results with the last bit set ("round to odd": Boldo and Melquiond
// 2008). Rounding the result once more to a much shorter format gives what rounding `x`
// at once would: processors convert float to half, few convert double.
TF_HELPER float tfl_odd_float(double x)
{
    float nearest = (float)x;
    int order = tfl_order(nearest, x);
    float zeroward = tfl_directed_rtz(nearest, order, x < 0);

    return (double)zeroward == x || x != x ? zeroward
                                           : TF_AS(float, TF_AS(int, zeroward) | 1);
}

#define TFL_HALF(mode)                                                                   \
    TF_HELPER half tfl_half##mode(float x)                                               \
    {                                                                                    \
        half nearest = (half)x;                                                          \
        return tfl_directed##mode(nearest, tfl_order((float)nearest, (double)x), x < 0); \
    }                                                                                    \
    TF_HELPER half tfl_half##mode(double x)                                              \
    {                                                                                    \
        return tfl_half##mode(tfl_odd_float(x));                                         \
    }
TFL_HALF(_rte)
TFL_HALF(_rtz)
TFL_HALF(_rtp)
TFL_HALF(_rtn)
#define tfl_half tfl_half_rte

// An integer as a float: exact, but that one beyond the range of half becomes another one
// there.
#define TFL_NEAR_HALF(integer, least, most)                                   \
    TF_HELPER float tfl_near_half(integer x)                                  \
    {                                                                         \
        return (float)(int)(x > (most) ? (most) : x < (least) ? (least) : x); \
    }
#define TFL_OUTSIDE_HALF 100000
TFL_NEAR_HALF(short, TF_MIN_short, TF_MAX_short)
TFL_NEAR_HALF(ushort, 0, TF_MAX_ushort)
TFL_NEAR_HALF(int, -TFL_OUTSIDE_HALF, TFL_OUTSIDE_HALF)
TFL_NEAR_HALF(uint, 0u, (uint)TFL_OUTSIDE_HALF)
TFL_NEAR_HALF(long, -(long)TFL_OUTSIDE_HALF, (long)TFL_OUTSIDE_HALF)
TFL_NEAR_HALF(ulong, 0ul, (ulong)TFL_OUTSIDE_HALF)

#endif // TF_BUILTINS_LIB_HALF_H
