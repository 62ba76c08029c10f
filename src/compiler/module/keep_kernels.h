// SPDX-License-Identifier: MIT
// Of a program that is linked, kernels are all that the host can name.
#ifndef TF_COMPILER_MODULE_KEEP_KERNELS_H
#define TF_COMPILER_MODULE_KEEP_KERNELS_H

#include <llvm-c/Types.h>

// Makes all other definitions internal: later ones, the built-ins', cannot then meet the
// program's.
void tf_hide_all_but_kernels(LLVMModuleRef module);
// The same, and drops what no kernel reaches.
void tf_keep_kernels(LLVMModuleRef module);

#endif // TF_COMPILER_MODULE_KEEP_KERNELS_H
