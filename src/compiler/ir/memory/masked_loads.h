// SPDX-License-Identifier: MIT
#ifndef TF_COMPILER_IR_MASKED_LOADS_H
#define TF_COMPILER_IR_MASKED_LOADS_H

#include <llvm-c/Types.h>

// Keeps loads under masks where they stand: wherever instcombine is next, and variables
// have become values, or loads may have come, since the last time.
void tf_masked_loads_settle(LLVMValueRef function);

#endif // TF_COMPILER_IR_MASKED_LOADS_H
