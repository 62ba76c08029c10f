// SPDX-License-Identifier: MIT
// Products and sums that the program allows to be rounded once (-cl-mad-enable, the flag
// `contract`), wherever they stand.
#ifndef TF_COMPILER_LOWER_ARITHMETIC_CONTRACTED_H
#define TF_COMPILER_LOWER_ARITHMETIC_CONTRACTED_H

#include <llvm-c/Types.h>

// Decides once, for all code that will be made of a function, which product goes with
// which sum: these become llvm.fmuladd, and nothing allows more any longer. LLVM's code
// generator would decide anew for each form, and their results would differ. For
// functions that allow more than this, which differ anyhow, nothing changes. Behind all
// inlining.
void tf_contracted_lower(LLVMModuleRef module);

#endif // TF_COMPILER_LOWER_ARITHMETIC_CONTRACTED_H
