// SPDX-License-Identifier: MIT
// Named barriers of sub-groups: each call that makes one has a few words of local memory.
#ifndef TF_COMPILER_LOWER_NAMED_BARRIERS_H
#define TF_COMPILER_LOWER_NAMED_BARRIERS_H

#include <llvm-c/Types.h>

// Once all is inlined: puts a __local variable of its own in the place of each call of
// the root `__tf_named_barrier`.
void tf_named_barriers_lower(LLVMModuleRef module);

#endif // TF_COMPILER_LOWER_NAMED_BARRIERS_H
