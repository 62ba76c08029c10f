// SPDX-License-Identifier: MIT
// What a program can ask the preprocessor about the device: versions, extensions,
// features.
#ifndef TF_COMPILER_FRONT_FRONTEND_MACROS_H
#define TF_COMPILER_FRONT_FRONTEND_MACROS_H

#include <stdint.h>

#include "abi/compiler.h"
#include "compiler/front/compiler_args.h"

// NULL if the device offers OpenCL C `version` (100, 110, 120, 200, 300, 310), or the C++
// for OpenCL that contains it; else what it lacks: the name of a feature, or "". Static.
const char *tf_frontend_standard_lacks(const struct tf_compiler_device *device,
                                       uint32_t version, bool is_cxx);

// Adds the arguments for the language version, the extensions and the features. `cxx`:
// 100, 202100; 0 for OpenCL C.
void tf_frontend_macros_add(const struct tf_compiler_device *device, uint32_t version,
                            uint32_t cxx, struct tf_args *args);

#endif // TF_COMPILER_FRONT_FRONTEND_MACROS_H
