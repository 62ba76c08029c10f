// SPDX-License-Identifier: MIT
// What a program may contain before the built-ins are linked in. Kernels can call nothing
// but their own functions, the built-ins, and the intrinsics that Clang makes of plain
// code.
#ifndef TF_COMPILER_MODULE_VALIDATE_H
#define TF_COMPILER_MODULE_VALIDATE_H

#include <stdbool.h>

#include <llvm-c/Types.h>

#include "abi/compiler.h"
#include "base/str.h"

struct tf_validate_in {
    LLVMModuleRef module;
    bool complete; // nothing will be linked but built-ins: undefined functions are errors
    // The compilation that made the module, repeated to find positions of errors; or
    // NULL.
    const struct tf_compile_in *source;
};

// TF_COMPILER_BAD_SOURCE with each fault in the log: a reserved name (__tf_*, assembler
// labels), inline assembly, an intrinsic or function that is
// not there, memory of variable size on the stack, constructors, aliases.
enum tf_compiler_status tf_validate_module(const struct tf_validate_in *in,
                                           struct tf_str *log);

#endif // TF_COMPILER_MODULE_VALIDATE_H
