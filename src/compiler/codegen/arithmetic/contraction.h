// SPDX-License-Identifier: MIT
// a * b + c, where the program lets the machine decide whether it rounds once or twice
// (llvm.fmuladd). Decided before anything else looks at the kernel: LLVM folds constants
// as if every machine rounded once, and a kernel's code of two tiers, or of two forms,
// would fold differently.
// And fma() of floats where the machine has none: libm would be called for each element.
#ifndef TF_COMPILER_CODEGEN_ARITHMETIC_CONTRACTION_H
#define TF_COMPILER_CODEGEN_ARITHMETIC_CONTRACTION_H

#include <stdbool.h>

#include <llvm-c/Types.h>

// Makes a multiplication and an addition of each that the machine does not have as one
// instruction, and operations on doubles of fused ones of floats. `has_fma`: it has those
// of float and double.
void tf_contraction_settle(LLVMModuleRef module, bool has_fma);

#endif // TF_COMPILER_CODEGEN_ARITHMETIC_CONTRACTION_H
