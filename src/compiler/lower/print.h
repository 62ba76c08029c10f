// SPDX-License-Identifier: MIT
// printf (OpenCL C 3.0, 6.15.14): calls become records for the run-time (print_record.h).
#ifndef TF_COMPILER_LOWER_PRINT_H
#define TF_COMPILER_LOWER_PRINT_H

#include <llvm-c/Types.h>

// The name that the front end gives to printf.
#define TF_PRINT_FUNCTION "printf"

// Turns each call of an undefined printf into a record on the caller's stack and a call
// of TF_ROOT_PRINT, `int __tf_print(const void *record, ulong bytes)`. A function has one
// place for the records of all its calls.
void tf_print_lower(LLVMModuleRef module);

#endif // TF_COMPILER_LOWER_PRINT_H
