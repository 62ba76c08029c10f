// SPDX-License-Identifier: MIT
// Looks symbols up in the embedded library: binary search over the generated, sorted
// table.
#include "builtins/builtins_table.h"

#include <string.h>

#include "builtins/builtins_index.h"

int tf_builtin_find(const char *symbol)
{
    int low = 0, high = tf_builtin_symbols_count;

    while (low < high) {
        const int middle = low + (high - low) / 2;
        const struct tf_builtin_symbol *entry = &tf_builtin_symbols[middle];
        const int order = strcmp(symbol, tf_builtin_blob + entry->name_offset);

        if (!order)
            return (int)entry->module;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return -1;
}

const struct tf_builtin_module *tf_builtin_module(int index)
{
    return &tf_builtin_modules[index];
}

int tf_builtin_module_count(void)
{
    return tf_builtin_modules_count;
}
