// SPDX-License-Identifier: MIT
// What the math functions share. Bodies are written once for float and double, scalars
// and vectors: comparisons give masks, `mask ? a : b` selects, no branch depends on a
// value except where rare.
#ifndef TF_BUILTINS_LIB_MATH_H
#define TF_BUILTINS_LIB_MATH_H

#include "lib/polynomials.h"

// a * b + c becomes a fused operation where the processor has one. Bodies may not rely on
// the product being rounded, nor on its not being.
#pragma OPENCL FP_CONTRACT ON

// What hardly any operand asks for: the plan of lanes does not count what it guards.
#define TFM_RARELY(condition) __builtin_expect(!!(condition), 0)
// What few operands ask for: the plan counts it, but it stands beside the way of the
// others.
#define TFM_SELDOM(condition) __builtin_expect_with_probability(!!(condition), 0, 0.97)

// A constant of polynomials.h by name and element type: TFM(LN2_HI, float).
#define TFM(name, type) TFK_##name##_##type
#define TFP(name, type, x) TFP_##name##_##type(x)

// Layout of the types.
#define TFM_FRACTION_float 23
#define TFM_FRACTION_double 52
#define TFM_BIAS_float 127
#define TFM_BIAS_double 1023
#define TFM_EXPONENT_MASK_float 0xff
#define TFM_EXPONENT_MASK_double 0x7ffl
#define TFM_FRACTION(type) TFM_FRACTION_##type
#define TFM_BIAS(type) TFM_BIAS_##type
#define TFM_EXPONENT_MASK(type) TFM_EXPONENT_MASK_##type
// Below these bits is the sign.
#define TFM_MAGNITUDE_float 0x7fffffff
#define TFM_MAGNITUDE_double 0x7fffffffffffffffl
#define TFM_MAGNITUDE(type) TFM_MAGNITUDE_##type

// Added to a number below 2^22 (2^51) it leaves the nearest integer in the low bits of
// the sum: rounding and conversion in one addition, in every instruction set.
#define TFM_MAGIC_float 0x1.8p23f
#define TFM_MAGIC_double 0x1.8p52
#define TFM_MAGIC(type) TFM_MAGIC_##type
// Added to a positive number it leaves that integer, too; it is exact for all that have a
// fraction.
#define TFM_EXACT_float 0x1p23f
#define TFM_EXACT_double 0x1p52
#define TFM_EXACT(type) TFM_EXACT_##type
// As TFM_MAGIC, and twice the bias with the integer: for scale_biased.
#define TFM_SCALE_MAGIC(type) (TFM_MAGIC(type) + 2 * TFM_BIAS(type))

// 2^k for an integer (vector) k in the range of normal exponents.
#define TFM_POW2(type, integer, scalar, k) \
    TF_AS(type,                            \
          (integer)(((k) + (integer)TFM_BIAS(scalar)) << (integer)TFM_FRACTION(scalar)))
// A small integer (vector) k as floating-point number.
#define TFM_FROM_INT(type, integer, scalar, k)                               \
    (TF_AS(type, (integer)(TF_AS(integer, (type)TFM_MAGIC(scalar)) + (k))) - \
     (type)TFM_MAGIC(scalar))
#define TFM_ABS(x) __builtin_elementwise_abs(x)
#define TFM_COPYSIGN(x, y) __builtin_elementwise_copysign(x, y)
// The same of an x that is not negative, in fewer operations.
#define TFM_WITH_SIGN(type, integer, scalar, x, y) \
    TF_AS(type, (integer)(TF_AS(integer, x) |      \
                          (TF_AS(integer, y) & ~(integer)TFM_MAGNITUDE(scalar))))
#define TFM_SQRT(x) __builtin_elementwise_sqrt(x)
#define TFM_TRUNC(x) __builtin_elementwise_trunc(x)

// Limits that differ by type: beyond them the result is 0, infinity or decided otherwise.
#define TFM_PICK(name, type) TFM_##name##_##type
#define TFM_EXP_LOW_float -104.0f
#define TFM_EXP_HIGH_float 89.0f
#define TFM_EXP_LOW_double -746.0
#define TFM_EXP_HIGH_double 710.0
#define TFM_EXP2_LOW_float -151.0f
#define TFM_EXP2_HIGH_float 129.0f
#define TFM_EXP2_LOW_double -1076.0
#define TFM_EXP2_HIGH_double 1025.0
#define TFM_EXP10_LOW_float -46.0f
#define TFM_EXP10_HIGH_float 39.0f
#define TFM_EXP10_LOW_double -324.5
#define TFM_EXP10_HIGH_double 309.0
// Below them, with either sign, the results are normal numbers.
#define TFM_EXP_ORDINARY_float 87.0f
#define TFM_EXP_ORDINARY_double 708.0
#define TFM_EXP10_ORDINARY_float 37.0f
#define TFM_EXP10_ORDINARY_double 307.0
#define TFM_EXPM1_LOW_float -18.0f
#define TFM_EXPM1_LOW_double -38.0
// Powers of two that lift subnormal numbers into the normal range: of log.
#define TFM_LIFT_float 25
#define TFM_LIFT_double 54
// Below it sums of two numbers are finite, and its inverse is a normal number.
#define TFM_SUMMABLE_float 0x1p126f
#define TFM_SUMMABLE_double 0x1p1022
// Of a square: erf is 1 from its root on.
#define TFM_ERF_MOST_float 15.8f
#define TFM_ERF_MOST_double 35.0
// e^-2x is below half an ulp of 1; 1/x^2 is.
#define TFM_TANH_ONE_float 10.0f
#define TFM_TANH_ONE_double 22.0
#define TFM_SQUARE_ONLY_float 0x1p13f
#define TFM_SQUARE_ONLY_double 0x1p28
#define TFM_BELOW_ONE_float 0x1.fffffep-1f
#define TFM_BELOW_ONE_double 0x1.fffffffffffffp-1
#define TFM_BELOW_HALF_float 0x1.fffffep-2f
#define TFM_BELOW_HALF_double 0x1.fffffffffffffp-2

// Of the bits that a third of the argument's is taken from, for 0.81 of the inverse of
// cbrt: four thirds of the bias, less what scales it and balances the error of the linear
// interpolation.
#define TFM_CBRT_BITS_float 0x547962fc
#define TFM_CBRT_BITS_double 0x5539d70a00000000l
// What lifts subnormal numbers into the normal range, and brings their root back.
#define TFM_CBRT_UP_float 0x1p24f
#define TFM_CBRT_DOWN_float 0x1p-8f
#define TFM_CBRT_UP_double 0x1p108
#define TFM_CBRT_DOWN_double 0x1p-36
// That half of the argument's are taken from, for 0.79 (double: 0.82) of its inverse
// square root: three halves of the bias, less the like.
#define TFM_RSQRT_BITS_double 0x5fe24154e048ac66l

// The processor's estimate of 1/sqrt(x): infinite with the sign of a zero, 0 of infinity,
// NaN of what is below. Of subnormal numbers, too, within 2^-14, where there are 14 bits
// (__tf_estimate_bits); with 12 it is within 1.5 2^-12, of floats only, and takes
// subnormal ones for zeros.
#define TFM_ESTIMATE(type)                                    \
    TF_CONST TF_BODY type tfm_estimate_rsqrt(type x) __asm__( \
        "__tf_estimate_rsqrt_" #type);
#define TFM_ESTIMATES(scalar) \
    TFM_ESTIMATE(scalar)      \
    TFM_ESTIMATE(scalar##2)   \
    TFM_ESTIMATE(scalar##3)   \
    TFM_ESTIMATE(scalar##4)   \
    TFM_ESTIMATE(scalar##8)   \
    TFM_ESTIMATE(scalar##16)
TFM_ESTIMATES(float)
TFM_ESTIMATES(double)
#define TFM_ESTIMATES_14 (__tf_estimate_bits() == 14)
#define TFM_ESTIMATES_12 (__tf_estimate_bits() == 12)

// Whether fma() of floats and doubles is one operation.
#define TFM_FUSES (__tf_has_fma() != 0)
// x - k c for a c that is the sum of three constants, each product and sum rounded once.
#define TFM_FUSED_LESS(type, scalar, c, x, k)  \
    __builtin_elementwise_fma(                 \
        -(k), (type)TFM(c##_LAST, scalar),     \
        __builtin_elementwise_fma(             \
            -(k), (type)TFM(c##_REST, scalar), \
            __builtin_elementwise_fma(-(k), (type)TFM(c##_FIRST, scalar), x)))

#endif // TF_BUILTINS_LIB_MATH_H
