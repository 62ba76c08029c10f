// SPDX-License-Identifier: MIT
// Modules to bytes and back.
#ifndef TF_COMPILER_IR_BITCODE_H
#define TF_COMPILER_IR_BITCODE_H

#include <stdbool.h>

#include <llvm-c/Types.h>

#include "abi/compiler.h"

// Reads a module; NULL when the bytes are no bitcode (a diagnostic of `context` says
// why). With `lazy`, functions are read when something links them; `bitcode` is then
// borrowed until the module is disposed of.
LLVMModuleRef tf_bitcode_read(LLVMContextRef context, const void *bitcode, size_t bytes,
                              bool lazy);

// Writes a module to memory from tf_zalloc, owned by the caller.
enum tf_compiler_status tf_bitcode_write(LLVMModuleRef module,
                                         struct tf_compiler_bytes *out);

#endif // TF_COMPILER_IR_BITCODE_H
