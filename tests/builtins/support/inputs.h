// SPDX-License-Identifier: MIT
// Arguments for the functions of a family: numbers at the edges of types and functions
// first, then numbers over all bit patterns and of ordinary sizes. Point p is always the
// same.
#ifndef TF_TESTS_BUILTINS_INPUTS_H
#define TF_TESTS_BUILTINS_INPUTS_H

#include <stddef.h>

#include "builtins/reference/number.h"
#include "builtins/support/table.h"

// Where a vector form takes a scalar, that argument is the same in each block of points:
// 48 are a whole number of vectors of every width.
enum { INPUTS_BLOCK = 48 };

// How many numbers a function is to be tested with when all of them are: TF_BUILTINS_FULL
// in the environment. 0: only the tests of every day are wanted.
size_t inputs_full(void);

// A number that depends on the two alone, all bits random.
uint64_t inputs_random(uint64_t index, uint64_t salt);

// Fills arrays[a] for every argument by value with points first ... first + points - 1 of
// `total`. A one-argument function of half with 65,536 points or more gets every number.
void inputs_fill(const struct family *f, size_t first, size_t points, size_t total,
                 void *const arrays[]);

// The edge numbers of a type; `count` is how many.
const struct number *inputs_edges(const struct element *e, size_t *count);

#endif // TF_TESTS_BUILTINS_INPUTS_H
