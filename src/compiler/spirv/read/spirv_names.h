// SPDX-License-Identifier: MIT
// Symbols of functions and variables.
#ifndef TF_COMPILER_SPIRV_READ_SPIRV_NAMES_H
#define TF_COMPILER_SPIRV_READ_SPIRV_NAMES_H

#include <llvm-c/Core.h>

#include "compiler/spirv/read/spirv_reader.h"

struct tf_spv_symbol {
    const char *name; // in the arena, or of the id
    LLVMLinkage linkage;
    bool imported; // declared here, defined elsewhere
};

// From the decoration LinkageAttributes; without it a name of this module only. A name
// that an imported function shares with the library means the library's.
struct tf_spv_symbol tf_spv_symbol(struct tf_spv *r, uint32_t id);

#endif // TF_COMPILER_SPIRV_READ_SPIRV_NAMES_H
