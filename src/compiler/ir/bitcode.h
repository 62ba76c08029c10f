// SPDX-License-Identifier: MIT
// Modules to bytes and back.
#ifndef TF_COMPILER_IR_BITCODE_H
#define TF_COMPILER_IR_BITCODE_H

#include <stdbool.h>

#include <llvm-c/Types.h>

#include "abi/compiler.h"

enum tf_bitcode_from {
    TF_BITCODE_ANYBODY,    // verified: what parses may still be nonsense
    TF_BITCODE_UNVERIFIED, // the same; the caller does it
    TF_BITCODE_JUST_MADE,  // by the stage before, in this build
    TF_BITCODE_LIBRARY,    // ours; functions are read when something links them, and
                           // `bitcode` is borrowed until the module is disposed of
};

// Reads a module; NULL when the bytes are no bitcode (a diagnostic of `context` says
// why).
LLVMModuleRef tf_bitcode_read(LLVMContextRef context, const void *bitcode, size_t bytes,
                              enum tf_bitcode_from from);

// Writes a module to memory from tf_zalloc, owned by the caller.
enum tf_compiler_status tf_bitcode_write(LLVMModuleRef module,
                                         struct tf_compiler_bytes *out);

#endif // TF_COMPILER_IR_BITCODE_H
