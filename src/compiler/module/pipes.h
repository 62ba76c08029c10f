// SPDX-License-Identifier: MIT
// Pipes in a program's IR. Clang makes opaque types and calls of its own names of them;
// from the front end on a pipe is the address of its memory (`ptr addrspace(1)`) and a
// reservation a number (i64), and when the program is linked the calls become ones of the
// built-ins library (builtins/def/pipe.def).
#ifndef TF_COMPILER_MODULE_PIPES_H
#define TF_COMPILER_MODULE_PIPES_H

#include <stdbool.h>

#include <llvm-c/Types.h>

// `module` (given) with plain types for pipes and reservations: itself if it has none.
// NULL when that went wrong; the context's handler has logged why.
LLVMModuleRef tf_pipes_retype(LLVMContextRef context, LLVMModuleRef module);

// Whether the front end's name is that of a function of pipes.
bool tf_pipes_is_call(const char *symbol);

// Gives the calls the names of the library's functions.
void tf_pipes_lower(LLVMModuleRef module);

#endif // TF_COMPILER_MODULE_PIPES_H
