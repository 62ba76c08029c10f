// SPDX-License-Identifier: MIT
// The kernel table of a cleaned-up program (abi/kernel_info.h), read from the module:
// Clang's kernel metadata, the bodies, and the layout rules of
// compiler/module/arg_layout.h.
#ifndef TF_COMPILER_MODULE_KERNEL_TABLE_H
#define TF_COMPILER_MODULE_KERNEL_TABLE_H

#include <llvm-c/Types.h>

#include "abi/compiler.h"
#include "base/str.h"

// Writes the packed table to memory from tf_zalloc, owned by the caller; no kernel is no
// error. TF_COMPILER_BAD_SOURCE when a kernel asks for what the device does not have: too
// much local memory, a work-group size above the limit, arguments of unsupported types.
// `source`: the compilation that made the module, for positions in messages; or NULL.
enum tf_compiler_status tf_kernel_table(LLVMModuleRef module,
                                        const struct tf_compiler_device *device,
                                        const struct tf_compile_in *source,
                                        struct tf_compiler_bytes *out,
                                        struct tf_str *log);

#endif // TF_COMPILER_MODULE_KERNEL_TABLE_H
