// SPDX-License-Identifier: MIT
// Clang's calls of pipes, by names of its own, become calls of the built-ins library
// (builtins/def/pipe.def) when the program is linked.
#ifndef TF_COMPILER_LOWER_PIPES_H
#define TF_COMPILER_LOWER_PIPES_H

#include <stdbool.h>

#include <llvm-c/Types.h>

// Whether the front end's name is that of a function of pipes.
bool tf_pipes_is_call(const char *symbol);

// Gives the calls the names of the library's functions.
void tf_pipes_lower(LLVMModuleRef module);

#endif // TF_COMPILER_LOWER_PIPES_H
