// SPDX-License-Identifier: MIT
// What the functions of floating-point numbers give, exactly: a row for each name.
#ifndef TF_TESTS_BUILTINS_MATH_REFERENCE_H
#define TF_TESTS_BUILTINS_MATH_REFERENCE_H

#include "builtins/reference/real.h"

// Sets r to f(x[0], x[1], x[2]), rounded towards zero; returns MPFR's ternary value.
// Integer arguments come as MPFR numbers, too. `e` is the type of the first argument.
typedef int (*real_fn)(mpfr_ptr r, const mpfr_srcptr x[3], const struct element *e);

struct math_reference {
    const char *name;
    // One of the three.
    int (*one)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);
    int (*two)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);
    real_fn any;
    real_fn second;    // what the pointer shows to
    double second_ulp; // allowed for that
    real_fn scale;     // errors are measured in ulps of this where it is larger
    double scaled_ulp; // allowed then
    bool either_zero;  // the sign of a zero result is free
    bool (*valid)(const mpfr_srcptr x[3]); // whether the result is defined; NULL: always
};

// NULL: no function of this name. half_ and native_ in front of a name are the same
// function.
const struct math_reference *math_reference_find(const char *name);

int math_reference_value(const struct math_reference *ref, mpfr_ptr r,
                         const mpfr_srcptr x[3], const struct element *e);

#endif // TF_TESTS_BUILTINS_MATH_REFERENCE_H
