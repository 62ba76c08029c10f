// SPDX-License-Identifier: MIT
// Unroll pragmas that would make millions of instructions: LLVM does what a pragma with a
// number says, however large it is, in one step that nothing can stop.
#ifndef TF_COMPILER_CODEGEN_UNROLL_LIMIT_H
#define TF_COMPILER_CODEGEN_UNROLL_LIMIT_H

#include <llvm-c/Types.h>

// Where `#pragma unroll N` would give a function more than 65,536 instructions, or so, it
// counts as not written.
void tf_unroll_limit(LLVMModuleRef module);

#endif // TF_COMPILER_CODEGEN_UNROLL_LIMIT_H
