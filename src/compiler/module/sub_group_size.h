// SPDX-License-Identifier: MIT
// The size of the sub-groups of each kernel.
#ifndef TF_COMPILER_MODULE_SUB_GROUP_SIZE_H
#define TF_COMPILER_MODULE_SUB_GROUP_SIZE_H

#include <stdbool.h>
#include <stdint.h>

#include <llvm-c/Types.h>

enum { TF_SUB_GROUP_SIZE_LEAST = 4 }; // that a kernel may demand

// Fixes `default_size` for every kernel whose source demands none, in the metadata that
// Clang makes of intel_reqd_sub_group_size: it is part of the program from here on.
// Nothing where default_size is 0.
void tf_sub_group_size_fix(LLVMModuleRef module, uint32_t default_size);

// Whether a kernel may demand it: one of the sizes that devices list.
bool tf_sub_group_size_is_valid(uint32_t size);

#endif // TF_COMPILER_MODULE_SUB_GROUP_SIZE_H
