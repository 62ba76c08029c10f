// SPDX-License-Identifier: MIT
// What a loop's metadata says of unrolling: `#pragma unroll`, `#pragma unroll 4`,
// __attribute__((opencl_unroll_hint)).
#ifndef TF_COMPILER_MODULE_UNROLL_HINT_H
#define TF_COMPILER_MODULE_UNROLL_HINT_H

#include <stdbool.h>
#include <stdint.h>

#include <llvm-c/Types.h>

// The number that a hint of a loop asks for, or 0 if it is another hint.
uint64_t tf_unroll_hint_rounds(LLVMValueRef hint);
// Whether a hint asks for unrolling without a number: as far as LLVM can.
bool tf_unroll_hint_is_open(LLVMValueRef hint);

#endif // TF_COMPILER_MODULE_UNROLL_HINT_H
