// SPDX-License-Identifier: MIT
// The generic address space (OpenCL C 3.0, 6.7.5): a generic pointer points into private,
// local or global memory. On this device all are parts of one flat memory, so accesses
// need no distinction; questions for the space are answered where the kernel shows whence
// the pointer comes, and otherwise by the run-time's ranges of addresses.
#ifndef TF_COMPILER_LOWER_SPACES_H
#define TF_COMPILER_LOWER_SPACES_H

#include <stdbool.h>

#include <llvm-c/Types.h>

// Numbers of the address spaces in spir64.
enum tf_space {
    TF_SPACE_PRIVATE = 0,
    TF_SPACE_GLOBAL = 1,
    TF_SPACE_CONSTANT = 2,
    TF_SPACE_LOCAL = 3,
    TF_SPACE_GENERIC = 4,
};

// Whether the front end's name is one of __to_global, __to_local and __to_private.
bool tf_spaces_is_cast(const char *symbol);

// Turns calls of those into comparisons with TF_ROOT_SPACE.
void tf_spaces_lower(LLVMModuleRef module);

// After inlining: accesses through generic pointers whose origin is visible become ones
// of its space, and questions for that space constants. True if anything changed, so that
// simplifying again may show more.
bool tf_spaces_resolve(LLVMModuleRef module);

#endif // TF_COMPILER_LOWER_SPACES_H
