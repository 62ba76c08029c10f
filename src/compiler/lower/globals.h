// SPDX-License-Identifier: MIT
// Program-scope variables (OpenCL C 3.0, 6.7.1.2): a kernel's object has no writable
// data, so all variables of the global address space lie in one block that the kernels of
// a program share. Constants that hold pointers to variables, or to which variables
// point, lie in it, too.
#ifndef TF_COMPILER_LOWER_GLOBALS_H
#define TF_COMPILER_LOWER_GLOBALS_H

#include <stdbool.h>
#include <stdint.h>

#include <llvm-c/Types.h>

#include "abi/compiler.h"
#include "base/str.h"

// After clean-up: gives each variable its place in the block, which the variable's
// metadata says from then on (tf_global_offset), and takes its initializer into `out`
// (packed, program_data.h; empty if there are no variables).
enum tf_compiler_status tf_globals_layout(LLVMModuleRef module,
                                          const struct tf_compiler_device *device,
                                          struct tf_compiler_bytes *out,
                                          struct tf_str *log);

// The place of `variable` in the block. False: it is not part of it.
bool tf_global_offset(LLVMValueRef variable, uint64_t *offset_bytes);

#endif // TF_COMPILER_LOWER_GLOBALS_H
