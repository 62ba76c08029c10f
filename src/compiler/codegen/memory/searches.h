// SPDX-License-Identifier: MIT
// Searches: choices by a comparison with a number out of memory that say where the next
// number lies which is compared (`lo = a[lo + s] < x ? lo + s : lo`).
#ifndef TF_COMPILER_CODEGEN_MEMORY_SEARCHES_H
#define TF_COMPILER_CODEGEN_MEMORY_SEARCHES_H

#include <llvm-c/Types.h>

// Keeps them choices: LLVM makes branches of them, so that the next load need not wait,
// and a processor guesses half of them wrong, because that is what a search is for.
void tf_searches_settle(LLVMModuleRef module);

#endif // TF_COMPILER_CODEGEN_MEMORY_SEARCHES_H
