// SPDX-License-Identifier: MIT
#ifndef TF_COMPILER_CODEGEN_NARROW_INDICES_H
#define TF_COMPILER_CODEGEN_NARROW_INDICES_H

#include <llvm-c/Types.h>

// Keeps LLVM's loop vectorizer from loops with an index that begins again every few
// rounds (`i & 7`, `(uchar)i`). To be called right before it.
void tf_narrow_indices_settle(LLVMValueRef function);

#endif // TF_COMPILER_CODEGEN_NARROW_INDICES_H
