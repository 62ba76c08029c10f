// SPDX-License-Identifier: MIT
// A sine and a cosine of one value cost little more than one of the two: both begin with
// the multiple of pi/2 that is taken away.
#ifndef TF_COMPILER_LOWER_ARITHMETIC_SINE_PAIRS_H
#define TF_COMPILER_LOWER_ARITHMETIC_SINE_PAIRS_H

#include <llvm-c/Types.h>

// Where a block of `module` calls sin and cos, or native_sin and native_cos, with the
// same value, one call of the library's sincos takes the place of both. Of floats and
// doubles and their vectors. Before the built-ins are linked in. Functions that call both
// are brought into SSA form, without which nobody sees that the value is the same.
void tf_sine_pairs_lower(LLVMModuleRef module);

#endif // TF_COMPILER_LOWER_ARITHMETIC_SINE_PAIRS_H
