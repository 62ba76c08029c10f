// SPDX-License-Identifier: MIT
// Kernels that ask of each neighbour whether it lies inside.
#ifndef TF_COMPILER_WORKGROUP_PREPARE_INTERIOR_INTERIOR_H
#define TF_COMPILER_WORKGROUP_PREPARE_INTERIOR_INTERIOR_H

#include <stdbool.h>

#include <llvm-c/Types.h>

struct tf_wg;

// Makes the code behind such a kernel's guards a second time, for gangs whose neighbours
// all lie inside, without these tests. Whether it did.
bool tf_prepare_interior(struct tf_wg *wg, LLVMValueRef fn);

#endif // TF_COMPILER_WORKGROUP_PREPARE_INTERIOR_INTERIOR_H
