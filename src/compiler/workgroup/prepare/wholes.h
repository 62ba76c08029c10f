// SPDX-License-Identifier: MIT
#ifndef TF_COMPILER_WORKGROUP_PREPARE_WHOLES_H
#define TF_COMPILER_WORKGROUP_PREPARE_WHOLES_H

#include <llvm-c/Types.h>

// Writes loads of vectors of 16 bytes as loads of their components, each of which says
// which one it is: the bytes of the others may be loaded as well.
void tf_prepare_wholes(LLVMValueRef fn);

#endif // TF_COMPILER_WORKGROUP_PREPARE_WHOLES_H
