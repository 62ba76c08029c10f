// SPDX-License-Identifier: MIT
// Helpers of the geometric functions: reductions over the elements of a vector, scaling.
#ifndef TF_BUILTINS_LIB_GEOMETRIC_H
#define TF_BUILTINS_LIB_GEOMETRIC_H

TF_HELPER bool tfl_is_inf(double x)
{
    return __builtin_elementwise_abs(x) == TF_INF;
}

TF_HELPER double tfl_larger(double x, double y)
{
    return x > y ? x : y;
}

// The largest element; elements are not negative. A NaN may or may not be the answer.
TF_HELPER double tfl_largest(double x)
{
    return x;
}
TF_HELPER double tfl_largest(double2 x)
{
    return tfl_larger(x.x, x.y);
}
TF_HELPER double tfl_largest(double3 x)
{
    return tfl_larger(tfl_largest(x.xy), x.z);
}
TF_HELPER double tfl_largest(double4 x)
{
    return tfl_larger(tfl_largest(x.xy), tfl_largest(x.zw));
}

// A power of two that brings `largest` near 1, so that squares neither overflow nor
// vanish. Its exponent stays in the normal range for every input, 0, infinity and NaN
// included.
TF_HELPER double tfl_scale(double largest)
{
    long exponent = (TF_AS(long, largest) >> 52 & 0x7ff) - 1023;

    exponent = exponent > 1000 ? 1000 : exponent < -1000 ? -1000 : exponent;
    return TF_AS(double, (1023 - exponent) << 52);
}

// Of a power of two as tfl_scale makes it.
TF_HELPER double tfl_inverse(double scale)
{
    return TF_AS(double, (2046l << 52) - TF_AS(long, scale));
}

#define TFL_ANY(type)                        \
    TF_HELPER bool tfl_any(type m)           \
    {                                        \
        return m != 0;                       \
    }                                        \
    TF_HELPER bool tfl_any(type##2 m)        \
    {                                        \
        return (m.x | m.y) != 0;             \
    }                                        \
    TF_HELPER bool tfl_any(type##3 m)        \
    {                                        \
        return (m.x | m.y | m.z) != 0;       \
    }                                        \
    TF_HELPER bool tfl_any(type##4 m)        \
    {                                        \
        return (m.x | m.y | m.z | m.w) != 0; \
    }
TFL_ANY(int)
TFL_ANY(long)

#endif // TF_BUILTINS_LIB_GEOMETRIC_H
