// SPDX-License-Identifier: MIT
// Calls of built-in functions as Clang makes them. In a module of SPIR an image is a
// pointer to global memory, a sampler a number of 32 bits and an event a pointer. They
// stay so between kernel and call; the borders convert.
#ifndef TF_COMPILER_SPIR_SPIR_CALLS_H
#define TF_COMPILER_SPIR_SPIR_CALLS_H

#include <stdbool.h>

#include <llvm-c/Types.h>

#include "base/str.h"

enum { TF_SPIR_IMAGE_SPACE = 2 }; // where Clang has images

// False with the reason in the log.
bool tf_spir_calls(LLVMModuleRef module, struct tf_str *log);

#endif // TF_COMPILER_SPIR_SPIR_CALLS_H
