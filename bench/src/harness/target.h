// SPDX-License-Identifier: MIT
/* The OpenCL implementations to compare: see README.md for the format of a targets file.
 */
#ifndef CLBENCH_TARGET_H
#define CLBENCH_TARGET_H

#include <stddef.h>

enum { TARGET_MAX_VARIABLES = 32, MAX_TARGETS = 32 };

struct target {
    char *label;
    char *platform; /* part of the name or index; NULL: the first */
    char *device;
    size_t variable_count;
    char
        *variables[TARGET_MAX_VARIABLES]; /* "NAME=value"; {cache} stands for the cache */
};

/* Returns the number of targets read; exits with a message when the file is wrong. */
size_t targets_read(const char *path, struct target targets[MAX_TARGETS]);

#endif
