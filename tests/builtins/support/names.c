// SPDX-License-Identifier: MIT
#include "builtins/support/names.h"

#include <stdlib.h>
#include <string.h>

static bool is_known(const struct names *names, const char *name)
{
    for (int i = 0; i < names->count; i++)
        if (!strcmp(names->name[i], name))
            return true;
    return false;
}

void names_collect(struct names *names, bool (*is_ours)(const struct family *))
{
    for (const struct family *f = families; f->name; f++) {
        if (!is_ours(f) || is_known(names, f->name))
            continue;
        if (names->count == NAMES_MAX)
            abort();
        names->name[names->count++] = f->name;
    }
}

bool names_wanted(const struct family *f, const char *name)
{
    const char *only = getenv("TF_TEST_ONLY"), *type = getenv("TF_TEST_TYPE");

    return !strcmp(f->name, name) && (!only || !strcmp(only, name)) &&
           (!type || !strcmp(type, f->arg[0].element));
}
