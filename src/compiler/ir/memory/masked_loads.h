// SPDX-License-Identifier: MIT
#ifndef TF_COMPILER_IR_MASKED_LOADS_H
#define TF_COMPILER_IR_MASKED_LOADS_H

#include <llvm-c/Types.h>

// Keeps loads under masks where they stand: before LLVM's passes, and where one of them
// may have made such loads.
void tf_masked_loads_settle(LLVMValueRef function);

#endif // TF_COMPILER_IR_MASKED_LOADS_H
