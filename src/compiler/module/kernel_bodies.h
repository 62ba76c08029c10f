// SPDX-License-Identifier: MIT
// Kernels that functions call, and kernels that only call their own body.
#ifndef TF_COMPILER_MODULE_KERNEL_BODIES_H
#define TF_COMPILER_MODULE_KERNEL_BODIES_H

#include <llvm-c/Types.h>

// A kernel that other functions call: its body moves to an internal function, which the
// callers and a new kernel of the old name call. (Clang 22 does so with every kernel by
// itself.)
void tf_kernel_bodies_split(LLVMModuleRef module);

// The reverse, where nobody else calls the body: it moves into the kernel. Inlining would
// copy it, and passes would see the whole kernel once more.
void tf_kernel_bodies_join(LLVMModuleRef module);

#endif // TF_COMPILER_MODULE_KERNEL_BODIES_H
