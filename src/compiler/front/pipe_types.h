// SPDX-License-Identifier: MIT
// Clang makes opaque types of pipes and reservations. Right behind it a pipe becomes the
// address of its memory (`ptr addrspace(1)`) and a reservation a number (i64).
#ifndef TF_COMPILER_FRONT_PIPE_TYPES_H
#define TF_COMPILER_FRONT_PIPE_TYPES_H

#include <llvm-c/Types.h>

// `module` (given) with plain types for pipes and reservations: itself if it has none.
// NULL when that went wrong; the context's handler has logged why.
LLVMModuleRef tf_pipe_types_plain(LLVMContextRef context, LLVMModuleRef module);

#endif // TF_COMPILER_FRONT_PIPE_TYPES_H
