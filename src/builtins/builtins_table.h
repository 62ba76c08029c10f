// SPDX-License-Identifier: MIT
// The embedded built-ins library: small LLVM bitcode modules (spir64, one a family, every
// definition linkonce_odr), indexed by the symbols that they define. Made at build time
// by tools/gen_builtins.py and tools/pack_builtins.c; read-only.
//
// Two kinds of symbols: public OpenCL C names (Itanium-mangled as Clang does for OpenCL,
// "_Z5clampDv4_fS_S_") are thin wrappers; bodies are private ("__tf_b_clamp_float4...")
// and call private names only, so that a user's own overload never reaches the library.
#ifndef TF_BUILTINS_BUILTINS_TABLE_H
#define TF_BUILTINS_BUILTINS_TABLE_H

#include <stddef.h>
#include <stdint.h>

// Prefix of a public name in a module that is still to be linked: the library is meant,
// whatever else there may be of that name (compiler/module/builtin_names.h).
#define TF_BUILTIN_HIDDEN "tf.builtin."

struct tf_builtin_module {
    const char *name; // family: "clamp"
    const void *bitcode;
    size_t bytes;
};

// Number of the module that defines `symbol` (tf_builtin_module), or -1.
int tf_builtin_find(const char *symbol);

// Borrowed for the life of the library; `index` from tf_builtin_find, below the count.
const struct tf_builtin_module *tf_builtin_module(int index);
int tf_builtin_module_count(void);

#endif // TF_BUILTINS_BUILTINS_TABLE_H
