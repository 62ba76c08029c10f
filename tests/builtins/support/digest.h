// SPDX-License-Identifier: MIT
// Files that tests write for one another.
#ifndef TF_TESTS_BUILTINS_DIGEST_H
#define TF_TESTS_BUILTINS_DIGEST_H

#include <stdbool.h>
#include <stddef.h>

#include "builtins/reference/number.h"

// Empties the file of digests, if the test was told to write one (TF_BUILTINS_DIGEST in
// the environment). Called once, by main().
void digest_begin(void);

// Adds a line with a checksum of an array's bits, in which all NaNs count as one. Two
// runs in different forms of work-groups must write the same file.
void digest_add(const char *what, const struct element *e, const void *array,
                size_t count);

// Whether another run with the same digests checks the results (TF_BUILTINS_DIGEST_ONLY).
bool digest_only(void);

// Adds a line to the file that TF_BUILTINS_ACCURACY names: the columns of accuracy.tsv.
void accuracy_add(const char *function, const char *type, double error, const char *where,
                  const char *how);

#endif // TF_TESTS_BUILTINS_DIGEST_H
