// SPDX-License-Identifier: MIT
#ifndef TF_COMPILER_CODEGEN_CONVERT_LONG_CONVERSION_H
#define TF_COMPILER_CODEGEN_CONVERT_LONG_CONVERSION_H

#include <llvm-c/Types.h>

// Converts vectors of reals to integers of 64 bits, and back, by arithmetic of doubles:
// for x86 with AVX2, which converts such integers one by one, and unsigned ones by
// several instructions each. The results are the same, of what does not fit, too. To be
// called when nothing optimizes the module any more.
void tf_long_conversion_settle(LLVMModuleRef module);

#endif // TF_COMPILER_CODEGEN_CONVERT_LONG_CONVERSION_H
