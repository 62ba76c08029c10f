// SPDX-License-Identifier: MIT
// The generated tables behind builtins_table.h; written by tools/pack_builtins.c.
#ifndef TF_BUILTINS_BUILTINS_INDEX_H
#define TF_BUILTINS_BUILTINS_INDEX_H

#include "builtins/builtins_table.h"

struct tf_builtin_symbol {
    uint32_t name_offset; // of a string terminated by 0 in tf_builtin_blob
    uint32_t module;
};

// Bitcode of all modules, then the names of the symbols.
extern const char tf_builtin_blob[];
extern const struct tf_builtin_module tf_builtin_modules[];
extern const int tf_builtin_modules_count;
// Sorted by name (strcmp).
extern const struct tf_builtin_symbol tf_builtin_symbols[];
extern const int tf_builtin_symbols_count;

#endif // TF_BUILTINS_BUILTINS_INDEX_H
