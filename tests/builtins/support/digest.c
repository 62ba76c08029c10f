// SPDX-License-Identifier: MIT
#include "builtins/support/digest.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static FILE *open_file(const char *variable, const char *mode)
{
    const char *path = getenv(variable);
    FILE *file = path ? fopen(path, mode) : NULL;

    if (path && !file) {
        perror(path);
        exit(EXIT_FAILURE);
    }
    return file;
}

void digest_begin(void)
{
    FILE *file = open_file("TF_BUILTINS_DIGEST", "w");

    if (file)
        fclose(file);
}

// FNV-1a (Fowler, Noll and Vo), of numbers in place of bytes.
void digest_add(const char *what, const struct element *e, const void *array,
                size_t count)
{
    FILE *file = open_file("TF_BUILTINS_DIGEST", "a");
    uint64_t sum = 0xcbf29ce484222325;

    if (!file)
        return;
    for (size_t i = 0; i < count; i++) {
        const bool nan = e->kind == 'f' && isnan(element_get(e, array, i).real);

        sum = (sum ^ (nan ? 0x7ff8 : element_bits(e, array, i))) * 0x100000001b3;
    }
    fprintf(file, "%s %016" PRIx64 "\n", what, sum);
    fclose(file);
}

bool digest_only(void)
{
    return getenv("TF_BUILTINS_DIGEST_ONLY") != NULL;
}

void accuracy_add(const char *function, const char *type, double error, const char *where,
                  const char *how)
{
    FILE *file = open_file("TF_BUILTINS_ACCURACY", "a");

    if (!file)
        return;
    fprintf(file, "%s\t%s\t%.3g\t%s\t%s\n", function, type, error, where, how);
    fclose(file);
}
