// SPDX-License-Identifier: MIT
// Kept functions that get parameters before their own: who makes code of them hands on
// there what a kernel finds by itself.
#ifndef TF_COMPILER_LOWER_KEPT_KEPT_PARAMETERS_H
#define TF_COMPILER_LOWER_KEPT_KEPT_PARAMETERS_H

#include <llvm-c/Types.h>

// The function with `count` parameters more. It has the body of `old`, which is to go
// once its calls have been replaced.
LLVMValueRef tf_kept_function_widen(LLVMValueRef old, const char *prefix,
                                    const LLVMTypeRef *types, unsigned count);
// A call of it with `args` before those of `call`, whose place it takes.
LLVMValueRef tf_kept_function_call(LLVMBuilderRef b, LLVMValueRef call, LLVMValueRef made,
                                   const LLVMValueRef *args, unsigned count);

#endif // TF_COMPILER_LOWER_KEPT_KEPT_PARAMETERS_H
