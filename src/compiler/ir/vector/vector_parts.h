// SPDX-License-Identifier: MIT
// Vectors of one number, and parts of vectors. Of up to 1024 elements: 64 lanes of
// vectors of sixteen.
#ifndef TF_COMPILER_IR_VECTOR_VECTOR_PARTS_H
#define TF_COMPILER_IR_VECTOR_VECTOR_PARTS_H

#include <stdint.h>

#include <llvm-c/Types.h>

enum { TF_VECTOR_MOST = 1024 };

unsigned tf_vector_count(LLVMValueRef vector);
// `n` as each element of a vector of integers.
LLVMValueRef tf_vector_of(LLVMTypeRef type, uint64_t n);
// `count` elements of `a`, or of `a` and then `b`, vectors of one type, from `first` on;
// behind their end anything. `b` may be NULL.
LLVMValueRef tf_vector_take(LLVMBuilderRef builder, LLVMValueRef a, LLVMValueRef b,
                            unsigned first, unsigned count);

#endif // TF_COMPILER_IR_VECTOR_VECTOR_PARTS_H
