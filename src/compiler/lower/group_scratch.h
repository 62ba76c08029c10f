// SPDX-License-Identifier: MIT
// The local memory in which collective functions exchange their values.
#ifndef TF_COMPILER_LOWER_GROUP_SCRATCH_H
#define TF_COMPILER_LOWER_GROUP_SCRATCH_H

#include <stdint.h>

#include <llvm-c/Types.h>

// Puts a __local variable of 8 bytes for each of `max_items` work-items in the place of
// the root __tf_group_scratch. It counts as local memory of each kernel that uses it.
// Call it when the built-ins are linked.
void tf_group_scratch_lower(LLVMModuleRef module, uint32_t max_items);

#endif // TF_COMPILER_LOWER_GROUP_SCRATCH_H
