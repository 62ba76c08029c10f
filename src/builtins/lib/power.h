// SPDX-License-Identifier: MIT
// Arithmetic with numbers that are the sum of two doubles, for the logarithm in pow
// (Dekker, "A floating-point technique for extending the available precision", 1971).
// Macros, because they serve all vector widths.
#ifndef TF_BUILTINS_LIB_POWER_H
#define TF_BUILTINS_LIB_POWER_H

// The first 26 bits of doubles: products of two such are exact, without a fused
// operation.
#define TFL_HEAD(type, integer, x) \
    TF_AS(type, (integer)(TF_AS(integer, x) & (integer)~0x7ffffffl))

// result + rest = a + b, for |a| >= |b|, or a = 0.
#define TFL_ADD(result, rest, a, b)  \
    do {                             \
        result = (a) + (b);          \
        rest = (b) - (result - (a)); \
    } while (0)

// (result + rest) = (a + a_rest) (b + b_rest), about 100 bits. A result may be an
// operand.
#define TFL_MULTIPLY(result, rest, a, a_rest, b, b_rest)                  \
    do {                                                                  \
        __typeof__(a) product = (a) * (b);                                \
        __typeof__(a) error = __builtin_elementwise_fma(a, b, -product) + \
                              ((a) * (b_rest) + (a_rest) * (b));          \
        result = product + error;                                         \
        rest = error - (result - product);                                \
    } while (0)

// Where inverse roots have estimates of 14 bits, AVX-512, products are fused and one
// operation takes elements out of 16 doubles. Gathers would be slower than a division.
#define TFL_PERMUTES TFM_ESTIMATES_14
__constant const double tfl_pow_scales[] = {TFK_POW_SCALES};
__constant const double tfl_pow_steps[] = {TFK_POW_STEPS};
__constant const long tfl_pow_roots[] = {TFK_POW_ROOTS};
__constant const double tfl_pow_rests[] = {TFK_POW_RESTS};

#endif // TF_BUILTINS_LIB_POWER_H
