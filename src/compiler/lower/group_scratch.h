// SPDX-License-Identifier: MIT
// The local memory in which collective functions exchange their values.
#ifndef TF_COMPILER_LOWER_GROUP_SCRATCH_H
#define TF_COMPILER_LOWER_GROUP_SCRATCH_H

#include <stdint.h>

#include <llvm-c/Types.h>

// Puts one __local variable in the place of the root __tf_group_scratch, as large as the
// uses want it for the largest group: that which the kernels demand, if all of them
// demand one, or `max_items` work-items, in sub-groups of `least_sub_group` at least.
// They count as local memory of each kernel that uses them. Call it when the built-ins
// are linked.
void tf_group_scratch_lower(LLVMModuleRef module, uint32_t max_items,
                            uint32_t least_sub_group);

#endif // TF_COMPILER_LOWER_GROUP_SCRATCH_H
