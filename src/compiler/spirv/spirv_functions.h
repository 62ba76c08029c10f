// SPDX-License-Identifier: MIT
// Functions of a SPIR-V module. All are declared before the first one is defined: a call
// may come before the function that it calls.
#ifndef TF_COMPILER_SPIRV_SPIRV_FUNCTIONS_H
#define TF_COMPILER_SPIRV_SPIRV_FUNCTIONS_H

#include "compiler/spirv/read/spirv_reader.h"

// At OpFunction: the function with its parameters; no body yet.
struct tf_spv_function *tf_spv_function_declare(struct tf_spv *r);
// Fills it. What no way leads to is left out: blocks are read in an order in which
// definitions come before uses, whatever the order in the module is.
void tf_spv_function_define(struct tf_spv *r, struct tf_spv_function *function);
// Makes the functions of entry points kernels, with the metadata that Clang gives them.
void tf_spv_entry_points(struct tf_spv *r);

#endif // TF_COMPILER_SPIRV_SPIRV_FUNCTIONS_H
