// SPDX-License-Identifier: MIT
// What the math functions should give: long double functions of the C library, and those
// that it lacks.
#ifndef TF_TESTS_BUILTINS_REFERENCE_H
#define TF_TESTS_BUILTINS_REFERENCE_H

#include <stdbool.h>

typedef long double (*reference_fn)(long double x, long double y, long double z);

struct math_case {
    const char *name;
    const char *args;             // one letter an argument: f floating point, i int
    double ulp_float, ulp_double; // allowed; < 0: not for this type
    reference_fn reference;
    bool zeros_below_0; // f(x) is a difference with f(-x) there
};

// Ends with a name of NULL.
extern const struct math_case math_cases[];

// Distance of `got` from the exact `want` in units in the last place of the type (float
// or double). Infinite where NaN, infinity or the sign of a zero are not what they should
// be.
double ulp_error(bool is_double, double got, long double want);

#endif // TF_TESTS_BUILTINS_REFERENCE_H
