// SPDX-License-Identifier: MIT
// A growing list of argument strings. After a failed allocation `failed` is set and later
// calls do nothing: check once, at the end.
#ifndef TF_COMPILER_FRONT_COMPILER_ARGS_H
#define TF_COMPILER_FRONT_COMPILER_ARGS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"

struct tf_args {
    char **items; // owned, each from tf_zalloc
    size_t count;
    size_t room;
    bool failed;
};

void tf_args_add(struct tf_args *args, const char *text); // copied
void tf_args_printf(struct tf_args *args, const char *fmt, ...) TF_PRINTF(2, 3);
void tf_args_finish(struct tf_args *args);

#endif // TF_COMPILER_FRONT_COMPILER_ARGS_H
