// SPDX-License-Identifier: MIT
// Reads SPIR 1.2 (cl_khr_spir): LLVM bitcode of 2012, from a compiler of somebody else's,
// into what Clang makes of the same program today: all stages behind this one see no
// difference. LLVM's own reader makes the instructions those of today; what is left are
// metadata, names of functions, images, samplers and events. doc/programs.md has more.
#ifndef TF_COMPILER_SPIR_SPIR_H
#define TF_COMPILER_SPIR_SPIR_H

#include <stdbool.h>

#include <llvm-c/Types.h>

#include "abi/compiler.h"
#include "base/str.h"

// Whether the bytes begin as bitcode does.
bool tf_spir_is(const void *bytes, size_t count);

// The module, owned by the caller. NULL with `*status` and the reason in the log. LLVM's
// reader trusts its input more than other readers here do: it works in processes that do
// nothing but compile, and nowhere else.
LLVMModuleRef tf_spir_module(LLVMContextRef context, const struct tf_compile_in *in,
                             enum tf_compiler_status *status, struct tf_str *log);

#endif // TF_COMPILER_SPIR_SPIR_H
