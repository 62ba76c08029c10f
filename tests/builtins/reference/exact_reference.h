// SPDX-License-Identifier: MIT
// What the functions without rounding give: integers, bits, relations, selections,
// shuffles.
#ifndef TF_TESTS_BUILTINS_EXACT_REFERENCE_H
#define TF_TESTS_BUILTINS_EXACT_REFERENCE_H

#include "builtins/reference/number.h"

enum { EXACT_ARGS = 4, EXACT_WIDTH = 16 };

// One call: vectors as arrays of numbers.
struct exact_call {
    const struct element *arg[EXACT_ARGS], *ret;
    unsigned width[EXACT_ARGS], ret_width;
    struct number x[EXACT_ARGS][EXACT_WIDTH];
    struct number r[EXACT_WIDTH];
};

struct exact_reference {
    const char *name;
    // One of the two: sets element `at` of the result from the same element of the
    // arguments
    // (`x` has one number an argument), or the whole result.
    void (*each)(struct number *r, const struct number *x, const struct exact_call *c);
    void (*whole)(struct exact_call *c);
    // Makes undefined arguments defined ones; NULL: all are. Same convention as `each`.
    void (*prepare)(struct number *x, const struct exact_call *c);
};

// NULL: no function of this name.
const struct exact_reference *exact_reference_find(const char *name);

// Fills c->r.
void exact_reference_value(const struct exact_reference *ref, struct exact_call *c);

#endif // TF_TESTS_BUILTINS_EXACT_REFERENCE_H
