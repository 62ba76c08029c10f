// SPDX-License-Identifier: MIT
// Reads a SPIR-V module of the Kernel execution model (versions 1.0 to 1.6, words of
// either byte order) into what Clang would have made of the same program for spir64: all
// stages behind this one see no difference. doc/spirv.md tells what is supported.
#ifndef TF_COMPILER_SPIRV_SPIRV_H
#define TF_COMPILER_SPIRV_SPIRV_H

#include <stdbool.h>

#include <llvm-c/Types.h>

#include "abi/compiler.h"
#include "base/str.h"

// The module, owned by the caller. NULL with `*status` and the reason in the log, in the
// form "error: SPIR-V word OFFSET: OpName: what". Whatever the words are: no crash, and
// time and memory in proportion to their number. `lines`: with the lines that it names.
LLVMModuleRef tf_spirv_module(LLVMContextRef context, const struct tf_compile_in *in,
                              bool lines, enum tf_compiler_status *status,
                              struct tf_str *log);

#endif // TF_COMPILER_SPIRV_SPIRV_H
