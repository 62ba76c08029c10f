// SPDX-License-Identifier: MIT
#ifndef TF_COMPILER_CODEGEN_CONVERT_CONVERSION_H
#define TF_COMPILER_CODEGEN_CONVERT_CONVERSION_H

#include <llvm-c/Types.h>

// Makes conversions of reals to unsigned integers of 32 bits from signed ones, for
// machines that have no others: LLVM's own ways for one value and for vectors differ in
// what they make of values that do not fit, and tiers of code in which of them they take.
void tf_conversion_settle(LLVMModuleRef module);

// Rounds vectors of halves to whole numbers as vectors of floats, which hold them
// exactly. To be called when nothing optimizes the module any more: LLVM makes halves of
// it again, and then takes them one by one.
void tf_conversion_widen_roundings(LLVMModuleRef module);

#endif // TF_COMPILER_CODEGEN_CONVERT_CONVERSION_H
