// SPDX-License-Identifier: MIT
#ifndef TF_COMPILER_WORKGROUP_PREPARE_ROUNDS_COMPONENT_SUMS_H
#define TF_COMPILER_WORKGROUP_PREPARE_ROUNDS_COMPONENT_SUMS_H

#include <stdbool.h>

#include <llvm-c/Types.h>

// Sums of integers over rounds of a loop, to which each round adds all components of a
// vector of the program (`s += p.x + p.y + p.z + p.w`): a vector has the sum of each
// component, and these are added up behind the loop. In lanes the components of one
// vector lie in several registers, and are shuffles. Expects loops in the form of
// loop-simplify and lcssa. True if something changed.
bool tf_prepare_component_sums(LLVMValueRef fn);

#endif // TF_COMPILER_WORKGROUP_PREPARE_ROUNDS_COMPONENT_SUMS_H
