// SPDX-License-Identifier: MIT
// Exact results as MPFR numbers, and how far a result is away from them.
#ifndef TF_TESTS_BUILTINS_REAL_H
#define TF_TESTS_BUILTINS_REAL_H

#include <mpfr.h>

#include "builtins/reference/number.h"

// Bits of the exact results. They are rounded towards zero; real_sticky() then makes any
// rounding to a type right.
enum { REAL_BITS = 160 };

// Makes MPFR overflow far beyond the largest double, not at 2^(2^62): what overflows
// costs nothing then.
void real_open(void);

// After a result was rounded towards zero (`ternary` of that MPFR function): a number
// with one bit more that lies on the same side of all numbers of less bits as the exact
// one.
void real_sticky(mpfr_ptr r, int ternary);

// The nearest number of the type, ties to even.
double real_round(const struct element *e, mpfr_srcptr exact);

// Distance of `got` from `want` in units in the last place of `want`, or of `scale`
// (NULL: want) where that is larger. Infinite where NaN, infinity or the sign of a zero
// is not what it should be.
double real_error(const struct element *e, double got, mpfr_srcptr want,
                  mpfr_srcptr scale);

#endif // TF_TESTS_BUILTINS_REAL_H
