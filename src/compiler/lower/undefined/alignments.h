// SPDX-License-Identifier: MIT
// Vectors in memory whose address is not a multiple of their size: undefined in OpenCL C
// (3.0, 6.3.5), and common all the same, since GPUs look at the address of each component
// alone. An aligned load of the processor would end the process there.
#ifndef TF_COMPILER_LOWER_ALIGNMENTS_H
#define TF_COMPILER_LOWER_ALIGNMENTS_H

#include <llvm-c/Types.h>

// Accesses of `module` to vectors and structs outside of private memory ask for no more
// alignment than a scalar has. Before any optimization: LLVM would conclude from one
// access how a pointer is aligned.
void tf_alignments_lower(LLVMModuleRef module);

#endif // TF_COMPILER_LOWER_ALIGNMENTS_H
