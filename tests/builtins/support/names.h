// SPDX-License-Identifier: MIT
// The functions that one test program walks, each name once.
#ifndef TF_TESTS_BUILTINS_NAMES_H
#define TF_TESTS_BUILTINS_NAMES_H

#include <stdbool.h>

#include "builtins/support/table.h"

enum { NAMES_MAX = 256 };

struct names {
    const char *name[NAMES_MAX]; // borrowed from the table
    int count;
};

// Those of the families for which `is_ours` says yes. More than NAMES_MAX end the test.
void names_collect(struct names *names, bool (*is_ours)(const struct family *));
// Whether TF_TEST_ONLY and TF_TEST_TYPE (a name, an element type; unset: all) let the
// family run under `name`.
bool names_wanted(const struct family *f, const char *name);

#endif // TF_TESTS_BUILTINS_NAMES_H
