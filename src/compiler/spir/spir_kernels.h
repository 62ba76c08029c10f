// SPDX-License-Identifier: MIT
// Kernels as Clang makes them: with what !opencl.kernels says of each in metadata of its
// own, images in their address space and samplers of 64 bits.
#ifndef TF_COMPILER_SPIR_SPIR_KERNELS_H
#define TF_COMPILER_SPIR_SPIR_KERNELS_H

#include <stdbool.h>

#include <llvm-c/Types.h>

#include "base/str.h"

// False with the reason in the log.
bool tf_spir_kernels(LLVMModuleRef module, struct tf_str *log);

#endif // TF_COMPILER_SPIR_SPIR_KERNELS_H
